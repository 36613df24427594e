// The allow-lists of compiler flags: what a spec or a person may pass to nvcc and ptxas.
// Called before every compilation; the spec reader calls `checkNvccFlags` too, to say it early.
#pragma once

#include "support/diagnostic.h"

#include <string>
#include <vector>

namespace ptxwb::toolchain {

/// Fails (`Cause::badRequest`) with the flag, why it is refused, what is allowed, and the nearest allowed one. Flags
/// that start a program or write elsewhere (-ccbin, -Xcompiler, -o, --run, ...) are never allowed in a spec.
Expected<void> checkNvccFlags(const std::vector<std::string>& flags);
Expected<void> checkPtxasFlags(const std::vector<std::string>& flags);

/// `sm_90`, `sm_90a`, `sm_100f`, ... in form; whether a tool knows it, the tool says.
Expected<void> checkArchitecture(std::string_view arch);

} // namespace ptxwb::toolchain
