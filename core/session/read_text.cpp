#include "session/load.h"
#include "session/session_text.h"

#include "kernel/json_places.h"
#include "session/candidate_files.h"
#include "session/review_json.h"
#include "support/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace ptxwb::session {

namespace fs = std::filesystem;

namespace {

/// Thrown and caught in this file only: a session is read as a whole or not at all.
struct Unreadable {
    Diagnostic diagnostic;
};

template <class T>
T orThrow(Expected<T> value) {
    if (!value) throw Unreadable{std::move(value.error())};
    return std::move(*value);
}
void orThrow(Expected<void> value) {
    if (!value) throw Unreadable{std::move(value.error())};
}
[[noreturn]] void refuse(const JsonReader& reader, std::string_view message, std::string hint = {}) {
    throw Unreadable{reader.fail(message, std::move(hint)).error()};
}

std::string textOr(const JsonReader& reader, std::string_view key) {
    return orThrow(reader.textOr(key, {}));
}

std::uint32_t count(const JsonReader& reader, std::string_view key, std::uint32_t fallback) {
    const std::int64_t value = orThrow(reader.integerOr(key, fallback));
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
        refuse(*reader.find(key), "expected a number from 0 that fits 32 bits");
    return static_cast<std::uint32_t>(value);
}

std::string insidePath(const JsonReader& reader, std::string_view key) {
    std::string path = orThrow(reader.text(key));
    if (!staysInside(path))
        refuse(*reader.find(key), fmt::format("\"{}\" is not below the session's folder", path),
               "candidates lie in a folder beside the session");
    return path;
}

void readJudgements(const JsonReader& reader, Candidate& candidate) {
    candidate.judgement = orThrow(judgementFromJson(reader));
    for (const JsonReader& one : orThrow(reader.elementsOr("more_results"))) {
        orThrow(one.onlyKeys({"results", "judged"}));
        if (auto other = orThrow(judgementFromJson(one))) candidate.otherJudgements.push_back(std::move(*other));
    }
}

void readBaseline(const JsonReader& reader, SessionText& text) {
    orThrow(reader.onlyKeys({"name", "file", "origin", "sha256", "results", "judged", "more_results"}));
    Candidate& baseline = text.session.baseline;
    baseline.name = textOr(reader, "name");
    if (const auto origin = reader.find("origin")) baseline.origin = orThrow(originFromJson(*origin));
    if (reader.has("file")) text.baselineFile = insidePath(reader, "file");
    text.baselineSha256 = orThrow(reader.text("sha256"));
    readJudgements(reader, baseline);
}

void readHistory(const JsonReader& reader, Candidate& candidate, std::vector<std::string>& files) {
    for (const JsonReader& one : orThrow(reader.elementsOr("history"))) {
        orThrow(one.onlyKeys({"file", "reason", "time", "verdict"}));
        files.push_back(insidePath(one, "file"));
        Version& version = candidate.history.emplace_back();
        version.time = textOr(one, "time");
        const std::string reason = orThrow(one.text("reason"));
        const auto known = versionReason(reason);
        if (!known) refuse(one, fmt::format("unknown reason \"{}\"", reason), "verified, saved or replaced");
        version.reason = *known;
        if (!one.has("verdict")) continue;
        const std::string word = orThrow(one.text("verdict"));
        for (const auto each : {verify::Verdict::pass, verify::Verdict::fail, verify::Verdict::incomplete})
            if (word == verify::name(each)) version.verdict = each;
        if (!version.verdict) refuse(one, fmt::format("unknown verdict \"{}\"", word), "pass, fail or incomplete");
    }
}

void readCandidate(const JsonReader& reader, SessionText& text) {
    orThrow(reader.onlyKeys({"id", "parent", "name", "file", "origin", "sha256", "results", "judged", "more_results",
                             "authors", "history"}));
    Candidate candidate;
    candidate.id = orThrow(reader.text("id"));
    candidate.parent = textOr(reader, "parent");
    candidate.name = orThrow(reader.text("name"));
    candidate.origin = orThrow(originFromJson(orThrow(reader.at("origin"))));
    readJudgements(reader, candidate);
    if (const auto authors = reader.find("authors")) candidate.authors = orThrow(authors->texts());
    if (candidate.id.empty() || candidate.id == baselineId || find(text.session, candidate.id))
        refuse(reader, fmt::format("the id \"{}\" is empty, reserved or given twice", candidate.id));
    if (const auto problem = nameProblem(text.session, candidate.name); !problem.empty()) refuse(reader, problem);
    text.files.push_back(insidePath(reader, "file"));
    readHistory(reader, candidate, text.versions.emplace_back());
    text.sha256.push_back(orThrow(reader.text("sha256")));
    text.session.candidates.push_back(std::move(candidate));
}

AutosavePart readAutosave(const JsonReader& reader) {
    orThrow(reader.onlyKeys({"session", "session_sha256", "example", "texts"}));
    AutosavePart part{
        textOr(reader, "session"), textOr(reader, "session_sha256"), orThrow(reader.booleanOr("example", false)), {}};
    for (const auto& [id, text] : orThrow(orThrow(reader.at("texts")).members())) part.texts[id] = orThrow(text.text());
    return part;
}

/// The object that begins at byte `begin` of valid JSON.
std::string_view objectAt(std::string_view text, std::size_t begin) {
    int depth = 0;
    bool inText = false;
    for (std::size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        if (inText) {
            if (c == '\\')
                ++i;
            else
                inText = c != '"';
        } else if (c == '"')
            inText = true;
        else if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && --depth == 0)
            return text.substr(begin, i + 1 - begin);
    }
    return text.substr(begin);
}

/// Blanks in front of the spec inside of the session keep the lines and columns of its errors right.
std::string paddedKernel(std::string_view text) {
    const auto places = kernel::jsonPlaces(text, {});
    const Place at = places.at("kernel").value;
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < at.line; ++line) begin = text.find('\n', begin) + 1;
    begin += at.column - 1;
    return std::string(at.line - 1, '\n') + std::string(at.column - 1, ' ') + std::string(objectAt(text, begin));
}

SessionText readSession(const JsonReader& reader, const std::string& text) {
    orThrow(reader.onlyKeys({"schema", "kernel", "source", "targets", "baseline", "candidates", "last_id", "review",
                             "conversations", "autosave"}));
    SessionText result;
    if (const auto kernel = reader.find("kernel")) {
        if (kernel->isObject())
            result.kernelText = paddedKernel(text);
        else
            result.kernelPath = orThrow(kernel->text());
        if (!kernel->isObject() && (result.kernelPath.empty() || fs::path(result.kernelPath).is_absolute()))
            refuse(*kernel, fmt::format("\"{}\" is no path relative to the session", result.kernelPath));
    }
    result.source = textOr(reader, "source");
    result.session.targets = orThrow(orThrow(reader.at("targets")).texts());
    result.session.lastId = count(reader, "last_id", 0);
    if (const auto baseline = reader.find("baseline")) readBaseline(*baseline, result);
    for (const JsonReader& one : orThrow(reader.elements("candidates"))) readCandidate(one, result);
    result.session.review = orThrow(reviewFromJson(orThrow(reader.at("review"))));
    if (reader.has("conversations"))
        result.session.conversations = orThrow(conversationsFrom(orThrow(reader.elements("conversations"))));
    if (const auto autosave = reader.find("autosave")) result.autosave = readAutosave(*autosave);
    return result;
}

Diagnostic damaged(Diagnostic why, const fs::path& file) {
    why.cause = Cause::badRequest;
    why.place.file = file.string();
    why.message = fmt::format("{} is damaged or no session: {}", file.filename().string(), why.message);
    if (why.hint.empty()) why.hint = "nothing was changed; restore it from version control or a backup";
    return why;
}

} // namespace

Expected<SessionText> readText(const std::string& text, const fs::path& file) {
    const auto json = parseJson(text, file.string());
    if (!json) return std::unexpected(damaged(json.error(), file));
    const JsonReader reader(*json, file.string());
    const auto version = reader.integer("schema");
    if (!version) return std::unexpected(damaged(version.error(), file));
    if (*version > schemaVersion) {
        auto newer = failure(Cause::badRequest,
                             fmt::format("{} was written by a newer version of PTX Workbench: it has schema {}, this "
                                         "version reads {}",
                                         file.filename().string(), *version, schemaVersion),
                             "update PTX Workbench; nothing was changed");
        newer.error().place.file = file.string();
        return newer;
    }
    try {
        if (*version < schemaVersion) refuse(*reader.find("schema"), fmt::format("there is no schema {}", *version));
        return readSession(reader, text);
    } catch (Unreadable& unreadable) {
        return std::unexpected(damaged(std::move(unreadable.diagnostic), file));
    }
}

} // namespace ptxwb::session
