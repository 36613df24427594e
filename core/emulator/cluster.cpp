// Source: PTX ISA 9.0, 9.7.13.3 barrier.cluster, 9.7.9.23 mapa, 10 %clusterid and its family, 11.6 cluster dimensions.
#include "emulator/cluster.h"

#include "emulator/mbarrier.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

constexpr std::uint64_t blockSlice = 20'000;   ///< warp instructions before the cluster's next block has its turn
constexpr std::uint32_t ownBarrier = 0xFFFFFF; ///< as an offset: barrier.cluster

std::optional<Index3> required(const Program& program) {
    for (const ptx::PerformanceDirective& d : program.functions.front().source->directives) {
        if (d.name != ".reqnctapercluster") continue;
        Index3 size{1, 1, 1};
        std::copy_n(d.values.begin(), std::min<std::size_t>(3, d.values.size()), size.begin());
        return size;
    }
    return std::nullopt;
}

constexpr Index3 one{1, 1, 1};

std::uint32_t blocksIn(const Index3& size) {
    return size[0] * size[1] * size[2];
}

Index3 placeIn(std::uint64_t linear, const Index3& size) {
    return {static_cast<std::uint32_t>(linear % size[0]), static_cast<std::uint32_t>(linear / size[0] % size[1]),
            static_cast<std::uint32_t>(linear / size[0] / size[1])};
}

std::uint64_t cellOf(std::uint64_t block, std::uint32_t offset) {
    return std::uint64_t{1} << 63 | block << rankShift | offset;
}

WarpPlace placeOf(Block& block, std::uint32_t warp) {
    return {static_cast<std::uint32_t>(block.linear), warp, block.shadow, block.order};
}

bool speak(const Engine& engine) {
    return engine.global && engine.program.ordersBlocks;
}

/// All that the blocks did happens before all that they do from now on.
void orderBlocks(Engine& engine, Cluster& cluster) {
    for (const auto& block : cluster.blocks) {
        std::uint32_t warps = 0;
        for (const auto& warp : block->warps) warps |= 1U << warp->index;
        block->shadow.barrier(warps);
        if (speak(engine)) block->order.barrier(warps);
    }
    if (!speak(engine)) return;
    ReleaseHistory& releases = engine.global->releases();
    const std::uint64_t cell = cellOf(cluster.blocks.front()->linear, ownBarrier);
    for (const auto& block : cluster.blocks)
        for (const auto& warp : block->warps)
            releases.strongWrite(placeOf(*block, warp->index), cell, true, Scope::device);
    for (const auto& block : cluster.blocks)
        for (const auto& warp : block->warps) releases.strongRead(placeOf(*block, warp->index), cell, true);
}

/// Ends the barrier's phase where every living thread of the cluster has arrived.
bool completeBarrier(Engine& engine, Cluster& cluster) {
    bool any = false;
    for (const auto& block : cluster.blocks)
        for (const auto& warp : block->warps) {
            if (warp->live & ~warp->clusterArrived) return false;
            any |= warp->clusterArrived != 0;
        }
    if (!any) return false;
    ++engine.counters.barriers;
    ++cluster.phase;
    for (const auto& block : cluster.blocks) {
        block->quietRounds = 0;
        for (const auto& warp : block->warps) {
            warp->clusterDone |= warp->clusterArrived;
            warp->clusterArrived = 0;
            for (Split& split : warp->splits)
                if (split.state == SplitState::atCluster) split.state = SplitState::ready;
        }
    }
    orderBlocks(engine, cluster);
    return true;
}

void refuse(const Step& step, unsigned lane, std::string message, std::string hint) {
    Finding finding;
    finding.kind = FindingKind::launch;
    finding.check = "cluster";
    finding.message = std::move(message);
    finding.hint = std::move(hint);
    report(step, lane, std::move(finding));
}

bool hasBegun(const Block& block) {
    return std::ranges::any_of(block.warps, [](const auto& warp) { return warp->executed != 0; });
}

std::string_view verb(Direction direction) {
    switch (direction) {
    case Direction::read: return "reads";
    case Direction::write: return "writes";
    default: return "updates";
    }
}

} // namespace

Index3 clusterSize(const Program& program, const Launch& launch) {
    return launch.cluster != one ? launch.cluster : required(program).value_or(one);
}

Expected<void> checkCluster(const Program& program, const Launch& launch) {
    const auto refuseLaunch = [](std::string message, std::string hint) {
        return failure(Cause::rejected, std::move(message), std::move(hint));
    };
    const Index3 size = clusterSize(program, launch);
    const auto asked = required(program);
    if (asked && *asked != size)
        return refuseLaunch(fmt::format("the launch has clusters of {} x {} x {} blocks, .reqnctapercluster of the "
                                        "entry requires {} x {} x {}",
                                        size[0], size[1], size[2], (*asked)[0], (*asked)[1], (*asked)[2]),
                            "launch with the same cluster, or with none");
    constexpr std::uint32_t most = 16;
    const std::uint64_t blocks = std::uint64_t{size[0]} * size[1] * size[2];
    if (blocks == 0 || blocks > most)
        return refuseLaunch(
            fmt::format("a cluster of {} x {} x {} blocks cannot be launched", size[0], size[1], size[2]),
            "a cluster has 1 to 16 blocks");
    for (std::size_t i = 0; i < 3; ++i)
        if (launch.grid[i] % size[i])
            return refuseLaunch(
                fmt::format("a grid of {} x {} x {} blocks is not made of whole clusters of {} x {} x {}",
                            launch.grid[0], launch.grid[1], launch.grid[2], size[0], size[1], size[2]),
                "round the grid up to whole clusters");
    return {};
}

void startCluster(Engine& engine, Cluster& cluster, std::uint64_t linear) {
    const Launch& launch = engine.launch;
    cluster.size = clusterSize(engine.program, launch);
    const Index3 clusters{launch.grid[0] / cluster.size[0], launch.grid[1] / cluster.size[1],
                          launch.grid[2] / cluster.size[2]};
    cluster.linear = linear;
    cluster.index = placeIn(linear, clusters);
    cluster.phase = 0;
    const std::uint32_t blocks = blocksIn(cluster.size);
    while (cluster.blocks.size() < blocks) cluster.blocks.push_back(std::make_unique<Block>());
    for (std::uint32_t rank = 0; rank < blocks; ++rank) {
        Block& block = *cluster.blocks[rank];
        block.cluster = &cluster;
        block.rank = rank;
        const Index3 within = placeIn(rank, cluster.size);
        std::array<std::uint64_t, 3> at{};
        for (std::size_t i = 0; i < 3; ++i) at[i] = std::uint64_t{cluster.index[i]} * cluster.size[i] + within[i];
        startBlock(engine, block, at[0] + launch.grid[0] * (at[1] + launch.grid[1] * at[2]));
    }
}

BlockState runCluster(Engine& engine, Cluster& cluster, std::uint64_t slice) {
    if (cluster.blocks.size() == 1 && !engine.program.usesClusters) return runBlock(engine, *cluster.blocks[0], slice);
    const std::uint64_t before = engine.counters.warpInstructions;
    while (true) {
        bool progress = false, alive = false;
        for (const auto& block : cluster.blocks) {
            if (!block->liveThreads) continue;
            alive = true;
            const std::uint64_t executed = engine.counters.warpInstructions;
            if (runBlock(engine, *block, std::min(slice, blockSlice)) == BlockState::stopped)
                return BlockState::stopped;
            progress |= engine.counters.warpInstructions != executed || !block->liveThreads;
            progress |= completeBarrier(engine, cluster);
        }
        if (!alive) return BlockState::finished;
        if (!progress) {
            for (const auto& block : cluster.blocks) progress |= block->liveThreads && timeOutMbarriers(*block);
            if (!progress) {
                std::vector<Block*> all;
                for (const auto& block : cluster.blocks) all.push_back(block.get());
                reportDeadlock(engine, all);
                return BlockState::stopped;
            }
        }
        if (engine.counters.warpInstructions - before > slice) return BlockState::suspended;
    }
}

Next clusterArrive(const Step& step) {
    if (!step.mask) return Next::advance;
    Warp& warp = step.warp;
    if (const std::uint32_t twice = step.mask & (warp.clusterArrived | warp.clusterDone))
        return stopRun(step, FindingKind::launch, "cluster",
                       fmt::format("lanes {} of warp {} arrive at the cluster's barrier without having waited for its "
                                   "last phase",
                                   laneRanges(twice), warp.index),
                       "every barrier.cluster.arrive is followed by a barrier.cluster.wait of the same threads");
    warp.clusterArrived |= step.mask;
    return Next::advance;
}

Next clusterWait(const Step& step, std::size_t running) {
    if (!step.mask) return Next::advance;
    Warp& warp = step.warp;
    Split& split = step.split;
    if (const std::uint32_t never = step.mask & ~(warp.clusterArrived | warp.clusterDone))
        return stopRun(step, FindingKind::deadlock, "cluster",
                       fmt::format("lanes {} of warp {} wait at the cluster's barrier and have not arrived at it",
                                   laneRanges(never), warp.index),
                       "execute barrier.cluster.arrive first");
    const std::uint32_t waiting = step.mask & ~warp.clusterDone;
    if (!waiting) {
        warp.clusterDone &= ~step.mask;
        return Next::advance;
    }
    Split going = split;
    going.mask = split.mask & ~step.mask;
    ++going.pc;
    split.mask = step.mask;
    split.state = SplitState::atCluster;
    if (!going.mask) return Next::waits;
    warp.splits[running] = split;
    warp.splits.push_back(going);
    return Next::reloaded;
}

Block& homeOf(const Step& step) {
    if (!isForeign(step)) return step.block;
    for (const auto& block : step.block.cluster->blocks)
        if (step.warp.index < block->warps.size() && block->warps[step.warp.index].get() == &step.warp) return *block;
    return step.block;
}

Block* blockOfRank(const Step& step, unsigned lane, std::uint64_t rank, Direction direction) {
    Cluster& cluster = *step.block.cluster;
    if (rank >= cluster.blocks.size()) {
        refuse(step, lane,
               fmt::format("{} shared memory of block {} of a cluster that has {}", verb(direction), rank,
                           cluster.blocks.size()),
               "ranks count from 0 to %cluster_nctarank - 1");
        return nullptr;
    }
    Block& block = *cluster.blocks[rank];
    if (&block == &homeOf(step)) return &block;
    if (!block.liveThreads) {
        refuse(step, lane,
               fmt::format("{} shared memory of block {} of the cluster, whose threads have all exited",
                           verb(direction), rank),
               "let all blocks pass barrier.cluster.arrive and .wait behind the last access, before they exit");
        return nullptr;
    }
    if (!cluster.phase && !hasBegun(block)) {
        refuse(
            step, lane,
            fmt::format("{} shared memory of block {} of the cluster, which may not have begun", verb(direction), rank),
            "let all blocks pass barrier.cluster.arrive and .wait before the first access");
        return nullptr;
    }
    return &block;
}

Block* owningBlock(const Step& step, unsigned lane, std::uint64_t address, Direction direction, std::uint32_t bytes) {
    const std::uint64_t mark = address >> rankShift;
    if (mark == 0) return &step.block;
    if (mark > maxMapped) { // no address of shared memory at all
        reportOutOfBounds(step, lane, direction, Window::shared, address, bytes);
        return nullptr;
    }
    return blockOfRank(step, lane, mark - 1, direction);
}

void tellCluster(const Step& step, std::uint32_t offset) {
    if (!speak(step.engine) || step.block.cluster->blocks.size() == 1) return;
    step.engine.global->releases().strongWrite(placeOf(homeOf(step), step.warp.index),
                                               cellOf(step.block.linear, offset), true, Scope::device);
}

void learnFromCluster(const Step& step, std::uint32_t offset) {
    if (!speak(step.engine) || step.block.cluster->blocks.size() == 1) return;
    step.engine.global->releases().strongRead(placeOf(homeOf(step), step.warp.index), cellOf(step.block.linear, offset),
                                              true);
}

} // namespace ptxwb::emulator
