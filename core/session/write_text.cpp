#include "session/load.h"
#include "session/review_json.h"
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

void addJudgements(ordered_json& object, const Candidate& candidate) {
    object.update(toJson(candidate.judgement));
    for (const Judgement& other : candidate.otherJudgements)
        object["more_results"].push_back(toJson(std::optional(other)));
}

ordered_json toJson(const std::vector<Version>& history, const std::vector<std::string>& files) {
    ordered_json list = ordered_json::array();
    for (std::size_t i = 0; i < history.size(); ++i) {
        const Version& version = history[i];
        list.push_back({{"file", files.at(i)}, {"reason", name(version.reason)}});
        addKnown(list.back(), "time", version.time);
        if (version.verdict) list.back()["verdict"] = verify::name(*version.verdict);
    }
    return list;
}

ordered_json toJson(const Candidate& candidate, const std::string& file, const std::string& sha256,
                    const std::vector<std::string>& versions) {
    ordered_json value{{"id", candidate.id}, {"parent", orNull(candidate.parent)}, {"name", candidate.name},
                       {"file", file},       {"origin", toJson(candidate.origin)}, {"sha256", sha256}};
    if (!candidate.authors.empty()) value["authors"] = candidate.authors;
    addJudgements(value, candidate);
    if (!candidate.history.empty()) value["history"] = toJson(candidate.history, versions);
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
        addJudgements(baseline, session.baseline);
    }
    value["candidates"] = ordered_json::array();
    for (std::size_t i = 0; i < session.candidates.size(); ++i)
        value["candidates"].push_back(
            toJson(session.candidates[i], text.files.at(i), text.sha256.at(i), text.versions.at(i)));
    value["last_id"] = session.lastId;
    value["review"] = toJson(session.review);
    if (!session.conversations.empty()) value["conversations"] = toJson(session.conversations);
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
