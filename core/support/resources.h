// Where the program itself and the examples and schemas that come with it are.
// Called by every command that takes a KERNEL, and by the window.
#pragma once

#include <filesystem>

namespace ptxwb {

/// PTXWB_RESOURCES, else beside the installed program, else the source tree that this program was built from.
std::filesystem::path resourcesFolder();
std::filesystem::path examplesFolder();

/// This program's own file.
std::filesystem::path programFile();

/// Whether `file` lies in `folder` or below it, links followed. False for an empty folder.
bool isInside(const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace ptxwb
