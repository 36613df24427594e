#include "report/json.h"

#include "compare/print_text.h"
#include "report/excerpt.h"
#include "report/review_parts.h"

#include <nlohmann/json.hpp>

namespace ptxwb::report {

namespace {

using nlohmann::json;

json orNull(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

json factsToJson(const std::vector<Fact>& facts) {
    json list = json::array();
    for (const Fact& fact : facts) list.push_back({{"label", fact.label}, {"value", fact.value}});
    return list;
}

json originToJson(const session::Origin& origin) {
    return {{"kind", session::name(origin.kind)},
            {"provider", orNull(origin.provider)},
            {"model", orNull(origin.model)},
            {"prompt_sha256", orNull(origin.promptSha256)},
            {"time", orNull(origin.time)}};
}

json judgedToJson(const std::optional<session::Judgement>& judgement) {
    if (!judgement) return nullptr;
    return {{"sha256", judgement->textSha256}, {"kernel_sha256", orNull(judgement->kernelSha256)},
            {"arch", orNull(judgement->arch)}, {"toolkit", orNull(judgement->toolkit)},
            {"seed", judgement->seed},         {"figures_sha256", orNull(judgement->figuresSha256)}};
}

/// For each finding that has a line in the text at hand.
json excerptsToJson(const Subject& subject) {
    json list = json::array();
    if (!subject.isJudgedText()) return list;
    for (const verify::StageResult& stage : subject.judgement->result.stages)
        for (std::size_t i = 0; i < stage.findings.size(); ++i) {
            json lines = json::array();
            for (const ExcerptLine& line : excerptOf(stage.findings[i], subject.text))
                lines.push_back({{"line", line.number}, {"role", name(line.role)}, {"text", line.text}});
            if (!lines.empty())
                list.push_back({{"stage", name(stage.stage)}, {"finding", i}, {"lines", std::move(lines)}});
        }
    return list;
}

json subjectToJson(const Subject& subject) {
    json comparison = nullptr;
    if (subject.comparison)
        comparison = compare::toJson(*subject.comparison, session::baselineId, subject.name, compare::Level::changed);
    return {{"id", subject.id},
            {"name", subject.name},
            {"parent", orNull(subject.parent)},
            {"file", orNull(subject.file)},
            {"origin", originToJson(subject.origin)},
            {"sha256", subject.sha256},
            {"header", factsToJson(subject.header)},
            {"standing", subject.standing == Standing::notJudged ? "not_judged" : name(subject.standing)},
            {"judged", judgedToJson(subject.judgement)},
            {"result", subject.judgement ? verify::toJson(subject.judgement->result) : json(nullptr)},
            {"excerpts", excerptsToJson(subject)},
            {"comparison", std::move(comparison)},
            {"replay", subject.replay}};
}

} // namespace

json toJson(const Report& report) {
    json subjects = json::array(), hashes = json::array(), sources = json::array();
    for (const Subject& subject : report.subjects) subjects.push_back(subjectToJson(subject));
    for (const NamedHash& hash : report.hashes)
        hashes.push_back({{"what", hash.what}, {"file", orNull(hash.file)}, {"sha256", hash.sha256}});
    for (const SourceText& source : report.sources) sources.push_back({{"name", source.name}, {"text", source.text}});
    return {{"schema", 1},
            {"program", report.program},
            {"session", orNull(report.session)},
            {"kernel", report.kernel},
            {"title", orNull(report.title)},
            {"intent", orNull(report.intent)},
            {"facts", factsToJson(report.kernelFacts)},
            {"sources", std::move(sources)},
            {"candidates", std::move(subjects)},
            {"hashes", std::move(hashes)},
            {"review", reviewToJson(report)},
            {"notes", report.notes}};
}

} // namespace ptxwb::report
