#include "kernel/reference_call.h"

#include "support/child_process.h"
#include "support/environment.h"
#include "support/files.h"
#include "support/sha256.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace ptxwb::kernel {

namespace {

namespace fs = std::filesystem;

constexpr auto flags = std::to_array<const char*>({"-O2", "-ffp-contract=off", "-std=c++20", "-fno-strict-aliasing"});

/// Program and arguments of the host compiler.
Expected<std::vector<std::string>> hostCompiler() {
    const auto path = environmentVariable("PATH").value_or("/usr/bin:/bin");
    if (const auto given = environmentVariable("CXX")) {
        std::vector<std::string> words;
        std::istringstream stream(*given);
        for (std::string word; stream >> word;) words.push_back(word);
        if (!words.empty()) {
            if (const auto found = findProgram(words.front(), path)) {
                words.front() = found->string();
                return words;
            }
            return failure(Cause::missing,
                           fmt::format("the host compiler {}, named by CXX, is not there", words.front()),
                           "correct or unset CXX");
        }
    }
    for (const auto name : {"g++", "c++", "clang++"})
        if (const auto found = findProgram(name, path)) return std::vector<std::string>{found->string()};
    return failure(Cause::missing, "no host compiler was found: none of g++, c++ and clang++ is along PATH",
                   "install g++, set CXX, or let the baseline be the oracle: \"reference\": {\"baseline\": true}");
}

std::string identity(const std::vector<std::string>& compiler) {
    std::string text;
    for (const auto& word : compiler) text += word + "\n";
    std::error_code error;
    const auto real = fs::canonical(compiler.front(), error);
    text += fmt::format("{}\n{}\n", real.string(), fs::file_size(real, error));
    text += fmt::format("{}\n", fs::last_write_time(real, error).time_since_epoch().count());
    for (const auto flag : flags) text += fmt::format("{}\n", flag);
    return text;
}

struct CompilerLine {
    std::string file, severity, message;
    std::uint32_t line = 0, column = 0;
};

/// "file:12:5: error: text", also without the column.
std::optional<CompilerLine> compilerLine(std::string_view text) {
    CompilerLine result;
    for (const std::string_view severity : {"fatal error", "error", "warning", "note"}) {
        const auto at = text.find(fmt::format(": {}: ", severity));
        if (at == std::string_view::npos) continue;
        result.severity =
            severity.substr(severity.find("error") == std::string_view::npos ? 0 : severity.find("error"));
        result.message = text.substr(at + severity.size() + 4);
        std::string_view place = text.substr(0, at);
        std::vector<std::uint32_t> numbers;
        while (numbers.size() < 2) {
            const auto colon = place.rfind(':');
            std::uint32_t number = 0;
            if (colon == std::string_view::npos) break;
            const auto digits = place.substr(colon + 1);
            const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            if (failed != std::errc() || end != digits.data() + digits.size() || digits.empty()) break;
            numbers.insert(numbers.begin(), number);
            place = place.substr(0, colon);
        }
        if (numbers.empty()) return std::nullopt;
        if (place.starts_with("./")) place.remove_prefix(2);
        result.file = place;
        result.line = numbers[0];
        result.column = numbers.size() > 1 ? numbers[1] : 1;
        return result;
    }
    return std::nullopt;
}

/// Line of the function's name before a parenthesis; 0 where there is none.
std::uint32_t lineOfFunction(std::string_view text, std::string_view function) {
    for (auto at = text.find(function); at != std::string_view::npos; at = text.find(function, at + 1)) {
        const bool wordBefore =
            at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_');
        const auto after = text.find_first_not_of(" \t", at + function.size());
        if (!wordBefore && after != std::string_view::npos && text[after] == '(')
            return static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, at), '\n'));
    }
    return 0;
}

class CompilerMessages {
public:
    CompilerMessages(const Kernel& kernel, HostRole role, std::string_view log)
        : m_kernel(kernel), m_role(role), m_host(hostFunction(kernel.spec, role)) {
        std::istringstream stream{std::string(log)};
        for (std::string line; std::getline(stream, line);)
            if (auto parsed = compilerLine(line)) m_lines.push_back(std::move(*parsed));
    }

    /// The first error in the person's own text, else the call that does not fit.
    Diagnostic diagnostic(std::string_view log) const {
        Diagnostic result;
        result.cause = Cause::rejected;
        result.kind = "syntax";
        for (const auto& line : m_lines) {
            if (line.severity != "error" || !m_kernel.files.contains(line.file)) continue;
            if (!result.message.empty()) {
                if (result.related.size() < 8) result.related.push_back({place(line), line.message});
                continue;
            }
            result.place = place(line);
            result.message = line.message;
        }
        if (!result.message.empty()) return result;
        return callDiagnostic(std::move(result), log);
    }

private:
    static Place place(const CompilerLine& line) { return {line.file, line.line, line.column, 1}; }

    Diagnostic callDiagnostic(Diagnostic result, std::string_view log) const {
        const auto& reference = m_host;
        const auto error = std::ranges::find(m_lines, "error", &CompilerLine::severity);
        const auto signature = "expected: " + hostSignature(m_kernel.spec, m_role);
        if (error == m_lines.end()) {
            result.message = fmt::format("the host compiler gave up on {}: {}", reference.file,
                                         log.substr(0, std::min<std::size_t>(log.size(), 400)));
            return result;
        }
        result.kind = "type";
        result.hint = signature;
        result.place.file = reference.file;
        const auto text = m_kernel.files.find(reference.file);
        if (text != m_kernel.files.end()) result.place.line = lineOfFunction(text->second, reference.function);
        if (result.place.line) result.place.column = 1;
        const auto note = std::ranges::find_if(
            m_lines, [this](const auto& l) { return l.severity == "note" && m_kernel.files.contains(l.file); });
        if (note != m_lines.end()) result.place = place(*note);
        if (result.place.line == 0)
            result.message = fmt::format("there is no function {} in it", reference.function);
        else
            result.message = fmt::format("the parameters of {} do not fit the kernel's arguments: {}",
                                         reference.function, plain(error->message));
        return result;
    }

    /// Without the names of our own conversion classes.
    static std::string plain(std::string message) {
        const auto replace = [&message](std::string_view from, std::string_view to) {
            for (auto at = message.find(from); at != std::string::npos; at = message.find(from, at + to.size()))
                message.replace(at, from.size(), to);
        };
        replace("ptxwb_reference::DoubleBuffer", "a buffer of double");
        replace("ptxwb_reference::Double", "double");
        for (const auto* size : {"1", "2", "4", "8"}) {
            const auto bits = std::to_string(8 * (size[0] - '0'));
            for (const auto& [sign, word] :
                 {std::pair("with", "signed "), std::pair("without", "unsigned "), std::pair("any", "")}) {
                replace(fmt::format("ptxwb_reference::IntegerBuffer<{}, ptxwb_reference::Sign::{}>", size, sign),
                        fmt::format("a buffer of {}integers of {} bits", word, bits));
                replace(fmt::format("ptxwb_reference::Integer<{}, ptxwb_reference::Sign::{}>", size, sign),
                        fmt::format("{}integer of {} bits", word, bits));
            }
        }
        return message;
    }

    const Kernel& m_kernel;
    HostRole m_role;
    HostFunction m_host;
    std::vector<CompilerLine> m_lines;
};

Expected<void> writeFiles(const Kernel& kernel, const std::string& own, const fs::path& folder) {
    auto names = kernel.spec.files;
    names.push_back(own);
    for (const auto& name : names) {
        const auto content = kernel.files.find(name);
        if (content == kernel.files.end())
            return failure(Cause::badRequest, fmt::format("{} is not there", name), "send it with the spec");
        std::error_code ignored;
        fs::create_directories((folder / name).parent_path(), ignored);
        if (auto written = writeFileAtomically(folder / name, content->second); !written) return written;
    }
    return {};
}

Expected<void> writeSources(const Kernel& kernel, HostRole role, const fs::path& folder) {
    if (auto written = writeFiles(kernel, hostFunction(kernel.spec, role).file, folder / "files"); !written)
        return written;
    std::error_code ignored;
    fs::create_directories(folder / "own", ignored);
    if (auto written = writeFileAtomically(folder / "own" / "call.cpp", callSource(kernel.spec, role)); !written)
        return written;
    return writeFileAtomically(folder / "own" / "main.cpp", mainSource());
}

/// A file that another account made or may change is never run.
bool isOurs(const fs::path& file) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Puts the executable in place at once, so that a second process never starts half a file.
Expected<void> keep(const fs::path& made, const fs::path& target) {
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    const fs::path beside = target.string() + fmt::format(".{}", ::getpid());
    fs::copy_file(made, beside, fs::copy_options::overwrite_existing, error);
    if (!error) fs::permissions(beside, fs::perms::owner_all, error);
    if (!error) fs::rename(beside, target, error);
    if (!error) return {};
    return failure(
        Cause::missing,
        fmt::format("cannot keep the compiled reference in {}: {}", target.parent_path().string(), error.message()),
        "make the folder writable or set XDG_CACHE_HOME");
}

} // namespace

fs::path defaultCacheFolder() {
    if (const auto cache = environmentVariable("XDG_CACHE_HOME")) return fs::path(*cache) / "ptxwb";
    if (const auto home = environmentVariable("HOME")) return fs::path(*home) / ".cache" / "ptxwb";
    return {};
}

namespace {

/// Files and program in the cache's folder, under the hash of all of them.
Expected<CompiledReference> preparePython(const Kernel& kernel, const fs::path& cache, std::stop_token stop) {
    const auto path = environmentVariable("PATH").value_or("/usr/bin:/bin");
    const auto wanted = environmentVariable("PTXWB_PYTHON").value_or("python3");
    const auto python = findProgram(wanted, path);
    if (!python)
        return failure(Cause::missing, fmt::format("the reference is in Python, and {} was not found", wanted),
                       "install Python 3 with numpy, or set PTXWB_PYTHON to an interpreter that has it");
    // What the text speaks of must be there; arrays become torch's by torch.from_numpy.
    const auto text = kernel.files.find(kernel.spec.reference.file);
    for (const std::string_view module : {"numpy", "torch"}) {
        if (text == kernel.files.end() || text->second.find(module) == std::string::npos) continue;
        ChildRequest probe;
        probe.arguments = {python->string(), "-c", fmt::format("import {}", module)};
        probe.deadline = std::chrono::seconds(60);
        const auto probed = runChild(probe, stop);
        if (probed.end == ChildEnd::cancelled) return failure(Cause::cancelled, "cancelled");
        if (!probed.succeeded())
            return failure(Cause::missing,
                           fmt::format("the reference is in Python, and {} has no {}", python->string(), module),
                           fmt::format("install {} for it, or set PTXWB_PYTHON to an interpreter that has it", module));
    }
    const auto& reference = kernel.spec.reference;
    const auto folder = cache / "references" / sha256Hex(std::string(pythonSource()) + nativeCodeHash(kernel));
    const auto program = folder / "own" / "call.py";
    if (!isOurs(program)) {
        std::error_code ignored;
        fs::create_directories(folder / "own", ignored);
        if (auto written = writeFiles(kernel, reference.file, folder / "files"); !written)
            return std::unexpected(written.error());
        if (auto written = writeFileAtomically(program, pythonSource()); !written)
            return std::unexpected(written.error());
    }
    CompiledReference result{*python, {program.string(), (folder / "files" / reference.file).string()}, false};
    result.arguments.push_back(reference.function.empty() ? "reference" : reference.function);
    for (std::string& kind : pythonKinds(kernel.spec)) result.arguments.push_back(std::move(kind));
    return result;
}

} // namespace

Expected<CompiledReference> compileReference(const Kernel& kernel, const ReferenceOptions& options,
                                             std::stop_token stop, HostRole role) {
    const bool isPython = role == HostRole::reference && kernel.spec.reference.kind == ReferenceKind::python;
    if (role == HostRole::reference && !isPython && kernel.spec.reference.kind != ReferenceKind::host)
        return failure(Cause::badRequest, "reference: there is no function to compile",
                       R"(e.g. "reference": {"file": "reference.cpp", "function": "reference"})");
    const auto cache = options.cacheFolder.empty() ? defaultCacheFolder() : options.cacheFolder;
    if (cache.empty())
        return failure(Cause::missing,
                       "there is no place for the compiled reference: neither XDG_CACHE_HOME nor HOME is set",
                       "set HOME");
    if (isPython) return preparePython(kernel, cache, std::move(stop));
    const auto compiler = hostCompiler();
    if (!compiler) return std::unexpected(compiler.error());
    const auto hash = sha256Hex(identity(*compiler) + callSource(kernel.spec, role) + std::string(mainSource()) +
                                nativeCodeHash(kernel));
    const auto target = cache / "references" / hash;
    if (isOurs(target)) return CompiledReference{target, {}, true};

    auto folder = TemporaryFolder::create("ptxwb-reference");
    if (!folder) return std::unexpected(folder.error());
    if (auto written = writeSources(kernel, role, folder->path()); !written) return std::unexpected(written.error());
    ChildRequest request;
    request.arguments = *compiler;
    request.arguments.insert(request.arguments.end(), flags.begin(), flags.end());
    for (const auto argument :
         {"-I", ".", "-fdiagnostics-color=never", "-w", "-o", "../own/reference", "../own/call.cpp", "../own/main.cpp"})
        request.arguments.emplace_back(argument);
    request.environment = scrubbedEnvironment();
    setVariable(*request.environment, "LC_ALL", "C"); // messages with plain quotes
    request.workingFolder = (folder->path() / "files").string();
    request.deadline = options.compileDeadline;
    const auto result = runChild(request, stop);
    if (result.end == ChildEnd::cancelled)
        return failure(Cause::cancelled, "cancelled while the reference was compiled");
    if (result.end != ChildEnd::exited)
        return failure(
            Cause::missing,
            fmt::format("the host compiler {}: {}", compiler->front(), describe(result, options.compileDeadline)),
            "try it by hand, or set CXX to another compiler");
    if (!result.succeeded())
        return std::unexpected(CompilerMessages(kernel, role, result.errors).diagnostic(result.errors));
    if (auto kept = keep(folder->path() / "own" / "reference", target); !kept) return std::unexpected(kept.error());
    return CompiledReference{target, {}, false};
}

} // namespace ptxwb::kernel
