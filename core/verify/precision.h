// Whether a candidate computes with less precision than the kernel's types and its baseline have.
// Called by the parse stage. Source: verification.md, "tolerance hides lower precision".
#pragma once

#include "kernel/spec.h"
#include "ptx/module.h"
#include "support/finding.h"

namespace ptxwb::verify {

/// One finding for each type of lower precision that the candidate's arithmetic uses, at its first instruction.
/// `baseline` may be null. Nothing for a spec without floating-point data, and nothing of types that the spec (its
/// arguments, globals or `work.accumulator`) or the baseline's arithmetic has.
std::vector<Finding> lowerPrecision(const kernel::KernelSpec& spec, const ptx::Module& candidate,
                                    const ptx::Module* baseline);

} // namespace ptxwb::verify
