// At which instructions the warps of a kernel stood when the hardware looked, and what they waited for: CUPTI's PC
// sampling. Called by verify's profile job, in a worker that measures no time.
#pragma once

#include "gpu/benchmark.h"

#include <map>

namespace ptxwb::gpu {

/// A machine instruction with at least one sample.
struct SampledInstruction {
    std::uint64_t offset = 0; ///< bytes from the function's start
    std::string function;     ///< the entry, or a function that it calls
    std::uint32_t line = 0;   ///< of the text that the cubin's line table points into; 0 where it has none
    std::uint64_t samples = 0;
    /// By what the warp waited for, as CUPTI names it without its prefix ("long_scoreboard"); "selected": it was
    /// issued.
    std::map<std::string, std::uint64_t> reasons;
};

struct SampleResult {
    std::vector<SampledInstruction> instructions; ///< by function and offset
    std::uint64_t samples = 0;                    ///< sum over `instructions`
    std::uint64_t dropped = 0;                    ///< the hardware had no room for these
    unsigned launches = 0;
};

/// Loads `cubin`, whose line table points where lines are wanted, and launches `entries` one after another over
/// `buffers`, each time from the first contents and with a cold L2, until there are samples enough. `shape.following`
/// has the shapes of those behind the first. Errors: as `profile` (missing), the kernel's own fault (rejected),
/// cancellation.
Expected<SampleResult> samplePcs(Gpu& gpu, std::string_view cubin, const std::vector<std::string>& entries,
                                 LaunchRequest shape, const std::vector<BenchBuffer>& buffers, std::stop_token stop);

} // namespace ptxwb::gpu
