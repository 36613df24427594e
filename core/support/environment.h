// Environment variables for child processes, and the lookup of programs along PATH.
// Called by toolchain to find and run compilers, and by whoever starts a child.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Value of a variable of this process; nullopt where it is unset or empty.
std::optional<std::string> environmentVariable(std::string_view name);

/// The environment of this process as `NAME=value`, without the variables that would change what a compiler does behind
/// our back (NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, NVCC_CCBIN, CPATH, ...): results must repeat.
std::vector<std::string> scrubbedEnvironment();

/// Replaces or adds `name`.
void setVariable(std::vector<std::string>& environment, std::string_view name, std::string_view value);

/// An executable file: `program` itself where it has a slash, else the first hit along `path` (a PATH value).
/// nullopt where there is none. The result is absolute; symbolic links are kept.
std::optional<std::filesystem::path> findProgram(std::string_view program, std::string_view path);

} // namespace ptxwb
