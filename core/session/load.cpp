#include "session/load.h"

#include "kernel/spec_load.h"
#include "session/candidate_files.h"
#include "session/session_text.h"
#include "support/files.h"
#include "support/json.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::session {

namespace fs = std::filesystem;

namespace {

Diagnostic changedOutside(const fs::path& file, const std::string& name) {
    Diagnostic note = failure(Cause::badRequest, fmt::format("{} was changed outside of PTX Workbench", file.string()),
                              fmt::format("the figures shown for \"{}\" are those of its earlier text until it is "
                                          "verified again",
                                          name))
                          .error();
    note.severity = Severity::note;
    note.place.file = file.string();
    return note;
}

Expected<std::string> readNamed(const fs::path& named, const fs::path& session, std::string_view what) {
    auto text = readFile(named);
    if (text) return text;
    Diagnostic problem = std::move(text.error());
    problem.message =
        fmt::format("{} names {} that cannot be read: {}", session.filename().string(), what, problem.message);
    problem.hint = "put the file back, from version control or a backup, or remove its entry from the session";
    return std::unexpected(std::move(problem));
}

/// Every text of a spec that is the name of a file beside the session, with the content.
void collectFiles(const nlohmann::json& value, const fs::path& folder, kernel::KernelFiles& files) {
    if (value.is_structured())
        for (const auto& element : value) collectFiles(element, folder, files);
    if (!value.is_string()) return;
    const auto& name = value.get_ref<const std::string&>();
    std::error_code error;
    if (name.size() > 255 || !staysInside(name) || !fs::is_regular_file(folder / name, error)) return;
    if (auto content = readFile(folder / name)) files.emplace(name, std::move(*content));
}

Expected<kernel::Kernel> inlinedKernel(const SessionText& text, const fs::path& file) {
    const auto json = parseJson(text.kernelText, file.string());
    if (!json) return std::unexpected(json.error());
    kernel::KernelFiles files;
    collectFiles(*json, file.parent_path(), files);
    auto kernel = kernel::orFirstError(kernel::loadSpec(text.kernelText, file.string(), std::move(files)));
    if (!kernel) {
        kernel.error().message =
            fmt::format("the kernel spec inside {} has an error: {}", file.filename().string(), kernel.error().message);
        return kernel;
    }
    const auto named = kernel::namedFiles(kernel->spec);
    std::erase_if(kernel->files,
                  [&](const auto& entry) { return std::ranges::find(named, entry.first) == named.end(); });
    return kernel;
}

/// Everything that the session's text refers to.
class Resolver {
public:
    Resolver(SessionText text, fs::path file)
        : m_text(std::move(text)), m_file(std::move(file)), m_folder(m_file.parent_path()) {}

    Expected<Loaded> run() {
        if (auto done = kernel(); !done) return std::unexpected(std::move(done.error()));
        if (auto done = baseline(); !done) return std::unexpected(std::move(done.error()));
        Session& session = m_text.session;
        for (std::size_t i = 0; i < session.candidates.size(); ++i) {
            Candidate& candidate = session.candidates[i];
            auto content = text(candidate.id, m_text.files[i], fmt::format("the candidate \"{}\"", candidate.name));
            if (!content) return std::unexpected(std::move(content.error()));
            candidate.text = std::move(*content);
            candidate.file = m_text.files[i];
            versions(candidate, m_text.versions[i]);
            if (!m_text.autosave && candidate.judgement && sha256Hex(candidate.text) != m_text.sha256[i])
                m_notes.push_back(changedOutside(m_folder / m_text.files[i], candidate.name));
        }
        return Loaded{std::move(session), std::move(m_notes)};
    }

private:
    Expected<std::string> text(const std::string& id, const std::string& file, const std::string& what) const {
        if (m_text.autosave)
            if (const auto found = m_text.autosave->texts.find(id); found != m_text.autosave->texts.end())
                return found->second;
        return readNamed(m_folder / file, m_file, what);
    }

    /// What was kept of a candidate's past is worth less than the session: one that is gone is told and left out.
    void versions(Candidate& candidate, const std::vector<std::string>& files) {
        std::vector<Version> found;
        for (std::size_t i = 0; i < files.size(); ++i) {
            auto content = text(files[i], files[i], fmt::format("a version of \"{}\"", candidate.name));
            if (content) {
                found.push_back(std::move(candidate.history[i]));
                found.back().text = std::make_shared<const std::string>(std::move(*content));
                continue;
            }
            content.error().severity = Severity::note;
            m_notes.push_back(std::move(content.error()));
        }
        candidate.history = std::move(found);
    }

    Expected<void> kernel() {
        Session& session = m_text.session;
        if (!m_text.kernelText.empty()) {
            auto inlined = inlinedKernel(m_text, m_file);
            if (!inlined) return std::unexpected(std::move(inlined.error()));
            session.place = KernelPlace::inlined;
            takeKernel(session, std::move(*inlined));
        } else if (!m_text.kernelPath.empty()) {
            session.specFile = (m_folder / m_text.kernelPath).lexically_normal();
            if (auto there = readNamed(session.specFile, m_file, "the kernel"); !there)
                return std::unexpected(std::move(there.error()));
            auto loaded = kernel::orFirstError(kernel::loadKernel(session.specFile));
            if (!loaded) return std::unexpected(std::move(loaded.error()));
            session.place = m_text.autosave && m_text.autosave->example ? KernelPlace::example : KernelPlace::file;
            takeKernel(session, std::move(*loaded));
        } else if (!m_text.source.empty()) {
            session.sourceFile = (m_folder / m_text.source).lexically_normal();
            auto source = readNamed(session.sourceFile, m_file, "the source");
            if (!source) return std::unexpected(std::move(source.error()));
            session.source = std::move(*source);
        }
        return {};
    }

    Expected<void> baseline() {
        Candidate& baseline = m_text.session.baseline;
        baseline.id = baselineId;
        if (m_text.baselineFile.empty() && !(m_text.autosave && m_text.autosave->texts.contains(baseline.id)))
            return {};
        auto content = text(baseline.id, m_text.baselineFile, "the baseline");
        if (!content) return std::unexpected(std::move(content.error()));
        baseline.text = std::move(*content);
        baseline.file = m_text.baselineFile;
        return {};
    }

    SessionText m_text;
    fs::path m_file, m_folder;
    std::vector<Diagnostic> m_notes;
};

/// An id that a deleted candidate had must not come back either; `last_id` may be missing where a person wrote the
/// file.
void mendLastId(Session& session) {
    for (const Candidate& candidate : session.candidates)
        if (candidate.id.size() > 1 && candidate.id.size() < 9 && candidate.id.front() == 'c' &&
            candidate.id.find_first_not_of("0123456789", 1) == std::string::npos)
            session.lastId = std::max(session.lastId, static_cast<std::uint32_t>(std::stoul(candidate.id.substr(1))));
}

} // namespace

fs::path autosavePath(const fs::path& file) {
    return file.string() + "~";
}

std::optional<fs::path> newerAutosave(const fs::path& file) {
    const fs::path autosave = autosavePath(file);
    std::error_code error;
    const auto written = fs::last_write_time(autosave, error);
    if (error) return std::nullopt;
    const auto saved = fs::last_write_time(file, error);
    return error || written > saved ? std::optional(autosave) : std::nullopt;
}

Expected<Loaded> load(const fs::path& requested) {
    const fs::path file = fs::absolute(requested).lexically_normal();
    const auto content = readFile(file);
    if (!content) return std::unexpected(content.error());
    auto text = readText(*content, file);
    if (!text) {
        if (const auto autosave = newerAutosave(file))
            text.error().hint +=
                fmt::format("; unsaved work of {} is in {}", file.filename().string(), autosave->string());
        return std::unexpected(std::move(text.error()));
    }
    // The texts of an autosave that somebody renamed are as good as any.
    auto loaded = Resolver(std::move(*text), file).run();
    if (!loaded) return loaded;
    loaded->session.file = file;
    loaded->session.fileSha256 = sha256Hex(*content);
    mendLastId(loaded->session);
    return loaded;
}

Expected<Loaded> loadAutosave(const fs::path& requested) {
    const fs::path autosave = fs::absolute(requested).lexically_normal();
    const auto content = readFile(autosave);
    if (!content) return std::unexpected(content.error());
    auto text = readText(*content, autosave);
    if (!text) return std::unexpected(std::move(text.error()));
    if (!text->autosave)
        return failure(Cause::badRequest, fmt::format("{} is no autosave", autosave.string()), "open it as a session");
    const AutosavePart part = *text->autosave;
    auto loaded = Resolver(std::move(*text), autosave).run();
    if (!loaded) return loaded;
    if (!part.session.empty()) loaded->session.file = (autosave.parent_path() / part.session).lexically_normal();
    loaded->session.fileSha256 = part.sessionSha256;
    mendLastId(loaded->session);
    return loaded;
}

} // namespace ptxwb::session
