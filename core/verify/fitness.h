// What keeps a kernel from being run at all, here or anywhere; and what fits on a multiprocessor of it.
// Called by the funnel before function, stress and sanitize.
#pragma once

#include "verify/context.h"

namespace ptxwb::verify {

struct Unfit {
    Finding finding;
    Status status = Status::fail; ///< of the stages that would have run it
    std::string reason;
};

/// Nothing where it can be run somewhere. `baseline` may be null or `kernel` itself.
std::optional<Unfit> whyUnfit(const Context& context, const PtxKernel& kernel, const PtxKernel* baseline);

/// What keeps the emulator from running it, as a finding; nothing where it can. Decodes the kernel.
std::optional<Finding> beyondEmulator(PtxKernel& kernel);

/// A finding where the kernel's own launch is one that no GPU takes at a size of the benchmark, which is not reached
/// otherwise where nothing is timed. Nothing where its launch is the spec's.
std::optional<Finding> refusedAtBenchmark(const Context& context, const PtxKernel& kernel,
                                          const kernel::Symbols& builtins);

/// Of the kernel's entry at the spec's last function size, for each target that `resources` are of and the table of
/// architectures has.
std::vector<OccupancyFigure> occupancyOf(const Context& context, const PtxKernel& kernel,
                                         const std::vector<EntryResources>& resources);

} // namespace ptxwb::verify
