// Whether a kernel's reference, which is native code, may run on this machine.
// Called by the verify command before a worker is asked.
#pragma once

#include "kernel_argument.h"

namespace ptxwb::cli {

/// Granted for bundled examples, for specs that were drafted here by `ptxwb init`, for texts that were trusted before,
/// and by
/// --trust. Otherwise shows the file and asks, once for each text, if stdin and stderr are a terminal. Refused in all
/// other cases, with a note on stderr that says how to trust it.
verify::ReferenceTrust referenceTrust(const KernelArgument& kernel, bool trustOption);

} // namespace ptxwb::cli
