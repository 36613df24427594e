#include "toolchain/nvcc.h"

#include "support/child_process.h"
#include "support/environment.h"
#include "support/files.h"
#include "toolchain/discover.h"
#include "toolchain/flags.h"
#include "toolchain/nvcc_log.h"
#include "toolchain/ptx_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::toolchain {

namespace fs = std::filesystem;

namespace {

/// A relative name that stays inside its folder.
Expected<void> checkName(const std::string& name) {
    const auto path = fs::path(name).lexically_normal();
    if (!name.empty() && path.is_relative() && *path.begin() != ".." && path.has_filename() &&
        name.find('\0') == std::string::npos)
        return {};
    return failure(Cause::badRequest, fmt::format("\"{}\" is no name of a file beside the kernel", name),
                   "Files that travel with a spec have relative names without \"..\".");
}

Expected<void> writeFiles(const fs::path& folder, const std::map<std::string, std::string>& files) {
    for (const auto& [name, content] : files) {
        if (auto checked = checkName(name); !checked) return checked;
        const auto path = folder / name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (auto written = writeFileAtomically(path, content); !written) return written;
    }
    return {};
}

/// Takes the temporary folder out of `.file` names: the same source gives the same PTX.
std::string withRelativeFileNames(std::string ptx, const fs::path& folder) {
    const auto prefix = encodePtxFileName(folder.string() + "/");
    std::size_t line = 0;
    while (line < ptx.size()) {
        auto end = std::min(ptx.find('\n', line), ptx.size());
        const auto text = std::string_view(ptx).substr(line, end - line);
        const auto word = text.find_first_not_of(" \t");
        if (word != std::string_view::npos && text.substr(word).starts_with(".file"))
            if (const auto quote = text.find('"');
                quote != std::string_view::npos && text.substr(quote + 1).starts_with(prefix)) {
                const auto size = prefix.size() + (text.substr(quote + 1 + prefix.size()).starts_with("./") ? 2 : 0);
                ptx.erase(line + quote + 1, size);
                end -= size;
            }
        line = end + 1;
    }
    return ptx;
}

std::string toolName(const Toolkit& toolkit) {
    return toolkit.version.empty() ? "nvcc" : "nvcc " + toolkit.version;
}

void describeEnd(NvccResult& result, const NvccRequest& request, const ChildResult& child) {
    Diagnostic d;
    d.cause = Cause::rejected;
    d.place.file = request.source;
    if (child.end == ChildEnd::timedOut) {
        result.timedOut = true;
        d.kind = "timeout";
        d.message = describe(child, request.deadline);
        d.hint = "Try a lower -O, or raise the limit.";
    } else {
        const auto isError = [](const Diagnostic& other) { return other.severity == Severity::error; };
        if (result.ok || std::ranges::any_of(result.diagnostics, isError)) return;
        d.kind = "syntax";
        d.message = fmt::format("nvcc {} without a message that is understood", describe(child));
        d.hint = "See its log.";
    }
    result.diagnostics.push_back(std::move(d));
}

} // namespace

Expected<NvccResult> compileToPtx(const NvccRequest& request, const Toolkit& toolkit, std::stop_token stop) {
    if (auto checked = checkArchitecture(request.arch); !checked) return std::unexpected(std::move(checked.error()));
    if (auto checked = checkNvccFlags(request.flags); !checked) return std::unexpected(std::move(checked.error()));
    if (request.files)
        if (auto checked = checkName(request.source); !checked) return std::unexpected(std::move(checked.error()));
    if (!toolkit.nvcc)
        return failure(
            Cause::missing, fmt::format("no nvcc in the toolkit {} ({})", toolkit.root.string(), toolkit.foundBy),
            "CUDA sources need nvcc; PTX can be checked, assembled and run without it. ptxwb doctor lists what is "
            "found.");
    auto temporary = TemporaryFolder::create("ptxwb-nvcc");
    if (!temporary) return std::unexpected(std::move(temporary.error()));
    std::error_code error;
    auto folder = request.folder.empty() ? fs::current_path(error) : fs::absolute(request.folder, error);
    if (request.files) {
        folder = temporary->path() / "source";
        fs::create_directory(folder, error);
        if (auto written = writeFiles(folder, *request.files); !written)
            return std::unexpected(std::move(written.error()));
    }
    if (!fs::is_regular_file(folder / request.source, error))
        return failure(Cause::badRequest,
                       fmt::format("cannot compile {}: no such file", (folder / request.source).string()));

    NvccResult result;
    const auto output = temporary->path() / "kernel.ptx";
    result.flags = {"-ptx", "-lineinfo", "-arch=" + request.arch};
    if (request.hostCompiler) result.flags.insert(result.flags.end(), {"-ccbin", request.hostCompiler->string()});
    result.flags.insert(result.flags.end(), request.flags.begin(), request.flags.end());
    ChildRequest child;
    child.arguments = {toolkit.nvcc->string()};
    child.arguments.insert(child.arguments.end(), result.flags.begin(), result.flags.end());
    // Relative, so that messages are; a name that begins with a dash would be taken for a flag.
    const auto source = request.source.starts_with('-') ? "./" + request.source : request.source;
    child.arguments.insert(child.arguments.end(), {"-o", output.string(), source});
    child.workingFolder = folder.string();
    // nvcc leaves files behind when it is killed: inside our folder they go with it.
    child.environment = scrubbedEnvironment();
    setVariable(*child.environment, "TMPDIR", temporary->path().string());
    child.deadline = request.deadline;
    child.memoryLimitBytes = request.memoryLimitBytes;
    result.arguments = child.arguments;
    result.program = toolkit.nvcc->string();
    result.version = toolkit.version;

    const auto run = runChild(child, stop);
    if (run.end == ChildEnd::cancelled) return failure(Cause::cancelled, "compiling was cancelled");
    if (run.end == ChildEnd::notStarted)
        return failure(Cause::missing, run.startError, "ptxwb doctor lists the toolkits found.");
    result.seconds = run.seconds;
    result.log = run.output + run.errors;
    result.diagnostics = parseNvccLog(result.log, toolName(toolkit));
    for (auto& d : result.diagnostics)
        if (d.place.file.starts_with("./")) d.place.file.erase(0, 2);
    if (run.succeeded()) {
        auto ptx = readFile(output);
        if (!ptx) return std::unexpected(std::move(ptx.error()));
        result.ptx = request.files ? withRelativeFileNames(std::move(*ptx), folder) : std::move(*ptx);
        result.ok = true;
    }
    describeEnd(result, request, run);
    return result;
}

} // namespace ptxwb::toolchain
