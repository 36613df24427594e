// How many blocks of a kernel fit on one multiprocessor, what limits them, and what would let more in. No GPU needed.
// Called by the assemble stage, the occupancy panel, `ptxwb occupancy`, and the launch checks.
#pragma once

#include "gpu/architectures.h"

#include <optional>
#include <string>
#include <vector>

namespace ptxwb::gpu {

struct OccupancyRequest {
    std::uint32_t block = 0;         ///< threads
    std::uint32_t registers = 0;     ///< per thread, as ptxas reports them; 0: they limit nothing
    std::uint32_t sharedStatic = 0;  ///< bytes
    std::uint32_t sharedDynamic = 0; ///< bytes; above 48 KiB in all, opting in is assumed
    std::uint32_t barriers = 0;      ///< named barriers that ptxas counts; they limit from sm_90 on
    std::uint32_t cluster = 1;       ///< blocks
};

enum class Limiter : std::uint8_t { warps, registers, shared, blocks, barriers };
std::string_view name(Limiter limiter);

/// A change of the registers alone that lets more blocks in.
struct RegisterStep {
    std::uint32_t registers = 0;
    std::uint32_t blocksPerSm = 0;

    bool operator==(const RegisterStep&) const = default;
};

struct Occupancy {
    std::uint32_t blocksPerSm = 0;
    std::uint32_t warpsPerSm = 0;
    double percent = 0;               ///< of the warps that fit at most
    Limiter limiter = Limiter::warps; ///< of equal ones the first in the order of the enumeration
    std::string reason; ///< why it is 0, empty otherwise: "254 regs round to 256; 288 threads need 73728 > 65536"
    std::string hint;   ///< what to do where it is 0
    // Blocks that each resource alone would allow; absent where it limits nothing.
    std::optional<std::uint32_t> byWarps, byRegisters, byShared, byBlocks, byBarriers;
    std::uint32_t registersPerBlock = 0;  ///< as allocated
    std::uint32_t sharedPerBlock = 0;     ///< as allocated, with what the driver reserves
    std::optional<RegisterStep> nextStep; ///< the fewest registers to save for more blocks
};

/// An error (`Cause::badRequest`) for a block of 0 threads, and for clusters where the architecture has none or the
/// size is not portable. A block that cannot run at all is a result of 0 with its reason. How many clusters run at once
/// depends on the device's floor plan and is not computed here.
/// Source: cuda_occupancy.h of CUDA 13.0, with which it agrees.
Expected<Occupancy> occupancy(const Architecture& arch, const OccupancyRequest& request);

enum class SweepOver : std::uint8_t { block, registers, shared };

struct SweepPoint {
    std::uint32_t value = 0; ///< threads, registers, or bytes of dynamic shared memory
    Occupancy occupancy;
};

/// The occupancy over all warps of a block, over registers in allocation steps up to the most a thread may have, or
/// over dynamic shared memory in KiB up to what a block may take; the rest is as in `request`.
Expected<std::vector<SweepPoint>> sweep(const Architecture& arch, const OccupancyRequest& request, SweepOver over);

/// The most registers with which a block of this size runs at all; 0 where it does not.
std::uint32_t mostRegisters(const Architecture& arch, std::uint32_t block);

} // namespace ptxwb::gpu
