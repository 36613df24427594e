#include "toolchain/ptxas.h"

#include "support/child_process.h"
#include "support/files.h"
#include "toolchain/cubin.h"
#include "toolchain/discover.h"
#include "toolchain/flags.h"
#include "toolchain/ptx_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <mutex>

namespace ptxwb::toolchain {

using namespace std::chrono_literals;

namespace {

struct Raw {
    ChildResult child;
    std::string cubin;
    std::string input; // the path that ptxas was given
    std::vector<std::string> arguments;
};

/// One run of ptxas in a folder of its own, gone afterwards.
Expected<Raw> runPtxas(const PtxasRequest& request, const std::string& text, const std::filesystem::path& program,
                       std::chrono::milliseconds deadline, const std::stop_token& stop) {
    auto folder = TemporaryFolder::create("ptxwb-ptxas");
    if (!folder) return std::unexpected(std::move(folder.error()));
    Raw raw;
    const auto input = folder->path() / "kernel.ptx", output = folder->path() / "kernel.cubin";
    if (auto written = writeFileAtomically(input, text); !written) return std::unexpected(std::move(written.error()));
    raw.input = input.string();
    ChildRequest child;
    child.arguments = {program.string(), "-v", "-arch=" + request.arch};
    child.arguments.insert(child.arguments.end(), request.flags.begin(), request.flags.end());
    child.arguments.insert(child.arguments.end(), {"-o", output.string(), input.string()});
    child.workingFolder = folder->path().string();
    child.deadline = deadline;
    child.memoryLimitBytes = request.memoryLimitBytes;
    child.outputLimit = std::size_t{16} << 20;
    raw.arguments = child.arguments;
    raw.child = runChild(child, stop);
    if (raw.child.end == ChildEnd::cancelled) return failure(Cause::cancelled, "assembling was cancelled");
    if (raw.child.end == ChildEnd::notStarted)
        return failure(Cause::missing, raw.child.startError, "ptxwb doctor lists the toolkits found.");
    if (raw.child.succeeded()) {
        auto cubin = readFile(output);
        // ptxas that says 0 and writes nothing is a failure of ours to notice.
        if (cubin) raw.cubin = std::move(*cubin);
    }
    return raw;
}

std::string usedTool(const Toolkit& toolkit) {
    return fmt::format("ptxas {} ({})", toolkit.version.empty() ? "of unknown version" : toolkit.version,
                       toolkit.ptxas->string());
}

Diagnostic error(const PtxasRequest& request, std::string message, std::string hint) {
    Diagnostic d;
    d.cause = Cause::rejected;
    d.kind = "assembler";
    d.place.file = request.file;
    d.message = std::move(message);
    d.hint = std::move(hint);
    return d;
}

std::string quotedAfter(std::string_view text, std::string_view intro) {
    const auto at = text.find(intro);
    if (at == std::string_view::npos) return {};
    const auto rest = text.substr(at + intro.size());
    return std::string(rest.substr(0, rest.find('\'')));
}

/// Says what happens with another `.version`, having tried it.
std::string versionTrial(const PtxasRequest& request, const Toolkit& toolkit, const std::string& text,
                         const std::string& version, const std::stop_token& stop) {
    if (version.empty()) return {};
    const auto raw =
        runPtxas(request, withVersion(text, version), *toolkit.ptxas, std::min(request.deadline, 20000ms), stop);
    if (!raw) return {};
    if (raw->child.succeeded() && !raw->cubin.empty())
        return fmt::format(" With .version {} the same text assembles.", version);
    const auto log = parsePtxasLog(raw->child.output + raw->child.errors, text, request.file, raw->input);
    const auto first = std::ranges::find(log.diagnostics, Severity::error, &Diagnostic::severity);
    if (first == log.diagnostics.end()) return {};
    return fmt::format(" With .version {} it does not assemble either: {}{}", version,
                       first->place.line ? fmt::format("line {}: ", first->place.line) : "", first->message);
}

/// Hints for the messages about versions and targets, which name neither the tool nor a way out.
void explain(Diagnostic& d, const PtxasRequest& request, const Toolkit& toolkit, const std::string& text,
             const std::function<std::string(const std::string&)>& trial, const std::stop_token& stop) {
    const auto& m = d.message;
    const auto has = [&m](std::string_view part) { return m.find(part) != std::string::npos; };
    const auto tool = usedTool(toolkit);
    const auto target = directiveValue(text, ".target");
    if (has("Unsupported .version")) {
        const auto newest = quotedAfter(m, "current version is '");
        d.hint = fmt::format("{} takes PTX up to {}; the text says {}.{}", tool, newest,
                             directiveValue(text, ".version"), trial(newest));
    } else if (has("does not support .target")) {
        d.hint = fmt::format("{} was used.{}", tool, trial(newestPtxVersion(toolkit, stop)));
    } else if (has("requires PTX ISA .version")) {
        d.hint = fmt::format("The text says .version {}.{}", directiveValue(text, ".version"),
                             trial(newestPtxVersion(toolkit, stop)));
    } else if (has("is not defined for option 'gpu-name'")) {
        d.hint = fmt::format("{} does not know {}: it is too old or too new for it. Choose another --arch or toolkit.",
                             tool, request.arch);
    } else if (has("higher than default SM version")) {
        d.hint = fmt::format("The text says .target {} and {} was asked for: lower the .target, or assemble for {}.",
                             target, request.arch, target);
    } else if (has("cannot be compiled for architecture") || has("cannot be compiled to future architecture")) {
        d.hint =
            fmt::format("Text for .target {} runs on no other chip, and {} was asked for: assemble for {}, or drop the "
                        "suffix from .target if the instructions allow it.",
                        target, request.arch, target);
    } else if (has("too much shared data")) {
        d.hint = "Static shared memory ends at 48 KiB: declare it `.extern .shared` and pass the size at launch "
                 "(shared_bytes in the spec).";
    } else if (has("Insufficient registers")) {
        d.hint = "Raise -maxrregcount or .maxnreg.";
    }
}

void describeEnd(PtxasResult& result, const PtxasRequest& request, const ChildResult& child) {
    if (child.end == ChildEnd::timedOut) {
        result.timedOut = true;
        auto d = error(request, describe(child, request.deadline),
                       "Try -O1: ptxas' higher levels can take minutes on large basic blocks where -O1 takes seconds.");
        d.kind = "timeout";
        result.diagnostics.push_back(std::move(d));
        return;
    }
    const auto isError = [](const Diagnostic& d) { return d.severity == Severity::error; };
    if (result.ok || std::ranges::any_of(result.diagnostics, isError)) return;
    if (child.end == ChildEnd::signalled)
        result.diagnostics.push_back(error(request, fmt::format("ptxas crashed: {}", describe(child)),
                                           request.memoryLimitBytes ? "It may have reached the memory limit; try -O1."
                                                                    : "Try -O1 or another toolkit."));
    else if (child.succeeded())
        result.diagnostics.push_back(error(request, "ptxas reported success but wrote no cubin", "See its log."));
    else
        result.diagnostics.push_back(
            error(request, fmt::format("ptxas {} without saying why", describe(child)), "See its log."));
}

} // namespace

Expected<PtxasResult> assemble(const PtxasRequest& request, const Toolkit& toolkit, std::stop_token stop) {
    if (auto checked = checkArchitecture(request.arch); !checked) return std::unexpected(std::move(checked.error()));
    if (auto checked = checkPtxasFlags(request.flags); !checked) return std::unexpected(std::move(checked.error()));
    if (!toolkit.ptxas)
        return failure(
            Cause::missing, fmt::format("no ptxas in the toolkit {} ({})", toolkit.root.string(), toolkit.foundBy),
            "Install a CUDA toolkit or the nvidia-cuda-nvcc wheel, or set PTXWB_PTXAS; ptxwb doctor lists what is "
            "found.");
    const auto ascii = asciiComments(request.text);
    auto raw = runPtxas(request, ascii.text, *toolkit.ptxas, request.deadline, stop);
    if (!raw) return std::unexpected(std::move(raw.error()));
    // The shell's own statuses: a wrapper whose toolkit is gone says nothing about the text.
    if (raw->child.end == ChildEnd::exited && (raw->child.exitCode == 126 || raw->child.exitCode == 127))
        return failure(Cause::missing,
                       fmt::format("{} could not be run: it {}. {}", toolkit.ptxas->string(), describe(raw->child),
                                   raw->child.errors.substr(0, 300)),
                       "It may be a wrapper of a toolkit that is gone; install one, or set PTXWB_PTXAS.");

    PtxasResult result;
    result.log = raw->child.output + raw->child.errors;
    result.arguments = std::move(raw->arguments);
    result.flags = {"-v", "-arch=" + request.arch};
    result.flags.insert(result.flags.end(), request.flags.begin(), request.flags.end());
    result.program = toolkit.ptxas->string();
    result.version = toolkit.version;
    result.seconds = raw->child.seconds;
    result.cubin = std::move(raw->cubin);
    result.ok = raw->child.succeeded() && !result.cubin.empty();

    auto log = parsePtxasLog(result.log, ascii.text, request.file, raw->input);
    result.resources = std::move(log.entries);
    result.functions = std::move(log.functions);
    result.globalBytes = log.globalBytes;
    result.diagnostics = std::move(log.diagnostics);
    // Many errors may ask for the same trial: it is made once.
    std::map<std::string, std::string> trials;
    const auto trial = [&](const std::string& version) {
        const auto known = trials.find(version);
        if (known != trials.end()) return known->second;
        return trials[version] = versionTrial(request, toolkit, ascii.text, version, stop);
    };
    for (auto& d : result.diagnostics)
        if (d.severity == Severity::error) explain(d, request, toolkit, ascii.text, trial, stop);
    describeEnd(result, request, raw->child);
    if (ascii.replaced) {
        auto note =
            error(request,
                  fmt::format("{} bytes outside ASCII in comments were replaced by '?' for ptxas, which refuses them "
                              "even there",
                              ascii.replaced),
                  {});
        note.severity = Severity::note;
        note.place = placeInLine(ascii.text, ascii.firstLine, {});
        note.place.file = request.file;
        result.diagnostics.push_back(std::move(note));
    }
    if (const auto sections = cubinSections(result.cubin))
        for (auto& entry : result.resources)
            entry.constantBytes = entryConstantBytes(*sections, entry.entry).value_or(entry.constantBytes);
    return result;
}

std::string newestPtxVersion(const Toolkit& toolkit, std::stop_token stop) {
    static std::mutex mutex;
    static std::map<std::filesystem::path, std::string> known;
    if (!toolkit.ptxas) return {};
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(*toolkit.ptxas); found != known.end()) return found->second;
    }
    PtxasRequest request;
    const auto raw = runPtxas(request, ".version 99.9\n", *toolkit.ptxas, 5s, stop);
    if (!raw) return {};
    auto version = quotedAfter(raw->child.output + raw->child.errors, "current version is '");
    const std::lock_guard lock(mutex);
    return known[*toolkit.ptxas] = std::move(version);
}

} // namespace ptxwb::toolchain
