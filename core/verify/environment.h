// Whether a kernel reads what no input and no launch decides: clocks, and where on the device it happens to run.
// Called by the parse stage. Source: PTX ISA 9.0, 10 Special Registers.
#pragma once

#include "kernel/spec.h"
#include "ptx/module.h"
#include "support/finding.h"

namespace ptxwb::verify {

/// Findings `environment`, one for each such register that the candidate reads and the baseline does not. None where
/// the spec says that the answer need not be the same each time. `baseline` may be null.
std::vector<Finding> readsEnvironment(const kernel::KernelSpec& spec, const ptx::Module& candidate,
                                      const ptx::Module* baseline);

} // namespace ptxwb::verify
