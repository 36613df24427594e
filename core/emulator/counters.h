// What a run executed: in total, by kind of instruction, and by line of PTX. Counts, not time.
// Made by `run` (work_counter.cpp); carried by the answers of `ptxwb run` and `ptxwb verify`, shown in the margin.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ptxwb::emulator {

/// What was executed, in all blocks. Always counted.
struct Counters {
    std::uint64_t warpInstructions = 0;                      ///< those whose guard held for no lane count too
    std::uint64_t threadInstructions = 0;                    ///< of active lanes whose guard held
    std::uint64_t globalLoadBytes = 0, globalStoreBytes = 0; ///< atomics count as both
    std::uint64_t sharedAccesses = 0;                        ///< warp-level requests
    std::uint64_t barriers = 0; ///< completed: by all threads of a block, or by as many as the barrier counts
    std::uint64_t branches = 0, divergentBranches = 0; ///< warp-level

    Counters& operator+=(const Counters& other);
};

/// What a set of instructions did. The rules by which sectors and wavefronts are counted: access_shape.h.
struct WorkCounts {
    std::uint64_t warpInstructions = 0;   ///< those whose guard held for no lane count too
    std::uint64_t threadInstructions = 0; ///< of lanes whose guard held: 32 a warp instruction where nothing diverges
    std::uint64_t branches = 0;
    std::uint64_t divergentBranches = 0; ///< after which lanes of one warp go different ways
    // A request: one warp instruction's access to one memory. A generic one counts where its lanes' addresses lie.
    std::uint64_t globalRequests = 0;
    std::uint64_t globalBytes = 0;        ///< that lanes ask for, each lane's its own
    std::uint64_t globalSectors = 0;      ///< of 32 bytes
    std::uint64_t globalIdealSectors = 0; ///< as many as the different bytes asked for would fill
    std::uint64_t sharedRequests = 0;
    std::uint64_t sharedBytes = 0;
    std::uint64_t sharedWavefronts = 0;
    std::uint64_t sharedIdealWavefronts = 0; ///< without bank conflicts; the difference is conflicts
    std::uint64_t sharedWays = 0; ///< of the worst request: lanes' words that one bank must give after one another
    std::uint64_t localRequests = 0;
    std::uint64_t localBytes = 0;
    std::uint64_t localSectors = 0;
    std::uint64_t atomicRequests = 0;   ///< among the requests above
    std::uint64_t atomicCollisions = 0; ///< lanes whose address an earlier lane of their request has too
    std::uint64_t tensorInstructions = 0;
    std::uint64_t tensorOperations = 0; ///< multiplications and additions of their products
    std::uint64_t barrierWaits = 0;     ///< by warps: bar.sync and bar.red, waits for an mbarrier

    WorkCounts& operator+=(const WorkCounts& other);
    bool operator==(const WorkCounts&) const = default;
};

struct LineCounts {
    std::uint32_t line = 0; ///< of the PTX text, from 1
    WorkCounts counts;
};

enum class InstructionClass : std::uint8_t {
    integer, ///< arithmetic, logic, shifts and bit fields
    float32,
    float64,
    half,    ///< f16, bf16 and their pairs
    convert, ///< cvt, cvta
    compare, ///< setp, set, selp, slct
    move,    ///< mov, prmt, special registers
    globalMemory,
    sharedMemory,
    localMemory,
    otherMemory, ///< parameters, constants, generic addresses, prefetches
    texture,     ///< fetches from textures, loads and stores of surfaces; they have no sectors
    atomic,
    tensor,
    warp,    ///< shuffles, votes, matches, reductions of a warp
    barrier, ///< and fences
    control, ///< branches, calls, returns
    other,
    count_
};
std::string_view name(InstructionClass c); ///< "integer", "float32", "global_memory", …
inline constexpr std::size_t instructionClasses = static_cast<std::size_t>(InstructionClass::count_);

struct MixCounts {
    std::uint64_t warpInstructions = 0, threadInstructions = 0;
};

/// Everything that is counted on request.
struct Work {
    WorkCounts total;
    std::array<MixCounts, instructionClasses> mix{}; ///< by InstructionClass
    std::vector<LineCounts> lines;                   ///< those that were executed, in order
};

// One list of members for sums, JSON and tables: calls each(key, member) in the order in which a person reads them.
template <class Counts, class Each>
void eachWorkCount(Counts& c, Each&& each) {
    each("warp_instructions", c.warpInstructions);
    each("thread_instructions", c.threadInstructions);
    each("branches", c.branches);
    each("divergent_branches", c.divergentBranches);
    each("global_requests", c.globalRequests);
    each("global_bytes", c.globalBytes);
    each("global_sectors", c.globalSectors);
    each("global_ideal_sectors", c.globalIdealSectors);
    each("shared_requests", c.sharedRequests);
    each("shared_bytes", c.sharedBytes);
    each("shared_wavefronts", c.sharedWavefronts);
    each("shared_ideal_wavefronts", c.sharedIdealWavefronts);
    each("shared_ways", c.sharedWays);
    each("local_requests", c.localRequests);
    each("local_bytes", c.localBytes);
    each("local_sectors", c.localSectors);
    each("atomic_requests", c.atomicRequests);
    each("atomic_collisions", c.atomicCollisions);
    each("tensor_instructions", c.tensorInstructions);
    each("tensor_operations", c.tensorOperations);
    each("barrier_waits", c.barrierWaits);
}

} // namespace ptxwb::emulator
