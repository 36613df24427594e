// Where a launch's buffers begin.
#pragma once

#include <cstdint>

namespace ptxwb::verify {

/// A kernel may take another way where its buffers are aligned to more than the spec grants: both must be run.
enum class Placement : std::uint8_t {
    leastAligned, ///< at what the spec grants and at nothing more
    asAllocated   ///< at multiples of 256 bytes, as the CUDA runtime gives them
};

} // namespace ptxwb::verify
