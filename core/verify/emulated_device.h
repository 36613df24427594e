// The device that launches on the emulator are made for: values of the built-in symbols of specs.
// Called by the stages and by `ptxwb run`.
#pragma once

#include "kernel/expression.h"

namespace ptxwb::verify {

/// Few, so that a persistent kernel's grid stays small on the CPU.
inline constexpr std::int64_t emulatedSmCount = 8;
inline constexpr std::int64_t emulatedMaxBlocksPerSm = 2;

/// Adds `sm_count` and `max_blocks_per_sm`.
inline kernel::Symbols withDevice(kernel::Symbols symbols) {
    symbols["sm_count"] = emulatedSmCount;
    symbols["max_blocks_per_sm"] = emulatedMaxBlocksPerSm;
    return symbols;
}

} // namespace ptxwb::verify
