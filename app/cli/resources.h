// Where the bundled resources are: examples and schemas.
// Called by every command that takes a KERNEL.
#pragma once

#include <filesystem>

namespace ptxwb::cli {

/// PTXWB_RESOURCES, else beside the installed program, else the source tree that this program was built from.
std::filesystem::path resourcesFolder();
std::filesystem::path examplesFolder();

/// This program's own file.
std::filesystem::path programFile();

} // namespace ptxwb::cli
