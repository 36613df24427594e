// What each GPU architecture offers per multiprocessor: the table of resources/architectures.json.
// Called by the occupancy computation, by the spec's checks of launch shapes, and by the report.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::gpu {

/// Sizes in bytes, registers in 32-bit registers.
struct Architecture {
    std::string arch; ///< "sm_90", without a suffix
    std::string name; ///< "Hopper"
    std::uint32_t warpSize = 32;
    std::uint32_t maxThreadsPerBlock = 0;
    std::uint32_t maxWarpsPerSm = 0;
    std::uint32_t maxBlocksPerSm = 0;
    std::uint32_t registersPerSm = 0;
    std::uint32_t registersPerBlock = 0;
    std::uint32_t maxRegistersPerThread = 0;
    std::uint32_t registerAllocationUnit = 0; ///< per warp
    std::uint32_t subPartitions = 0;          ///< schedulers; a block's warps are spread over them
    std::uint32_t sharedPerSm = 0;
    std::uint32_t sharedPerBlock = 0; ///< without opting in; also the most that static shared memory may take
    std::uint32_t sharedPerBlockOptIn = 0;
    std::uint32_t sharedReservedPerBlock = 0; ///< taken by the driver from each resident block
    std::uint32_t sharedAllocationUnit = 0;
    std::optional<std::uint32_t> barriersPerSm; ///< absent: they limit nothing
    std::uint32_t maxPortableCluster = 1;       ///< 1: no clusters

    bool operator==(const Architecture&) const = default;
};

/// All of the table, oldest first.
const std::vector<Architecture>& architectures();

/// `sm_90`; the variants `sm_90a` and `sm_100f` have the limits of their base. Unknown: an error that lists what is
/// known.
Expected<Architecture> architecture(std::string_view arch);

/// Reads a table in the format of resources/architectures.json.
Expected<std::vector<Architecture>> parseArchitectures(std::string_view json);

/// The built-in table's text.
std::string_view architecturesJson();

} // namespace ptxwb::gpu
