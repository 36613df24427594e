#include "verify_table.h"

#include "report/finding_text.h"
#include "report/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <tuple>

namespace ptxwb::cli {

namespace {

using verify::CandidateResult;
using verify::Stage;
using verify::StageResult;
using verify::Status;

/// Who judged the stages that run something: "emulator", or "-" where nobody did.
std::string judge(const CandidateResult& result) {
    std::set<std::string> backends;
    for (const StageResult& stage : result.stages) {
        const bool runs =
            stage.stage == Stage::function || stage.stage == Stage::stress || stage.stage == Stage::sanitize;
        if (runs && stage.status != Status::skipped && !stage.backend.empty()) backends.insert(stage.backend);
    }
    return backends.empty() ? "-" : fmt::format("{}", fmt::join(backends, "+"));
}

/// The stage that decided, with the kind of its first finding.
std::string decidedBy(const CandidateResult& result) {
    const auto firstWith = [&](Status status) {
        return std::ranges::find_if(
            result.stages, [&](const StageResult& s) { return s.status == status && s.stage != Stage::benchmark; });
    };
    for (const Status status : {Status::fail, Status::inconclusive, Status::skipped}) {
        const auto stage = firstWith(status);
        if (stage == result.stages.end()) continue;
        if (status != Status::fail) return fmt::format("{} {}", name(stage->stage), name(status));
        return stage->findings.empty() ? std::string(name(stage->stage))
                                       : fmt::format("{}: {}", name(stage->stage), name(stage->findings.front().kind));
    }
    return {};
}

} // namespace

std::string tableHead(std::size_t width) {
    return fmt::format("{:<{}}  {:<10}  {:<9}  {:>4}  {:>11}  {:>8}  {:>9}  {}\n", "candidate", width, "verdict",
                       "judged by", "regs", "spills", "shared", "occupancy", "decided by");
}

std::string tableRow(const CandidateResult& result, std::size_t width) {
    std::string registers = "-", spills = "-", shared = "-", occupancy = "-";
    if (!result.resources.empty()) {
        const verify::EntryResources& r = result.resources.front();
        registers = std::to_string(r.registers);
        spills = fmt::format("{}/{} B", r.spillStoreBytes, r.spillLoadBytes);
        shared = fmt::format("{} B", r.staticSharedBytes);
    }
    if (!result.occupancy.empty()) occupancy = fmt::format("{:.1f} %", result.occupancy.front().percent);
    std::string row =
        fmt::format("{:<{}}  {:<10}  {:<9}  {:>4}  {:>11}  {:>8}  {:>9}  {}", result.candidate, width,
                    name(result.verdict), judge(result), registers, spills, shared, occupancy, decidedBy(result));
    row.erase(row.find_last_not_of(' ') + 1);
    if (!result.sameMachineCodeAs.empty()) row += fmt::format(" (same machine code as {})", result.sameMachineCodeAs);
    return row + '\n';
}

std::string timingText(const std::vector<CandidateResult>& results) {
    const auto timed = std::ranges::find_if(results, [](const auto& r) { return r.timing.has_value(); });
    if (timed == results.end()) return {};
    std::size_t width = 0;
    for (const CandidateResult& result : results) width = std::max(width, result.candidate.size());
    const auto clock = timed->timing->clockMhz > 0 ? fmt::format(", SM clock {:.0f} MHz", timed->timing->clockMhz) : "";
    std::string text =
        fmt::format("time of one launch, cold, {} ({}{})\n", timed->timing->size, timed->timing->method, clock);
    for (const CandidateResult& result : results) {
        if (!result.timing) continue;
        const verify::Timing& t = *result.timing;
        text += fmt::format("{:<{}}  {:>10.1f} us  (10 to 90 %: {:.1f} to {:.1f})", result.candidate, width, t.medianUs,
                            t.p10Us, t.p90Us);
        if (result.speedup)
            text += fmt::format("  {:.3f} x [{:.3f}, {:.3f}] {}", result.speedup->ratio, result.speedup->low,
                                result.speedup->high, result.speedup->call);
        text += '\n';
    }
    return text;
}

std::string assemblersText(const verify::VerifyReport& report) {
    std::size_t width = 0;
    for (const CandidateResult& result : report.results) width = std::max(width, result.candidate.size());
    std::string text;
    for (const CandidateResult& result : report.results)
        for (const verify::OtherAssembler& each : result.assemblers)
            text += fmt::format("{:<{}}  {} {}: {}\n", result.candidate, width, each.name, each.version,
                                report::assemblerText(result, each));
    if (text.empty()) return {};
    return fmt::format("assemblers beside ptxas {}\n{}", report.toolkit.empty() ? "(not found)" : report.toolkit, text);
}

std::string judgesText(const std::vector<CandidateResult>& results) {
    const auto device = std::ranges::find_if(results, [](const auto& r) { return !r.device.empty(); });
    return device == results.end() ? std::string("the emulator") : device->device + " and the emulator";
}

namespace {

/// What no run reached, and which mutants nobody noticed; empty where there is nothing of the kind.
std::string strengthText(const CandidateResult& result) {
    const verify::Strength& strength = *result.strength;
    constexpr std::size_t most = 5;
    std::string text;
    if (!strength.unreached.empty()) {
        text += fmt::format("{}: no run reached {} of {} instructions and {} of {} ways of branches:\n",
                            result.candidate, strength.instructions - strength.reached, strength.instructions,
                            strength.branchWays - strength.waysTaken, strength.branchWays);
        for (std::size_t i = 0; i < std::min(most, strength.unreached.size()); ++i) {
            const verify::Unreached& each = strength.unreached[i];
            text += fmt::format("  line {}: {}{}\n", each.line, each.what,
                                each.cuda ? fmt::format(" ({}:{})", each.cuda->file, each.cuda->line) : "");
        }
        if (strength.unreached.size() > most)
            text += fmt::format("  and {} more; `--json` has all of them\n", strength.unreached.size() - most);
    }
    if (strength.mutants == 0) return text;
    text += fmt::format("{}: {} of {} mutants were noticed\n", result.candidate, strength.killed, strength.mutants);
    for (std::size_t i = 0; i < std::min(most, strength.survivors.size()); ++i)
        text += fmt::format("  not line {}: {}\n", strength.survivors[i].line, strength.survivors[i].what);
    if (strength.survivors.size() > most) text += fmt::format("  nor {} more\n", strength.survivors.size() - most);
    return text;
}

} // namespace

std::string findingsText(const CandidateResult& result, const verify::CandidateText& candidate) {
    constexpr std::size_t most = 6; // more of the same fault hides the others
    std::string text;
    // The same fault at the same place is met by several stages: it is shown where it came first.
    std::set<std::tuple<FindingKind, std::uint32_t, std::uint32_t, std::string>> seen;
    std::size_t left = 0;
    // Stages that were not run for one reason share a line.
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    for (const StageResult& stage : result.stages) {
        for (const Finding& finding : stage.findings) {
            if (stage.status == Status::pass) break; // warnings of ptxas: the JSON has them
            const std::uint32_t other = finding.related.empty() ? 0 : finding.related.front().line;
            if (!seen.emplace(finding.kind, finding.line, other, finding.argument).second) continue;
            if (seen.size() <= most)
                text += format(report::diagnosticOf(finding, candidate.file), candidate.text);
            else
                ++left;
        }
        if (stage.reason.empty() || stage.stage == Stage::benchmark) continue;
        const std::string reason = fmt::format("{}: {}", name(stage.status), stage.reason);
        if (reasons.empty() || reasons.back().first != reason) reasons.push_back({reason, {}});
        reasons.back().second.emplace_back(name(stage.stage));
    }
    if (left) text += fmt::format("{}: and {} more findings; `--json` has all of them\n", result.candidate, left);
    if (result.strength) text += strengthText(result);
    for (const auto& [reason, stages] : reasons)
        text += fmt::format("{}: {} {}\n", result.candidate, fmt::join(stages, ", "), reason);
    return text;
}

} // namespace ptxwb::cli
