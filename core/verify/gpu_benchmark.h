// The benchmark stage: the candidate against the baseline at the spec's benchmark size, on a GPU.
// Called by the funnel after the stages that judge results.
#pragma once

#include "verify/gpu_executor.h"

namespace ptxwb::verify {

struct Benchmarked {
    StageResult stage;
    std::optional<Timing> timing;
    std::optional<Speedup> speedup;
    std::optional<Speedup> hot; ///< the same of launches without a flush
    double baselineGraphUs = 0; ///< of one launch inside a graph; 0: not measured
};

/// `baseline` may be null or the kernel itself: then the kernel alone is timed. The stage passes where it measured,
/// fails where timed outputs disagree or the kernel is faster than the device can be; it is inconclusive where the
/// device is busy or slowed down. Errors: expressions of the spec, cancellation.
Expected<Benchmarked> benchmarkStage(const Context& context, GpuExecutor& executor, PtxKernel& kernel,
                                     PtxKernel* baseline);

} // namespace ptxwb::verify
