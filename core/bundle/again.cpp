#include "bundle/again.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::bundle {

namespace {

using session::Judgement;
using verify::CandidateResult;
using verify::Stage;
using verify::StageResult;
using verify::Status;

std::string stageText(const StageResult* stage) {
    if (!stage) return "not run";
    std::string text(name(stage->status));
    if (!stage->backend.empty() && stage->status != Status::skipped) text += " (" + stage->backend + ")";
    if (stage->status == Status::pass) return text;
    const std::string why = stage->findings.empty() ? stage->reason : stage->findings.front().message;
    return why.empty() ? text : text + ": " + why;
}

Agreement agreementOf(const StageResult* then, const StageResult* now) {
    const auto decided = [](const StageResult* stage) {
        return stage && (stage->status == Status::pass || stage->status == Status::fail);
    };
    if (!decided(then) || !decided(now)) return decided(then) == decided(now) ? Agreement::same : Agreement::other;
    return then->status == now->status ? Agreement::same : Agreement::contradiction;
}

void addMachineCode(const Judgement& then, const Judgement& now, std::vector<Comparison>& all) {
    const auto text = [](const Judgement& j) {
        return j.result.textSha256.empty()
                   ? std::string("none")
                   : fmt::format("{} (ptxas {}, {})", j.result.textSha256.substr(0, 16), j.toolkit, j.arch);
    };
    const bool comparable = then.toolkit == now.toolkit && then.arch == now.arch && !then.result.textSha256.empty() &&
                            !now.result.textSha256.empty();
    const bool same = then.result.textSha256 == now.result.textSha256;
    all.push_back({"machine code", text(then), text(now),
                   same         ? Agreement::same
                   : comparable ? Agreement::contradiction
                                : Agreement::other});
}

void addResources(const Judgement& then, const Judgement& now, std::vector<Comparison>& all) {
    const auto text = [](const CandidateResult& result) {
        if (result.resources.empty()) return std::string("not known");
        const verify::EntryResources& r = result.resources.front();
        return fmt::format("{} registers, {} B spilled, {} B shared", r.registers, r.spillStoreBytes,
                           r.staticSharedBytes);
    };
    const std::string before = text(then.result), after = text(now.result);
    all.push_back({"resources", before, after,
                   before == after || now.result.resources.empty() || then.toolkit != now.toolkit
                       ? before == after ? Agreement::same : Agreement::other
                       : Agreement::contradiction});
}

void addTime(const Judgement& then, const Judgement& now, std::vector<Comparison>& all) {
    const auto text = [](const CandidateResult& result) {
        const auto& s = result.speedup;
        return s ? fmt::format("{} ({:.3f}, 95 %: {:.3f} to {:.3f}, {})", s->call, s->ratio, s->low, s->high,
                               result.device)
                 : std::string("not measured");
    };
    if (!then.result.speedup && !now.result.speedup) return;
    Agreement agreement = Agreement::other;
    if (then.result.speedup && now.result.speedup) {
        const std::string &before = then.result.speedup->call, &after = now.result.speedup->call;
        const bool opposite = (before == "faster" && after == "slower") || (before == "slower" && after == "faster");
        if (before == after) agreement = Agreement::same;
        // On another device another time is no surprise.
        if (opposite && then.result.device == now.result.device) agreement = Agreement::contradiction;
    }
    all.push_back({"time against the baseline", text(then.result), text(now.result), agreement});
}

} // namespace

std::string_view name(Agreement agreement) {
    switch (agreement) {
    case Agreement::same: return "same";
    case Agreement::other: return "other";
    case Agreement::contradiction: break;
    }
    return "contradiction";
}

std::vector<Comparison> compareWithNow(const Judgement& then, const Judgement& now) {
    std::vector<Comparison> all;
    for (const Stage stage : {Stage::parse, Stage::assemble, Stage::function, Stage::stress, Stage::sanitize}) {
        const StageResult* before = verify::find(then.result.stages, stage);
        const StageResult* after = verify::find(now.result.stages, stage);
        all.push_back({std::string(name(stage)), stageText(before), stageText(after), agreementOf(before, after)});
    }
    addMachineCode(then, now, all);
    addResources(then, now, all);
    addTime(then, now, all);
    return all;
}

} // namespace ptxwb::bundle
