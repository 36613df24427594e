// The baseline of a kernel: nvcc's PTX, recorded with the spec or compiled anew.
// Called by the funnel before it judges anything.
#pragma once

#include "verify/context.h"

namespace ptxwb::verify {

/// The recorded text, or what nvcc makes of the spec's source where none is recorded or the plan asks for it. nullopt
/// for a kernel that has neither. Not yet checked: that is the parse stage's work. Errors: no nvcc (missing), a source
/// that does not compile (badRequest), cancellation.
Expected<std::optional<PtxKernel>> loadBaseline(const Context& context);

/// The kernel of a text: parsed, with its `//@` lines.
PtxKernel loadPtx(const kernel::KernelSpec& spec, std::string name, std::string file, std::string text);

} // namespace ptxwb::verify
