// Compiles CUDA to PTX with nvcc, with line information.
// Called by `ptxwb compile`, by the funnel for baselines, and by the source pane.
#pragma once

#include "support/diagnostic.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::toolchain {

struct Toolkit;

struct NvccRequest {
    std::string source; ///< the file's name, relative to `folder` or to the root of `files`
    /// Present: all that is compiled (the source and what it includes), by relative name, written to a temporary
    /// folder. Absent: `source` is compiled where it lies.
    std::optional<std::map<std::string, std::string>> files;
    std::filesystem::path folder; ///< for compiling in place
    std::string arch = "sm_90";
    std::vector<std::string> flags;                    ///< from the allow-list of flags.h
    std::optional<std::filesystem::path> hostCompiler; ///< for -ccbin, from the settings
    std::chrono::milliseconds deadline{120000};
    std::uint64_t memoryLimitBytes = 0;
};

struct NvccResult {
    bool ok = false;
    std::string ptx; ///< where temporary files were used, its `.file` names are relative again
    std::vector<Diagnostic> diagnostics;
    std::string log;
    std::vector<std::string> arguments; ///< exactly as run
    std::vector<std::string> flags;     ///< what decides the result besides the sources
    std::string program, version;
    double seconds = 0;
    bool timedOut = false;
};

/// Source that is refused, a timeout and an unsuitable host compiler are a result with `ok` false. An error instead of
/// a result: flags, architecture or names that are not allowed, no nvcc, no place for temporary files, cancellation.
Expected<NvccResult> compileToPtx(const NvccRequest& request, const Toolkit& toolkit, std::stop_token stop = {});

} // namespace ptxwb::toolchain
