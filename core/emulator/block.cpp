#include "emulator/mbarrier.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::emulator {

std::string laneRanges(std::uint32_t mask) {
    std::string out;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1)) continue;
        unsigned last = lane;
        while (last < 31 && mask >> (last + 1) & 1) ++last;
        out += fmt::format("{}{}", out.empty() ? "" : ", ", lane);
        if (last > lane) out += fmt::format("..{}", last);
        lane = last;
    }
    return out;
}

std::string opcodeText(const DecodedFunction& function, const MicroOp& op, const Program& program) {
    const ptx::Instruction& i = function.source->instructions[op.instruction];
    std::string text(program.module->textOf(i.opcodeSpan));
    for (const auto& modifier : function.source->modifiersOf(i)) text += program.module->textOf(modifier.span);
    return text;
}

RelatedFinding waiting(const Engine& engine, const Block& block, const Warp& warp, const Split& split) {
    const MicroOp& op = split.frame->function->code[split.pc];
    const Place place =
        engine.program.module->placeOf(split.frame->function->source->instructions[op.instruction].span);
    RelatedFinding related;
    related.line = place.line;
    related.column = place.column;
    related.block = block.index;
    related.thread = threadIndex(engine.launch, warp.index, static_cast<unsigned>(std::countr_zero(split.mask)));
    related.message = fmt::format("warp {}, lanes {} wait here at {}{}", warp.index, laneRanges(split.mask),
                                  opcodeText(*split.frame->function, op, engine.program), mbarrierLacks(block, split));
    return related;
}

namespace {

/// An aligned barrier is executed by whole warps: `bar.sync` where some living lanes of the warp stand elsewhere is
/// undefined.
void checkConvergence(const Step& step, const Split& split) {
    if (split.mask == step.warp.live) return;
    // Where a split of this warp waits at an aligned barrier already, that one has told of both.
    for (const Split& s : step.warp.splits)
        if (s.state == SplitState::arrived && s.frame->function->barriers[s.frame->function->code[s.pc].extra].aligned)
            return;
    // Lanes of this warp that wait at a barrier for which they have arrived, or elsewhere.
    CodePlace other;
    Finding finding;
    finding.kind = FindingKind::barrierDivergence;
    finding.check = "barrier";
    for (const Split& s : step.warp.splits) {
        if (&s == &split || !s.mask) continue;
        if (!other.op) other = {s.frame->function, &s.frame->function->code[s.pc]};
        finding.related.push_back(waiting(step.engine, step.block, step.warp, s));
    }
    finding.message = fmt::format("lanes {} of warp {} reach this barrier without lanes {} of their warp",
                                  laneRanges(split.mask), step.warp.index, laneRanges(step.warp.live & ~split.mask));
    finding.hint = "a barrier of the aligned kind must be reached by all threads of a warp together: move it out of "
                   "the divergent branch";
    report(step, static_cast<unsigned>(std::countr_zero(split.mask)), std::move(finding), other);
}

/// Ends the barrier for everyone who waits at it.
void complete(Engine& engine, Block& block, std::uint32_t id) {
    BarrierState& barrier = block.barriers[id];
    ++engine.counters.barriers;
    block.quietRounds = 0;
    block.shadow.barrier(barrier.warps);
    if (engine.global && engine.program.ordersBlocks) block.order.barrier(barrier.warps);
    for (auto& warp : block.warps)
        for (Split& split : warp->splits) {
            if (split.state != SplitState::arrived || split.barrier != id) continue;
            const MicroOp& op = split.frame->function->code[split.pc];
            const BarrierOp& b = split.frame->function->barriers[op.extra];
            if (b.d != noSlot) {
                auto* words = reinterpret_cast<std::uint32_t*>(split.frame->registers + b.d);
                forLanes(split.mask, [&](unsigned lane) { words[lane] = barrier.popc; });
            }
            if (b.p != noSlot) {
                auto& p = *reinterpret_cast<std::uint32_t*>(split.frame->registers + b.p);
                p = (b.kind == BarrierKind::reduceAnd ? barrier.all : barrier.any) ? p | split.mask : p & ~split.mask;
            }
            split.state = SplitState::ready;
            split.barrier = 0;
            ++split.pc;
        }
    barrier = {};
}

bool completeBarriers(Engine& engine, Block& block) {
    bool any = false;
    for (std::uint32_t id = 0; id < block.barriers.size(); ++id) {
        BarrierState& barrier = block.barriers[id];
        if (!barrier.arrivedThreads) continue;
        const std::uint32_t expected = barrier.expected ? barrier.expected : block.liveThreads;
        if (barrier.arrivedThreads < expected) continue;
        complete(engine, block, id);
        any = true;
    }
    return any;
}

} // namespace

void reportDeadlock(Engine& engine, std::span<Block* const> blocks) {
    Finding finding;
    finding.kind = FindingKind::deadlock;
    finding.check = "progress";
    const Block* first = nullptr;
    std::uint32_t threads = 0;
    CodePlace place;
    for (const Block* block : blocks) {
        threads += block->liveThreads;
        for (const auto& warp : block->warps)
            for (const Split& split : warp->splits) {
                if (!place.op) {
                    first = block;
                    place = {split.frame->function, &split.frame->function->code[split.pc]};
                    finding.block = block->index;
                    finding.thread =
                        threadIndex(engine.launch, warp->index, static_cast<unsigned>(std::countr_zero(split.mask)));
                }
                if (finding.related.size() < 8) finding.related.push_back(waiting(engine, *block, *warp, split));
            }
    }
    finding.message = fmt::format("{} threads of {} ({}, {}, {}) wait for each other and none can go on", threads,
                                  blocks.size() > 1 ? "the cluster of block" : "block", first->index[0],
                                  first->index[1], first->index[2]);
    finding.hint = "every thread that a barrier or a .sync instruction counts must reach it";
    engine.findings.add(first->linear, place, std::move(finding));
    engine.stopped = true;
}

void startBlock(Engine& engine, Block& block, std::uint64_t linear) {
    const Launch& launch = engine.launch;
    block.linear = linear;
    block.index = {static_cast<std::uint32_t>(linear % launch.grid[0]),
                   static_cast<std::uint32_t>(linear / launch.grid[0] % launch.grid[1]),
                   static_cast<std::uint32_t>(linear / launch.grid[0] / launch.grid[1])};
    block.threads = launch.block[0] * launch.block[1] * launch.block[2];
    block.liveThreads = block.threads;
    block.barriers = {};
    const std::uint32_t sharedBytes = engine.program.staticSharedBytes + launch.dynamicSharedBytes;
    block.shared.assign(sharedBytes, 0);
    block.inFlight.clear();
    block.async.startBlock();
    block.mbarriers.clear();
    block.quietRounds = 0;
    const std::uint32_t warps = (block.threads + 31) / 32;
    block.shadow.startBlock(warps, sharedBytes, engine.program.sharedGranule);
    if (engine.global) block.order.startBlock(engine.program.ordersBlocks);
    if (engine.options.seed) block.random.seed(engine.options.seed ^ (linear * 0x9E3779B97F4A7C15ULL));
    while (block.warps.size() < warps) block.warps.push_back(std::make_unique<Warp>());
    block.warps.resize(warps);
    for (std::uint32_t i = 0; i < warps; ++i) {
        block.warps[i]->index = i;
        startWarp(engine, block, *block.warps[i]);
    }
}

void arriveAtBarrier(const Step& step, Split& split) {
    const BarrierOp& op = step.function().barriers[step.op.extra];
    const unsigned first = static_cast<unsigned>(std::countr_zero(split.mask));
    const std::uint32_t id = op.id == noSlot ? 0 : step.word32(op.id, first);
    const std::uint32_t count = op.count == noSlot ? 0 : step.word32(op.count, first);
    auto refuse = [&](std::string message, std::string hint) {
        Finding finding;
        finding.kind = FindingKind::launch;
        finding.check = "barrier";
        finding.message = std::move(message);
        finding.hint = std::move(hint);
        report(step, first, std::move(finding));
        step.engine.stopped = true;
    };
    if (id > 15) return refuse(fmt::format("barrier {} does not exist", id), "a block has barriers 0 to 15");
    if (count % 32 != 0 || count > ((step.block.threads + 31) & ~31U))
        return refuse(fmt::format("barrier {} counts {} threads in a block of {}", id, count, step.block.threads),
                      "the count is a multiple of 32 and at most the block's size rounded up to whole warps");
    if (op.aligned) checkConvergence(step, split);

    BarrierState& barrier = step.block.barriers[id];
    // The hardware counts warps: a warp that is not full, or has lanes that exited, counts 32 towards an explicit
    // count.
    const bool whole = split.mask == step.warp.live;
    barrier.arrivedThreads += count && whole ? 32 : static_cast<std::uint32_t>(std::popcount(split.mask));
    barrier.expected = count;
    barrier.warps |= 1U << step.warp.index;
    barrier.function = &step.function();
    barrier.op = &step.op;
    if (op.c != noSlot) {
        const std::uint32_t p = step.predicate(op.c) ^ (op.negated ? ~0U : 0U);
        barrier.popc += static_cast<std::uint32_t>(std::popcount(p & split.mask));
        barrier.any |= (p & split.mask) != 0;
        barrier.all &= (p & split.mask) == split.mask;
    }
    if (op.kind == BarrierKind::arrive) {
        split.state = SplitState::ready;
        ++split.pc;
    } else {
        split.state = SplitState::arrived;
        split.barrier = id;
    }
}

BlockState runBlock(Engine& engine, Block& block, std::uint64_t slice) {
    constexpr std::uint64_t warpSlice = 20'000;
    const std::uint64_t before = engine.counters.warpInstructions;
    std::vector<Warp*> order;
    for (auto& warp : block.warps) order.push_back(warp.get());
    while (block.liveThreads) {
        if (engine.options.seed) std::ranges::shuffle(order, block.random);
        bool progress = false;
        for (Warp* warp : order) {
            if (!warp->live) continue;
            const std::uint64_t turn = engine.options.seed ? 1 + block.random() % 200 : warpSlice;
            progress |= runWarp(engine, block, *warp, turn) == Progress::some;
            if (engine.stopped || engine.outOfTime || engine.stop.stop_requested()) return BlockState::stopped;
        }
        progress |= completeBarriers(engine, block);
        if (!progress && block.liveThreads && engine.program.usesClusters) return BlockState::waiting;
        if (!progress && block.liveThreads && !timeOutMbarriers(block)) {
            Block* const alone = &block;
            reportDeadlock(engine, {&alone, 1});
            return BlockState::stopped;
        }
        if (engine.counters.warpInstructions - before > slice && block.liveThreads) return BlockState::suspended;
    }
    return BlockState::finished;
}

} // namespace ptxwb::emulator
