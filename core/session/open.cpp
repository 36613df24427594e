#include "session/open.h"

#include "kernel/candidate_header.h"
#include "kernel/spec_load.h"
#include "support/files.h"
#include "support/resources.h"
#include "toolchain/ptx_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::session {

namespace fs = std::filesystem;

namespace {

/// What the text itself says (`//@ origin model NAME`); by hand where it says nothing.
Origin originOf(const std::string& ptx, const kernel::KernelSpec& spec) {
    Origin origin;
    const auto header = kernel::readCandidateHeader(ptx, kernel::symbolNames(spec));
    if (!header || header->origin.empty()) return origin;
    const auto blank = header->origin.find(' ');
    if (const auto kind = originKind(header->origin.substr(0, blank))) {
        origin.kind = *kind;
        if (*kind == OriginKind::model && blank != std::string::npos) origin.model = header->origin.substr(blank + 1);
    } else {
        origin.kind = OriginKind::import;
    }
    return origin;
}

Opened openLoaded(Loaded loaded) {
    Opened opened{std::move(loaded.session), std::string(baselineId), std::move(loaded.notes)};
    if (!opened.session.candidates.empty()) opened.current = opened.session.candidates.front().id;
    return opened;
}

/// `wanted`: one of the spec's candidates, to be shown first.
Expected<Opened> openSpec(const fs::path& specFile, const fs::path& examples, const std::string& wanted = {}) {
    auto loaded = kernel::loadKernel(specFile);
    std::vector<Diagnostic> notes;
    if (loaded.kernel) notes = loaded.diagnostics;
    auto kernel = kernel::orFirstError(std::move(loaded));
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    Session session;
    session.specFile = fs::absolute(specFile).lexically_normal();
    session.place = isInside(specFile, examples) ? KernelPlace::example : KernelPlace::file;
    takeKernel(session, std::move(*kernel));
    std::string current;
    for (const std::string& file : session.kernel.spec.candidates) {
        Candidate candidate;
        candidate.id = newId(session);
        candidate.name = freeName(session, fs::path(file).stem().string());
        candidate.text = session.kernel.files.at(file);
        candidate.origin = originOf(candidate.text, session.kernel.spec);
        if (!session.baseline.text.empty()) candidate.parent = baselineId;
        if (file == wanted) current = candidate.id;
        session.candidates.push_back(std::move(candidate));
    }
    Opened opened = openLoaded({std::move(session), std::move(notes)});
    if (!current.empty()) opened.current = current;
    return opened;
}

bool names(const kernel::KernelSpec& spec, const std::string& file) {
    return spec.source == file || (spec.baseline && spec.baseline->ptx == file) ||
           std::ranges::find(spec.candidates, file) != spec.candidates.end();
}

/// The first spec in the file's folder, or the one above (candidates/), that names it.
std::optional<fs::path> specThatNames(const fs::path& file) {
    for (const fs::path& folder : {file.parent_path(), file.parent_path().parent_path()}) {
        for (const fs::path& spec : kernel::specsIn(folder))
            if (const auto loaded = kernel::loadKernel(spec);
                loaded.kernel && names(loaded.kernel->spec, file.lexically_relative(folder).generic_string()))
                return spec;
    }
    return std::nullopt;
}

Expected<Opened> openText(const fs::path& requested, const fs::path& examples) {
    const fs::path file = fs::absolute(requested).lexically_normal();
    auto text = readFile(file);
    if (!text) return std::unexpected(std::move(text.error()));
    if (const auto spec = specThatNames(file))
        return openSpec(*spec, examples, file.lexically_relative(spec->parent_path()).generic_string());
    Session session;
    session.baseline.id = baselineId;
    if (file.extension() == ".cu") {
        session.sourceFile = file;
        session.source = std::move(*text);
        return Opened{std::move(session), std::string(baselineId), {}};
    }
    session.baseline.name = file.filename().string();
    session.baseline.text = *text;
    session.baseline.origin.kind = OriginKind::import;
    if (const std::string target = toolchain::targetOf(*text); target.starts_with("sm_")) session.targets = {target};
    Candidate copy;
    copy.id = newId(session);
    copy.parent = baselineId;
    copy.name = freeName(session, file.stem().string());
    copy.text = std::move(*text);
    copy.origin.kind = OriginKind::import;
    session.candidates.push_back(std::move(copy));
    return openLoaded({std::move(session), {}});
}

} // namespace

Expected<Opened> openAny(const std::string& path, const fs::path& examples) {
    const fs::path file(path);
    const std::string ending = file.extension().string();
    std::error_code error;
    if (fs::is_directory(file, error)) {
        const auto spec = kernel::findKernel(path, examples);
        if (!spec) return std::unexpected(spec.error());
        return openSpec(*spec, examples);
    }
    if (ending == ".ptxwb" || ending == ".ptxwb~") {
        auto loaded = ending == ".ptxwb" ? load(file) : loadAutosave(file);
        if (!loaded) return std::unexpected(std::move(loaded.error()));
        return openLoaded(std::move(*loaded));
    }
    if (ending == ".cu" || ending == ".ptx") return openText(file, examples);
    if (fs::exists(file, error) && ending != ".json")
        return failure(
            Cause::badRequest,
            fmt::format(
                "{} is neither CUDA source (.cu), PTX (.ptx), a kernel spec (.kernel.json) nor a session (.ptxwb)",
                path),
            "rename it if it is one of them");
    const auto spec = kernel::findKernel(path, examples);
    if (!spec) return std::unexpected(spec.error());
    return openSpec(*spec, examples);
}

} // namespace ptxwb::session
