#include "bundle/contents.h"

#include "kernel/spec_load.h"
#include "kernel/spec_save.h"
#include "review/checklist.h"
#include "review/decision.h"
#include "review/evidence.h"
#include "session/review_json.h"
#include "support/json.h"
#include "support/json_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::bundle {

using nlohmann::ordered_json;
using session::Candidate;
using session::Judgement;
using session::Session;

namespace {

constexpr int schema = 1;

ordered_json orNull(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

std::string laidOut(const ordered_json& value) {
    return kernel::formatJson(value);
}

std::string specFile(const Session& part) {
    return fmt::format("{}{}.kernel.json", kernelFolder, part.kernel.spec.name);
}

std::string evidenceFile(std::size_t index) {
    return fmt::format("{}{:02}.json", evidenceFolder, index + 1);
}

std::string samplesText(const verify::CandidateResult& result) {
    std::string text = "round,candidate_us,baseline_us\n";
    const auto& own = result.timing->samplesUs;
    const std::vector<double> none, &theirs = result.speedup ? result.speedup->baselineSamplesUs : none;
    for (std::size_t i = 0; i < std::max(own.size(), theirs.size()); ++i)
        text += fmt::format("{},{},{}\n", i + 1, i < own.size() ? fmt::format("{}", own[i]) : "",
                            i < theirs.size() ? fmt::format("{}", theirs[i]) : "");
    return text;
}

ordered_json toolchainJson(const Session& part, std::string_view program) {
    ordered_json judged = ordered_json::array();
    for (const Judgement* judgement : judgementsOf(part))
        judged.push_back({{"arch", judgement->arch},
                          {"ptxas", orNull(judgement->toolkit)},
                          {"device", orNull(judgement->result.device)},
                          {"device_arch", orNull(judgement->result.deviceArch)},
                          {"driver", orNull(judgement->result.driver)}});
    const auto& baseline = part.kernel.spec.baseline;
    return {{"schema", schema},
            {"ptxwb", program},
            {"nvcc", orNull(baseline ? baseline->nvcc : std::string{})},
            {"flags", part.kernel.spec.flags},
            {"judged", std::move(judged)}};
}

ordered_json seedsJson(const Session& part) {
    ordered_json judged = ordered_json::array();
    for (const Judgement* judgement : judgementsOf(part))
        judged.push_back({{"arch", judgement->arch}, {"seed", judgement->seed}});
    return {{"schema", schema}, {"judged", std::move(judged)}};
}

ordered_json checklistJson(const Session& part) {
    const Candidate& candidate = candidateOf(part);
    const session::Decision* decision = session::latestDecision(part.review, candidate.id);
    ordered_json items = ordered_json::array();
    for (const review::Item& item : review::checklist(part, candidate, decision ? decision->targets : part.targets))
        items.push_back({{"group", item.group},
                         {"check", item.check},
                         {"title", item.title},
                         {"state", review::name(item.state)},
                         {"detail", orNull(item.detail)}});
    return items;
}

ordered_json approvalJson(const Session& part) {
    const Candidate& candidate = candidateOf(part);
    return {{"schema", schema},
            {"kernel", part.kernel.spec.name},
            {"targets", part.targets},
            {"candidate",
             {{"id", candidate.id},
              {"name", candidate.name},
              {"parent", orNull(candidate.parent)},
              {"origin", session::toJson(candidate.origin)},
              {"authors", candidate.authors}}},
            // What whoever made the bundle saw: whoever reads it must come to the same.
            {"standing", review::describe(review::standing(part, candidate.id))},
            {"review", session::toJson(part.review)},
            {"checklist", checklistJson(part)}};
}

Diagnostic inside(Diagnostic why, std::string_view path) {
    why.cause = Cause::rejected;
    why.kind = "bundle";
    why.message = fmt::format("{}: {}", path, why.message);
    return why;
}

Expected<const Entry*> need(const Entries& entries, std::string_view path) {
    if (const Entry* entry = find(entries, path)) return entry;
    return failure(Cause::rejected, fmt::format("{} is missing: this is no bundle, or not a whole one", path));
}

Expected<kernel::Kernel> readKernel(const Entries& entries, std::string& path) {
    kernel::KernelFiles files;
    const Entry* spec = nullptr;
    for (const Entry& entry : entries) {
        if (!entry.path.starts_with(kernelFolder)) continue;
        const std::string name = entry.path.substr(kernelFolder.size());
        if (name.ends_with(".kernel.json") && name.find('/') == std::string::npos) {
            if (spec) return failure(Cause::rejected, fmt::format("{} is a second spec", entry.path));
            spec = &entry;
        } else {
            files.emplace(name, entry.content);
        }
    }
    if (!spec)
        return failure(Cause::rejected, "kernel/NAME.kernel.json is missing: this is no bundle, or not a whole one");
    path = spec->path;
    auto loaded = kernel::orFirstError(kernel::loadSpec(spec->content, spec->path, std::move(files)));
    if (!loaded) return std::unexpected(inside(std::move(loaded.error()), spec->path));
    if (kernel::formatJson(kernel::toJson(loaded->spec)) != spec->content)
        return failure(Cause::rejected, fmt::format("{} is not laid out as it was written", spec->path));
    const auto named = kernel::namedFiles(loaded->spec);
    for (const auto& [name, content] : loaded->files)
        if (std::ranges::find(named, name) == named.end())
            return failure(Cause::rejected, fmt::format("{}{} is no file of the spec", kernelFolder, name));
    return loaded;
}

void readApproval(const JsonReader& reader, JsonFields& fields, Session& part, Candidate& candidate) {
    const auto note = [&](auto&& result) {
        if (!result) fields.note(std::move(result.error()));
    };
    note(reader.onlyKeys({"schema", "kernel", "targets", "candidate", "standing", "review", "checklist"}));
    fields.readList("targets", part.targets, [](const JsonReader& one) { return one.text(); });
    if (auto about = reader.at("candidate")) {
        JsonFields inner(*about);
        if (auto done = about->onlyKeys({"id", "name", "parent", "origin", "authors"}); !done)
            inner.note(std::move(done.error()));
        inner.take(about->text("id"), candidate.id);
        inner.take(about->text("name"), candidate.name);
        inner.read("parent", candidate.parent);
        if (auto origin = about->at("origin"))
            inner.take(session::originFromJson(*origin), candidate.origin);
        else
            inner.note(std::move(origin.error()));
        inner.readList("authors", candidate.authors, [](const JsonReader& one) { return one.text(); });
        note(inner.result(0));
    } else {
        fields.note(std::move(about.error()));
    }
    if (auto review = reader.at("review"))
        fields.take(session::reviewFromJson(*review), part.review);
    else
        fields.note(std::move(review.error()));
}

Expected<void> readJudgements(const Entries& entries, Candidate& candidate) {
    for (std::size_t i = 0; const Entry* entry = find(entries, evidenceFile(i)); ++i) {
        const auto json = parseJson(entry->content);
        if (!json) return std::unexpected(inside(json.error(), entry->path));
        auto judgement = session::judgementFromJson(JsonReader(*json));
        if (!judgement) return std::unexpected(inside(std::move(judgement.error()), entry->path));
        if (!*judgement) return failure(Cause::rejected, fmt::format("{} holds no results", entry->path));
        if (laidOut(session::toJson(*judgement)) != entry->content)
            return failure(Cause::rejected, fmt::format("{} is not what this program writes for its results: something "
                                                        "in it was changed, or another version wrote it",
                                                        entry->path));
        if (i == 0)
            candidate.judgement = std::move(**judgement);
        else
            candidate.otherJudgements.push_back(std::move(**judgement));
    }
    return {};
}

} // namespace

std::string cubinPath(const Judgement& judgement) {
    return fmt::format("{}{}.ptxas-{}.cubin", cubinFolder, judgement.arch, judgement.toolkit);
}

const Candidate& candidateOf(const Session& part) {
    return part.candidates.front();
}

std::vector<const Judgement*> judgementsOf(const Session& part) {
    std::vector<const Judgement*> all;
    if (candidateOf(part).judgement) all.push_back(&*candidateOf(part).judgement);
    for (const Judgement& other : candidateOf(part).otherJudgements) all.push_back(&other);
    return all;
}

Session partOf(const Session& session, const Candidate& candidate) {
    Session part;
    part.place = session::KernelPlace::file;
    part.kernel = session.kernel;
    part.kernel.spec.candidates.clear();
    const auto named = kernel::namedFiles(part.kernel.spec);
    std::erase_if(part.kernel.files,
                  [&](const auto& file) { return std::ranges::find(named, file.first) == named.end(); });
    part.source = session.source;
    part.baseline = session.baseline;
    part.baseline.judgement.reset();
    part.baseline.otherJudgements.clear();
    part.targets = session.targets;
    part.candidates = {candidate};
    Candidate& own = part.candidates.front();
    own.file.clear();
    // What is about another text or kernel is no evidence of anything here.
    const std::string kernelSha256 = session::kernelHash(session);
    std::vector<Judgement> current;
    for (const Judgement* judgement : review::currentJudgements(candidate, kernelSha256)) current.push_back(*judgement);
    own.judgement.reset();
    own.otherJudgements.clear();
    for (Judgement& judgement : current)
        if (!own.judgement)
            own.judgement = std::move(judgement);
        else
            own.otherJudgements.push_back(std::move(judgement));
    const auto isIts = [&](const auto& each) { return each.candidate == candidate.id; };
    std::ranges::copy_if(session.review.decisions, std::back_inserter(part.review.decisions), isIts);
    std::ranges::copy_if(session.review.comments, std::back_inserter(part.review.comments), isIts);
    return part;
}

Entries filesOf(const Session& part, std::string_view program) {
    Entries entries;
    const auto add = [&](std::string path, std::string content) {
        entries.push_back({std::move(path), std::move(content)});
    };
    add(std::string(candidateFile), candidateOf(part).text);
    if (!part.baseline.text.empty()) add(std::string(baselineFile), part.baseline.text);
    add(specFile(part), kernel::formatJson(kernel::toJson(part.kernel.spec)));
    for (const auto& [name, content] : part.kernel.files) add(std::string(kernelFolder) + name, content);
    const auto judgements = judgementsOf(part);
    for (std::size_t i = 0; i < judgements.size(); ++i) {
        add(evidenceFile(i), laidOut(session::toJson(std::optional(*judgements[i]))));
        if (judgements[i]->result.timing)
            add(fmt::format("{}{:02}.csv", samplesFolder, i + 1), samplesText(judgements[i]->result));
    }
    add(std::string(toolchainFile), laidOut(toolchainJson(part, program)));
    add(std::string(seedsFile), laidOut(seedsJson(part)));
    add(std::string(approvalFile), laidOut(approvalJson(part)));
    std::ranges::sort(entries, {}, &Entry::path);
    return entries;
}

Expected<Session> partFrom(const Entries& entries) {
    Session part;
    part.place = session::KernelPlace::file;
    std::string specPath;
    auto kernel = readKernel(entries, specPath);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    session::takeKernel(part, std::move(*kernel));
    part.specFile = specPath;
    part.targets.clear();
    part.baseline.id = session::baselineId;
    part.baseline.text.clear();
    if (const Entry* baseline = find(entries, baselineFile)) part.baseline.text = baseline->content;

    const auto text = need(entries, candidateFile);
    if (!text) return std::unexpected(text.error());
    const auto approval = need(entries, approvalFile);
    if (!approval) return std::unexpected(approval.error());
    const auto json = parseJson((*approval)->content);
    if (!json) return std::unexpected(inside(json.error(), approvalFile));
    const JsonReader reader(*json);
    Candidate candidate;
    candidate.text = (*text)->content;
    JsonFields fields(reader);
    std::uint32_t version = 0;
    fields.read("schema", version);
    if (version != schema)
        fields.note(reader
                        .fail(fmt::format("of schema {}, this program reads {}", version, schema),
                              "use the version of ptxwb that wrote it")
                        .error());
    readApproval(reader, fields, part, candidate);
    if (auto done = fields.result(0); !done) return std::unexpected(inside(std::move(done.error()), approvalFile));
    if (auto done = readJudgements(entries, candidate); !done) return std::unexpected(std::move(done.error()));
    part.candidates.push_back(std::move(candidate));
    return part;
}

} // namespace ptxwb::bundle
