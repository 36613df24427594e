#include "session/save.h"

#include "kernel/spec_save.h"
#include "session/candidate_files.h"
#include "session/load.h"
#include "session/session_text.h"
#include "support/files.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::session {

namespace fs = std::filesystem;

namespace {

std::unexpected<Diagnostic> refusal(std::string kind, const fs::path& file, std::string message, std::string hint) {
    auto result = failure(Cause::badRequest, std::move(message), std::move(hint));
    result.error().kind = std::move(kind);
    result.error().place.file = file.string();
    return result;
}

/// What lies at the place that is to be written; nullopt where nothing does.
Expected<std::optional<SessionText>> onDisk(const Session& session, const fs::path& file, IfChanged ifChanged) {
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    const auto content = readFile(file);
    if (!content) return std::unexpected(content.error());
    auto text = readText(*content, file);
    if (!text)
        return refusal("not_ours", file, fmt::format("{}; it was not overwritten", text.error().message),
                       "save under another name");
    const bool isOwn = session.file == file;
    if (ifChanged == IfChanged::refuse && !(isOwn && sha256Hex(*content) == session.fileSha256))
        return refusal("changed_on_disk", file,
                       isOwn ? fmt::format("{} was changed by another program since it was read", file.string())
                             : fmt::format("{} exists already", file.string()),
                       "save under another name, or replace it");
    return std::optional(std::move(*text));
}

Expected<void> makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) return {};
    return failure(Cause::badRequest, fmt::format("cannot make the folder {}: {}", folder.string(), error.message()),
                   "save to a folder that can be written to");
}

/// A file with that content already is left alone, with its time.
Expected<void> writeIfDifferent(const fs::path& file, std::string_view content) {
    std::error_code error;
    if (fs::is_regular_file(file, error) && fs::file_size(file, error) == content.size())
        if (const auto old = readFile(file); old && *old == content) return {};
    if (auto folder = makeFolder(file.parent_path()); !folder) return folder;
    return writeFileAtomically(file, content);
}

/// Puts the spec and its files into NAME.kernel beside the session.
Expected<void> copyKernel(Session& session, const fs::path& file, bool mayReplace) {
    const fs::path folder = file.parent_path() / (file.stem().string() + ".kernel");
    kernel::Kernel copy = session.kernel;
    copy.spec.candidates.clear(); // they are the session's now
    const std::string specName =
        session.specFile.empty() ? copy.spec.name + ".kernel.json" : session.specFile.filename().string();
    std::vector<std::pair<std::string, std::string>> files{{specName, kernel::formatJson(kernel::toJson(copy.spec))}};
    for (const std::string& name : kernel::namedFiles(copy.spec))
        if (const auto found = copy.files.find(name); found != copy.files.end()) files.emplace_back(*found);
    std::erase_if(copy.files, [&](const auto& entry) {
        return std::ranges::find(files, entry.first, [](const auto& f) { return f.first; }) == files.end();
    });
    std::error_code error;
    for (const auto& [name, content] : files) {
        if (mayReplace || !fs::exists(folder / name, error)) continue;
        const auto old = readFile(folder / name);
        if (!old || *old != content)
            return refusal(
                "not_ours", folder / name,
                fmt::format("the kernel would be copied to {}, which holds something else", (folder / name).string()),
                "save under another name, or move that folder away");
    }
    for (const auto& [name, content] : files)
        if (auto written = writeIfDifferent(folder / name, content); !written) return written;
    session.specFile = folder / specName;
    session.place = KernelPlace::file;
    session.kernel = std::move(copy);
    return {};
}

bool needsCopy(const Session& session, const fs::path& file) {
    if (session.place == KernelPlace::example) return true;
    return session.place == KernelPlace::inlined && session.file.parent_path() != file.parent_path();
}

/// Whether the baseline is the file that the spec names.
bool isSpecBaseline(const Session& session) {
    if (!session.hasKernel() || !session.kernel.spec.baseline) return false;
    const auto found = session.kernel.files.find(session.kernel.spec.baseline->ptx);
    return found != session.kernel.files.end() && found->second == session.baseline.text;
}

/// The files of the session that is replaced: ours to overwrite and to remove, but only in its folder of candidates.
std::vector<fs::path> ownedFiles(const std::optional<SessionText>& old, const fs::path& file) {
    std::vector<fs::path> owned;
    if (!old) return owned;
    auto names = old->files;
    names.push_back(old->baselineFile);
    for (const auto& versions : old->versions) names.insert(names.end(), versions.begin(), versions.end());
    const fs::path folder = candidatesFolder(file);
    for (const std::string& name : names) {
        const fs::path path = (file.parent_path() / name).lexically_normal();
        const bool isOurs = path.parent_path() == folder || path.parent_path() == folder / "history";
        if (!name.empty() && isOurs && path.extension() == ".ptx") owned.push_back(path);
    }
    return owned;
}

std::set<std::string> foreignNames(const fs::path& folder, const std::vector<fs::path>& owned) {
    std::set<std::string> names;
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (std::ranges::find(owned, entry->path()) == owned.end())
            names.insert(lowerCase(entry->path().filename().string()));
    return names;
}

/// `candidates`: the folder that holds them.
SessionText describe(const Session& session, const fs::path& folder, const fs::path& candidates) {
    SessionText text;
    text.session = session;
    if (!session.specFile.empty()) text.kernelPath = relativePath(session.specFile, folder);
    if (!session.hasKernel() && !session.sourceFile.empty()) text.source = relativePath(session.sourceFile, folder);
    if (!session.baseline.text.empty()) text.baselineSha256 = sha256Hex(session.baseline.text);
    for (const Candidate& candidate : session.candidates) {
        text.sha256.push_back(sha256Hex(candidate.text));
        auto& versions = text.versions.emplace_back();
        for (const Version& version : candidate.history) versions.push_back(versionFile(candidates, *version.text));
    }
    return text;
}

void removeOrphans(const std::vector<fs::path>& owned, const std::vector<fs::path>& kept) {
    for (const fs::path& old : owned) {
        std::error_code error;
        const bool named = std::ranges::any_of(kept, [&](const fs::path& file) {
            std::error_code ignored;
            return file == old || fs::equivalent(file, old, ignored); // names that differ in case only
        });
        if (!named) fs::remove(old, error);
    }
}

} // namespace

Expected<void> save(Session& session, const fs::path& requested, IfChanged ifChanged) {
    const fs::path file = fs::absolute(requested).lexically_normal();
    const auto old = onDisk(session, file, ifChanged);
    if (!old) return std::unexpected(old.error());
    if (auto folder = makeFolder(file.parent_path()); !folder) return folder;

    Session written = session;
    if (needsCopy(session, file))
        if (auto copied = copyKernel(written, file, old->has_value()); !copied) return copied;

    const fs::path folder = candidatesFolder(file);
    const auto owned = ownedFiles(*old, file);
    const auto foreign = foreignNames(folder, owned);
    SessionText text = describe(written, file.parent_path(), folder);
    std::vector<std::pair<fs::path, const std::string*>> files;
    const auto name = [&](const std::string& fileName, const std::string& content) {
        files.emplace_back(folder / fileName, &content);
        return folder.filename().string() + "/" + fileName;
    };
    if (!written.baseline.text.empty() && !isSpecBaseline(written))
        text.baselineFile =
            name(foreign.contains("baseline.ptx") ? "baseline-of-session.ptx" : "baseline.ptx", written.baseline.text);
    const auto names = candidateFileNames(written.candidates, foreign);
    for (std::size_t i = 0; i < names.size(); ++i) {
        text.files.push_back(name(names[i], written.candidates[i].text));
        written.candidates[i].file = text.files.back();
    }
    written.baseline.file = text.baselineFile;
    for (const Candidate& candidate : written.candidates)
        for (const Version& version : candidate.history)
            files.emplace_back(file.parent_path() / versionFile(folder, *version.text), version.text.get());

    const auto content = layOut(writeText(text), file);
    if (!content) return std::unexpected(content.error());
    for (const auto& [path, candidateText] : files)
        if (auto done = writeIfDifferent(path, *candidateText); !done) return done;
    if (auto done = writeIfDifferent(file, *content); !done) return done;

    std::vector<fs::path> kept;
    for (const auto& entry : files) kept.push_back(entry.first);
    removeOrphans(owned, kept);
    std::error_code ignored;
    fs::remove(autosavePath(file), ignored);
    session = std::move(written);
    session.file = file;
    session.fileSha256 = sha256Hex(*content);
    return {};
}

Expected<void> writeAutosave(const Session& session, const fs::path& requested) {
    const fs::path autosave = fs::absolute(requested).lexically_normal();
    if (auto folder = makeFolder(autosave.parent_path()); !folder) return folder;
    SessionText text = describe(session, autosave.parent_path(), candidatesFolder(autosave));
    text.files = candidateFileNames(session.candidates, {});
    AutosavePart part;
    if (!session.file.empty()) part.session = relativePath(session.file, autosave.parent_path());
    part.sessionSha256 = session.fileSha256;
    part.example = session.place == KernelPlace::example;
    if (!session.baseline.text.empty() && !isSpecBaseline(session))
        part.texts[session.baseline.id] = session.baseline.text;
    for (std::size_t i = 0; i < session.candidates.size(); ++i) {
        const Candidate& candidate = session.candidates[i];
        part.texts[candidate.id] = candidate.text;
        // One that the session's own files have is read from there.
        std::error_code ignored;
        for (std::size_t v = 0; v < candidate.history.size(); ++v)
            if (const std::string& name = text.versions[i][v]; !fs::exists(autosave.parent_path() / name, ignored))
                part.texts[name] = *candidate.history[v].text;
    }
    // An autosave is for the hour of need: a byte that is no UTF-8 must not keep it from being written.
    for (auto& [id, content] : part.texts)
        content = nlohmann::json::parse(
            nlohmann::json(content).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    text.autosave = std::move(part);
    const auto content = layOut(writeText(text), autosave);
    if (!content) return std::unexpected(content.error());
    return writeFileAtomically(autosave, *content);
}

} // namespace ptxwb::session
