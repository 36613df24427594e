// How many sectors of global memory and how many wavefronts of shared memory one warp-level access takes. Pure
// functions of the lanes' addresses. Called by the work counter.
//
// Rules, with where they are public:
// - A sector is 32 aligned bytes, a quarter of a cache line of 128. A warp's access to global or local memory is one
//   request, and each sector that a lane touches counts once, whatever the width (Nsight Compute, Kernel Profiling
//   Guide, metrics decoder: request, sector, tag; l1tex__t_sectors_pipe_lsu_mem_global_op_*).
// - Shared memory has 32 banks, successive 4-byte words lie in successive banks; lanes that read the same word share
//   it, different words of one bank go one after the other (CUDA C++ Programming Guide, shared memory of compute
//   capability 5.x and later).
// - One wavefront moves at most 128 bytes, so accesses of 8 and 16 bytes a lane go by half and quarter warps. A load
//   of which all active lanes n and n ^ 1, or all n and n ^ 2, have the same address takes half as many parts (what
//   NVIDIA's engineers tell of compute capability 7.x: the returned registers are packed).
// - Local memory is laid out so that the same 4-byte word of the 32 lanes lies in row (CUDA C++ Programming Guide,
//   device memory accesses, local memory).
// Not public and not modelled: how atomics on shared memory are made; their words count as a store's do.
#pragma once

#include <cstdint>

namespace ptxwb::emulator {

/// The byte addresses of the lanes in `mask` (not 0), each aligned to `bytes`, a power of two up to 32.
struct LaneAddresses {
    const std::uint64_t (&at)[32];
    std::uint32_t mask;
    std::uint32_t bytes;
};

struct SectorShape {
    std::uint32_t sectors = 0;
    std::uint32_t ideal = 0;     ///< that the different bytes would fill if they lay in row from a sector's start
    std::uint32_t different = 0; ///< addresses
};
SectorShape sectorShape(const LaneAddresses& lanes);

enum class SharedAccess : std::uint8_t {
    load,
    rows, ///< ldmatrix: eight lanes give one row of 16 bytes each, and no parts are packed
    store ///< and atomics
};
struct BankShape {
    std::uint32_t wavefronts = 0;
    std::uint32_t ideal = 0; ///< parts that have an active lane
    std::uint32_t ways = 0;  ///< of the worst part: 1 without conflict
};
BankShape bankShape(const LaneAddresses& lanes, SharedAccess access);

/// Sectors of local memory; addresses are the lanes' own offsets.
std::uint32_t localSectors(const LaneAddresses& lanes);

/// Lanes whose address an earlier lane has too.
std::uint32_t collisions(const LaneAddresses& lanes);

} // namespace ptxwb::emulator
