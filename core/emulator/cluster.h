// Blocks that run as one cluster: their barrier, and how one reaches another's shared memory. Made by run.cpp; a launch
// without clusters has clusters of one block.
//
// An address of shared memory that mapa makes holds 1 + the rank of the block in its bits from 24 on, and the offset
// below; those of a block's own variables hold the offset alone. The same addresses mean the same in every block of the
// cluster.
#pragma once

#include "emulator/memory_access.h"
#include "emulator/warp_control.h"

#include <algorithm>

namespace ptxwb::emulator {

inline constexpr unsigned rankShift = 24;
inline constexpr std::uint64_t offsetMask = (std::uint64_t{1} << rankShift) - 1;

struct Cluster {
    std::uint64_t linear = 0;
    std::vector<std::unique_ptr<Block>> blocks; ///< by rank
    Index3 size{1, 1, 1}, index{};              ///< blocks; place among the clusters
    std::uint64_t phase = 0;                    ///< of barrier.cluster
};

/// Blocks of one cluster of the launch: what it asks for, else what the entry's .reqnctapercluster says.
Index3 clusterSize(const Program& program, const Launch& launch);
/// What of it no GPU takes. Errors: Cause::rejected.
Expected<void> checkCluster(const Program& program, const Launch& launch);

void startCluster(Engine& engine, Cluster& cluster, std::uint64_t linear);
/// As runBlock, for all blocks of the cluster in turn.
BlockState runCluster(Engine& engine, Cluster& cluster, std::uint64_t slice);

/// barrier.cluster.arrive, barrier.cluster.wait.
Next clusterArrive(const Step& step);
Next clusterWait(const Step& step, std::size_t running);

/// Whether the address (without the window) may lie in another block.
constexpr bool isMapped(std::uint64_t address) {
    return address >> rankShift != 0;
}
inline constexpr std::uint64_t maxMapped = 16; ///< 1 + the greatest rank

/// The block in whose shared memory the address (without the window) lies: nullptr, and a finding of the lane, where
/// there is none, or it has exited or may not have begun.
Block* owningBlock(const Step& step, unsigned lane, std::uint64_t address, Direction direction, std::uint32_t bytes);
/// The same for a rank.
Block* blockOfRank(const Step& step, unsigned lane, std::uint64_t rank, Direction direction);

/// The block whose thread executes the step: step.block but where the step was turned to another block's memory.
Block& homeOf(const Step& step);
inline bool isForeign(const Step& step) {
    return step.block.warps[step.warp.index].get() != &step.warp;
}
/// The same step as if the other block's memory were its own.
inline Step turnedTo(const Step& step, Block& block) {
    return {step.engine, block, step.warp, step.split, step.op, step.mask, step.lanes};
}

/// The lanes of `mask` whose address lies in another block, one after another: f(step turned to it, lane, offset).
/// Answers the others; own addresses that mapa made are made plain in `a`.
template <class F>
std::uint32_t byOwner(const Step& step, Addresses& a, std::uint32_t mask, std::uint64_t base, Direction direction,
                      std::uint32_t bytes, F f) {
    std::uint32_t own = 0;
    forLanes(mask, [&](unsigned lane) {
        const std::uint64_t address = a.at[lane] - base;
        if (!isMapped(address)) {
            own |= 1U << lane;
            return;
        }
        Block* const block = owningBlock(step, lane, address, direction, bytes);
        if (block == &step.block) {
            own |= 1U << lane;
            a.at[lane] = base + (address & offsetMask);
        } else if (block) {
            f(turnedTo(step, *block), lane, static_cast<std::uint32_t>(address & offsetMask));
        }
    });
    std::uint64_t spare = base;
    if (own) spare = a.at[static_cast<unsigned>(std::countr_zero(own))];
    a.contiguous = false;
    a.lowest = a.highest = spare;
    a.bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(own >> lane & 1)) a.at[lane] = spare;
        a.lowest = std::min(a.lowest, a.at[lane]);
        a.highest = std::max(a.highest, a.at[lane]);
        a.bits |= a.at[lane];
    }
    return own;
}

/// Whether some of the addresses may lie in another block.
inline bool reachesCluster(const Step& step, const Addresses& a, std::uint64_t base) {
    return isMapped(a.highest - base) && step.engine.program.usesClusters;
}

/// Global memory: what the warp did happens before what whoever learns from the same mbarrier (at `offset` of the
/// step's block) does.
void tellCluster(const Step& step, std::uint32_t offset);
void learnFromCluster(const Step& step, std::uint32_t offset);

} // namespace ptxwb::emulator
