// Finds CUDA toolkits, lone assemblers (Python wheels, Triton) and the host compiler on this machine.
// Called once by the worker and by `ptxwb doctor`.
#pragma once

#include "support/diagnostic.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::toolchain {

enum class ToolkitOrigin : std::uint8_t { override, explicitFolder, path, environment, usualFolder, python, triton };

struct Toolkit {
    std::filesystem::path root; ///< the folder above bin/
    ToolkitOrigin origin = ToolkitOrigin::path;
    std::string foundBy; ///< readable: "PATH", "CUDA_HOME", "/usr/local", "Python environment", "Triton", "PTXWB_PTXAS"
    std::string version; ///< of ptxas, else of nvcc: "13.0.88"; empty where it did not tell
    // Absolute paths; absent where the tool is not there.
    std::optional<std::filesystem::path> nvcc, ptxas, nvdisasm, cuobjdump, computeSanitizer;
    std::optional<std::filesystem::path> cupti;   ///< the shared library
    std::optional<std::filesystem::path> include; ///< the folder with cuda.h
};

struct HostCompiler {
    std::filesystem::path path;
    std::string version; ///< "12.2.0"
};

struct Discovery {
    std::vector<Toolkit> toolkits; ///< the first is the one to use; the same tool (by real path) is listed once
    std::optional<HostCompiler> hostCompiler;
};

struct DiscoverRequest {
    std::optional<std::filesystem::path> folder; ///< an explicit toolkit folder: comes first
    std::vector<std::string> environment;        ///< `NAME=value`; empty: this process's
    std::filesystem::path root = "/";            ///< where the usual folders are looked for; tests bring their own
};

/// Order: PTXWB_PTXAS and PTXWB_NVCC (they replace these tools of the toolkit that would come first), the explicit
/// folder, PATH, CUDA_HOME and CUDA_PATH, the usual folders (newest first), Python environments, Triton's own ptxas.
/// Starts each ptxas for its version, at most 3 s each; one that cannot run at all is not listed. An explicit folder
/// with neither ptxas nor nvcc in it is an error (`Cause::missing`); finding nothing is not.
Expected<Discovery> discover(const DiscoverRequest& request = {}, std::stop_token stop = {});

/// The toolkit in `folder` and nothing else. Errors (Cause::missing): it holds no ptxas, or one that cannot run.
Expected<Toolkit> toolkitIn(const std::filesystem::path& folder, std::stop_token stop = {});

/// "13.0.88" of a text with "release 13.0, V13.0.88"; empty where there is none.
std::string versionFrom(std::string_view toolOutput);

/// Compares "13.0.88" style versions by their numbers.
bool versionLess(std::string_view a, std::string_view b);

} // namespace ptxwb::toolchain
