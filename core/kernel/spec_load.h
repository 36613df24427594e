// Reading kernel specs: from a file or folder with what they name, or from JSON text with the files beside it in
// memory. Called by the command line and the window (from disk) and by the worker (from a request).
#pragma once

#include "kernel/spec.h"

#include <filesystem>

namespace ptxwb::kernel {

struct LoadedKernel {
    std::optional<Kernel> kernel;        ///< absent exactly if a diagnostic is an error
    std::vector<Diagnostic> diagnostics; ///< every error and warning, in order of the text, with line and column
    std::string text;                    ///< of the spec, for `format(diagnostic, text)`
};

/// `text` is the spec's JSON, `file` its name in messages; `files` holds what it names. Candidates need not be among
/// them.
LoadedKernel loadSpec(std::string text, std::string file, KernelFiles files);

/// Reads the spec and the files it names (relative to its folder, none outside it, each up to 1 GiB), candidates too.
LoadedKernel loadKernel(const std::filesystem::path& specFile);

/// The *.kernel.json of a folder, sorted; none where it cannot be read.
std::vector<std::filesystem::path> specsIn(const std::filesystem::path& folder);

/// The KERNEL of the command line: a spec file, a folder that holds one *.kernel.json, or the name of a folder in
/// `examples`. Returns the spec file. Errors (Cause::badRequest) say what was looked for and name the nearest example.
Expected<std::filesystem::path> findKernel(std::string_view argument, const std::filesystem::path& examples);

/// The kernel, or the first error with the others as its related places.
Expected<Kernel> orFirstError(LoadedKernel loaded);

} // namespace ptxwb::kernel
