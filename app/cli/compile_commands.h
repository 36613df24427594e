// The flags that a project compiles a kernel's source with, from its compile_commands.json.
// Called by `ptxwb compile`.
#pragma once

#include "kernel_argument.h"

namespace ptxwb::cli {

/// The flags of the entry for the spec's source that a spec may have (see toolchain/flags.h), in their order; the
/// others choose the target, the output or another program, and are left out. Relative include folders are taken from
/// the entry's own folder. The entry is that of the very file, else the only one of its name. Errors (badRequest): a
/// file that is no compilation database, no entry for the source, several.
Expected<std::vector<std::string>> projectFlags(const std::filesystem::path& database, const KernelArgument& kernel);

} // namespace ptxwb::cli
