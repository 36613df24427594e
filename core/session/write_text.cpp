#include "session/load.h"
#include "session/session_text.h"

#include "kernel/spec_save.h"
#include "support/sha256.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::session {

using nlohmann::ordered_json;

namespace {

ordered_json orNull(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

/// What is not known is left out, so that a session written by hand stays short.
void addKnown(ordered_json& object, const char* key, const std::string& text) {
    if (!text.empty()) object[key] = text;
}

ordered_json toJson(const Origin& origin) {
    ordered_json value{{"kind", name(origin.kind)}};
    addKnown(value, "provider", origin.provider);
    addKnown(value, "model", origin.model);
    addKnown(value, "prompt_sha256", origin.promptSha256);
    addKnown(value, "time", origin.time);
    return value;
}

void addJudgement(ordered_json& object, const std::optional<Judgement>& judgement) {
    object["results"] = judgement ? ordered_json(verify::toJson(judgement->result)) : ordered_json(nullptr);
    if (!judgement) return;
    // The hash of what was judged stands in the results themselves.
    object["results"]["sha256"] = judgement->textSha256;
    object["judged"] = {{"kernel_sha256", orNull(judgement->kernelSha256)},
                        {"arch", orNull(judgement->arch)},
                        {"toolkit", orNull(judgement->toolkit)},
                        {"seed", judgement->seed}};
    if (judgement->hasOlderFigures()) object["judged"]["figures_sha256"] = judgement->figuresSha256;
}

ordered_json toJson(const Candidate& candidate, const std::string& file, const std::string& sha256) {
    ordered_json value{{"id", candidate.id}, {"parent", orNull(candidate.parent)}, {"name", candidate.name},
                       {"file", file},       {"origin", toJson(candidate.origin)}, {"sha256", sha256}};
    addJudgement(value, candidate.judgement);
    return value;
}

ordered_json toJson(const Review& review) {
    ordered_json value{{"state", name(review.state)}};
    addKnown(value, "reviewer", review.reviewer);
    addKnown(value, "time", review.time);
    addKnown(value, "summary", review.summary);
    value["comments"] = ordered_json::array();
    for (const Comment& comment : review.comments) {
        ordered_json one = ordered_json::object();
        addKnown(one, "id", comment.id);
        one["candidate"] = comment.candidate;
        one["line"] = comment.line;
        one["text"] = comment.text;
        addKnown(one, "author", comment.author);
        addKnown(one, "time", comment.time);
        if (comment.resolved) one["resolved"] = true;
        value["comments"].push_back(std::move(one));
    }
    return value;
}

ordered_json toJson(const AutosavePart& autosave) {
    return {{"session", orNull(autosave.session)},
            {"session_sha256", orNull(autosave.sessionSha256)},
            {"example", autosave.example},
            {"texts", autosave.texts}};
}

} // namespace

ordered_json writeText(const SessionText& text) {
    const Session& session = text.session;
    ordered_json value{{"schema", schemaVersion}};
    if (session.place == KernelPlace::inlined)
        value["kernel"] = kernel::toJson(session.kernel.spec);
    else
        value["kernel"] = orNull(text.kernelPath);
    addKnown(value, "source", text.source);
    value["targets"] = session.targets;
    if (!text.baselineSha256.empty()) {
        ordered_json& baseline = value["baseline"] = ordered_json::object();
        baseline["name"] = session.baseline.name;
        baseline["file"] = orNull(text.baselineFile);
        baseline["origin"] = toJson(session.baseline.origin);
        baseline["sha256"] = text.baselineSha256;
        addJudgement(baseline, session.baseline.judgement);
    }
    value["candidates"] = ordered_json::array();
    for (std::size_t i = 0; i < session.candidates.size(); ++i)
        value["candidates"].push_back(toJson(session.candidates[i], text.files.at(i), text.sha256.at(i)));
    value["last_id"] = session.lastId;
    value["review"] = toJson(session.review);
    if (text.autosave) value["autosave"] = toJson(*text.autosave);
    return value;
}

Expected<std::string> layOut(const ordered_json& value, const std::filesystem::path& file) {
    try {
        // formatJson writes U+FFFD for what is no UTF-8: a name would come back as another one.
        static_cast<void>(value.dump());
        return kernel::formatJson(value);
    } catch (const nlohmann::json::type_error&) {
        return failure(
            Cause::badRequest,
            fmt::format("cannot write {}: the name of a candidate, a comment or a path is no UTF-8", file.string()),
            "rename it, then save again");
    }
}

} // namespace ptxwb::session
