#include "toolchain/discover.h"

#include "support/child_process.h"
#include "support/environment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <ranges>
#include <set>

namespace ptxwb::toolchain {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

std::optional<std::string> variable(const std::vector<std::string>& environment, std::string_view name) {
    for (const std::string_view entry : environment)
        if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=') && entry.size() > name.size() + 1)
            return std::string(entry.substr(name.size() + 1));
    return std::nullopt;
}

std::vector<fs::path> sorted(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().filename().string().starts_with(prefix) && fs::is_directory(it->path(), error))
            found.push_back(it->path());
    std::ranges::sort(found);
    return found;
}

std::optional<fs::path> tool(const fs::path& folder, std::string_view name) {
    return findProgram((folder / name).string(), {});
}

std::optional<fs::path> cuptiIn(const fs::path& root) {
    std::error_code error;
    for (const auto* folder : {"extras/CUPTI/lib64", "lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
                               "lib", "../cuda_cupti/lib"})
        for (fs::directory_iterator it(root / folder, error), end; !error && it != end; it.increment(error))
            if (it->path().filename().string().starts_with("libcupti.so")) return it->path().lexically_normal();
    return std::nullopt;
}

std::optional<fs::path> includeIn(const fs::path& root) {
    std::error_code error;
    for (const auto* folder : {"include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"})
        if (fs::exists(root / folder / "cuda.h", error)) return root / folder;
    return std::nullopt;
}

/// A script that only calls another ptxas: not one more toolkit where that one is listed already.
bool isScript(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    char begin[2] = {};
    return file.read(begin, 2) && begin[0] == '#' && begin[1] == '!';
}

class Finder {
public:
    Finder(const DiscoverRequest& request, std::stop_token stop)
        : m_request(request), m_stop(std::move(stop)),
          m_environment(request.environment.empty() ? scrubbedEnvironment() : request.environment) {}

    Expected<Discovery> run() {
        if (m_request.folder && !addRoot(*m_request.folder, ToolkitOrigin::explicitFolder, "the folder given"))
            return failure(Cause::missing,
                           fmt::format("{} holds neither bin/ptxas nor bin/nvcc", m_request.folder->string()),
                           "Give the folder of a CUDA toolkit, such as /usr/local/cuda.");
        fromPath();
        for (const auto* name : {"CUDA_HOME", "CUDA_PATH"})
            if (const auto value = variable(m_environment, name)) addRoot(*value, ToolkitOrigin::environment, name);
        fromUsualFolders();
        fromPython();
        applyOverrides();
        findHostCompiler();
        return std::move(m_result);
    }

    Expected<Toolkit> folderAlone(const fs::path& folder) {
        addRoot(folder, ToolkitOrigin::explicitFolder, "the folder given");
        if (m_result.toolkits.empty() || !m_result.toolkits.front().ptxas)
            return failure(Cause::missing, fmt::format("{} holds no ptxas that runs", folder.string()),
                           "name the folder above bin/ptxas");
        return std::move(m_result.toolkits.front());
    }

private:
    /// Empty where it does not tell; nullopt where it cannot run at all: a wrapper whose toolkit is gone (the shell's
    /// 126 and 127).
    std::optional<std::string> versionOf(const fs::path& program) const {
        ChildRequest child;
        child.arguments = {program.string(), "--version"};
        child.environment = m_environment;
        child.deadline = 3s;
        child.outputLimit = 65536;
        const ChildResult result = runChild(child, m_stop);
        const bool shellGaveUp = result.end == ChildEnd::exited && (result.exitCode == 126 || result.exitCode == 127);
        if (result.end == ChildEnd::notStarted || shellGaveUp) return std::nullopt;
        return versionFrom(result.output);
    }

    bool addRoot(const fs::path& given, ToolkitOrigin origin, std::string foundBy) {
        if (given.empty()) return false; // a folder that could not be resolved
        std::error_code error;
        const auto root = fs::absolute(given, error).lexically_normal();
        return addFolder(root, root / "bin", origin, std::move(foundBy));
    }

    /// True where there is a toolkit, listed before or not.
    bool addFolder(const fs::path& root, const fs::path& bin, ToolkitOrigin origin, std::string foundBy) {
        Toolkit kit;
        kit.root = root;
        kit.origin = origin;
        kit.foundBy = std::move(foundBy);
        kit.ptxas = tool(bin, "ptxas");
        kit.nvcc = tool(bin, "nvcc");
        if (!kit.ptxas && !kit.nvcc) return false;
        std::error_code error;
        const auto identity = fs::canonical(kit.ptxas ? *kit.ptxas : *kit.nvcc, error);
        if (error || !m_seen.insert(identity).second) return true;
        const auto version = versionOf(kit.ptxas ? *kit.ptxas : *kit.nvcc);
        if (!version) return true;
        kit.version = *version;
        const auto sameVersion = [&kit](const Toolkit& other) { return other.version == kit.version; };
        if (isScript(identity) && std::ranges::any_of(m_result.toolkits, sameVersion)) return true;
        kit.nvdisasm = tool(bin, "nvdisasm");
        kit.cuobjdump = tool(bin, "cuobjdump");
        kit.computeSanitizer = tool(bin, "compute-sanitizer");
        if (!kit.computeSanitizer) kit.computeSanitizer = tool(root / "compute-sanitizer", "compute-sanitizer");
        kit.cupti = cuptiIn(root);
        kit.include = includeIn(root);
        m_result.toolkits.push_back(std::move(kit));
        return true;
    }

    void fromPath() {
        const auto path = variable(m_environment, "PATH").value_or("");
        for (const auto part : std::views::split(path, ':')) {
            const fs::path bin(std::string_view(part.begin(), part.end()));
            if (bin.is_absolute()) addFolder(bin.parent_path(), bin, ToolkitOrigin::path, "PATH");
        }
    }

    void fromUsualFolders() {
        std::vector<fs::path> roots = sorted(m_request.root / "usr/local", "cuda");
        std::ranges::copy(sorted(m_request.root / "opt", "cuda"), std::back_inserter(roots));
        std::error_code error;
        // Debian's and Fedora's packages install into /usr itself.
        roots.push_back(m_request.root / "usr");
        roots.push_back(m_request.root / "usr/lib/cuda");
        const auto first = static_cast<std::ptrdiff_t>(m_result.toolkits.size());
        for (const auto& root : roots)
            addRoot(fs::canonical(root, error), ToolkitOrigin::usualFolder, root.parent_path().string());
        std::stable_sort(m_result.toolkits.begin() + first, m_result.toolkits.end(),
                         [](const Toolkit& a, const Toolkit& b) { return versionLess(b.version, a.version); });
    }

    std::vector<fs::path> sitePackages() const {
        std::vector<fs::path> prefixes;
        for (const auto* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
            if (const auto value = variable(m_environment, name)) prefixes.emplace_back(*value);
        std::error_code error;
        if (const auto python = findProgram("python3", variable(m_environment, "PATH").value_or("")))
            prefixes.push_back(python->parent_path().parent_path());
        if (const auto home = variable(m_environment, "HOME")) {
            prefixes.push_back(fs::path(*home) / ".local");
            std::ranges::copy(sorted(fs::path(*home) / ".pyenv/versions", ""), std::back_inserter(prefixes));
        }
        prefixes.push_back(m_request.root / "usr/local");
        prefixes.push_back(m_request.root / "usr");
        std::vector<fs::path> result;
        for (const auto& prefix : prefixes) {
            for (const auto& library : sorted(prefix / "lib", "python3"))
                for (const auto* name : {"site-packages", "dist-packages"})
                    if (fs::is_directory(library / name, error)) result.push_back(library / name);
        }
        return result;
    }

    void fromPython() {
        const auto packages = sitePackages();
        for (const auto& folder : packages)
            for (const auto* name : {"nvidia/cu13", "nvidia/cuda_nvcc"})
                addRoot(folder / name, ToolkitOrigin::python, "Python environment " + folder.string());
        for (const auto& folder : packages)
            addRoot(folder / "triton/backends/nvidia", ToolkitOrigin::triton, "Triton in " + folder.string());
    }

    void applyOverrides() {
        const auto ptxas = variable(m_environment, "PTXWB_PTXAS"), nvcc = variable(m_environment, "PTXWB_NVCC");
        if (!ptxas && !nvcc) return;
        Toolkit kit = m_result.toolkits.empty() ? Toolkit{} : m_result.toolkits.front();
        kit.origin = ToolkitOrigin::override;
        kit.foundBy = ptxas && nvcc ? "PTXWB_PTXAS and PTXWB_NVCC" : ptxas ? "PTXWB_PTXAS" : "PTXWB_NVCC";
        if (nvcc) kit.nvcc = findProgram(*nvcc, {});
        if (ptxas) kit.ptxas = findProgram(*ptxas, {});
        // An override that cannot run stays: what uses it says so.
        if (ptxas && kit.ptxas) kit.version = versionOf(*kit.ptxas).value_or(std::string{});
        m_result.toolkits.insert(m_result.toolkits.begin(), std::move(kit));
    }

    void findHostCompiler() {
        const auto path = variable(m_environment, "PATH").value_or("");
        // nvcc itself calls gcc; the others serve with -ccbin.
        for (const auto* name : {"g++", "gcc", "c++", "clang++"}) {
            const auto program = findProgram(name, path);
            if (!program) continue;
            ChildRequest child;
            child.arguments = {program->string(), "-dumpfullversion", "-dumpversion"};
            child.environment = m_environment;
            child.deadline = 3s;
            auto version = runChild(child, m_stop).output;
            version = version.substr(0, version.find('\n'));
            m_result.hostCompiler = HostCompiler{*program, std::move(version)};
            return;
        }
    }

    const DiscoverRequest& m_request;
    std::stop_token m_stop;
    std::vector<std::string> m_environment;
    std::set<fs::path> m_seen;
    Discovery m_result;
};

} // namespace

Expected<Discovery> discover(const DiscoverRequest& request, std::stop_token stop) {
    return Finder(request, std::move(stop)).run();
}

Expected<Toolkit> toolkitIn(const fs::path& folder, std::stop_token stop) {
    const DiscoverRequest request;
    return Finder(request, std::move(stop)).folderAlone(folder);
}

std::string versionFrom(std::string_view output) {
    const auto release = output.find("release ");
    if (release == std::string_view::npos) return {};
    auto rest = output.substr(release);
    const auto v = rest.find(", V");
    if (v == std::string_view::npos) return {};
    rest.remove_prefix(v + 3);
    return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

bool versionLess(std::string_view a, std::string_view b) {
    const auto numbers = [](std::string_view text) {
        std::array<int, 4> result{};
        for (auto& number : result) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error != std::errc{} || end == text.data() + text.size()) break;
            text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
        }
        return result;
    };
    return numbers(a) < numbers(b);
}

} // namespace ptxwb::toolchain
