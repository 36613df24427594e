#include "emulator/cluster.h"
#include "emulator/device_calls.h"
#include "emulator/mbarrier.h"
#include "emulator/observer.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

/// A spinning split gives way after this many warp instructions while others of its warp wait.
constexpr std::uint64_t patience = 1024;
/// Warp instructions between two looks whether the run is over.
constexpr std::uint64_t watch = 4096;

/// A lane mask as 32 words of all ones or zeros, for the vector rows; made anew only when it changes.
struct ExpandedMask {
    alignas(64) std::uint32_t words[32];
    std::uint32_t mask = 0;
    ExpandedMask() : words{} {}
    void set(std::uint32_t m) {
        if (m == mask) return;
        mask = m;
        for (unsigned i = 0; i < 32; ++i) words[i] = 0U - (m >> i & 1U);
    }
};

bool before(const Split& a, const Split& b) {
    if (a.frame != b.frame && a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
    return a.pc < b.pc;
}

class WarpRunner {
public:
    WarpRunner(Engine& engine, Block& block, Warp& warp) : m_engine(engine), m_block(block), m_warp(warp) {}

    Progress run(std::uint64_t slice) {
        Progress progress = Progress::none;
        std::uint64_t left = slice;
        while (left && !m_engine.stopped && !m_engine.outOfTime) {
            merge();
            const bool fair = m_warp.overtaken >= patience;
            std::size_t chosen = choose(fair);
            if (chosen == m_warp.splits.size()) chosen = releaseCollective();
            if (chosen == m_warp.splits.size()) {
                const bool met = meetFromSeveralPlaces(m_engine, m_block, m_warp);
                if (!met && (reportLanesThatNeverCome(m_engine, m_block, m_warp) || !arriveAtBarriers())) break;
                progress = Progress::some;
                continue;
            }
            const std::uint64_t budget = std::min(left, m_ready > 1 ? patience : watch);
            const std::uint64_t used = runSplit(chosen, budget, fair);
            if (m_engine.observer) m_engine.observer->settle(m_engine);
            m_warp.overtaken = fair || m_ready < 2 ? 0 : m_warp.overtaken + used;
            if (used) progress = Progress::some;
            left -= std::min(left, std::max<std::uint64_t>(used, 1));
            if (m_engine.counters.warpInstructions - m_engine.lookedAt >= watch && isOver(m_engine)) {
                end(chosen);
                break;
            }
        }
        merge();
        return progress;
    }

private:
    /// Nobody may go on: where the deadline asks for it, tells where the split was, which may have gone by now.
    void end(std::size_t split) {
        if (m_engine.stop.stop_requested() || m_warp.splits.empty()) return;
        const Split& at = m_warp.splits[std::min(split, m_warp.splits.size() - 1)];
        Split copy = at;
        const LaneContext context = contextOf(*at.frame);
        reportTimeout({m_engine, m_block, m_warp, copy, at.frame->function->code[at.pc], at.mask, context});
    }

    /// Joins splits that stand at the same place in the same state.
    void merge() {
        auto& splits = m_warp.splits;
        for (std::size_t i = 0; i < splits.size(); ++i)
            for (std::size_t j = i + 1; j < splits.size();) {
                const bool same = splits[i].frame == splits[j].frame && splits[i].pc == splits[j].pc &&
                                  splits[i].state == splits[j].state && splits[i].barrier == splits[j].barrier;
                if (!same) {
                    ++j;
                    continue;
                }
                splits[i].mask |= splits[j].mask;
                splits[i].ranAt = std::max(splits[i].ranAt, splits[j].ranAt);
                splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(j));
            }
    }

    /// Index of the split to run, splits.size() where none is ready: the first one in order; `fair`: the one that has
    /// not run for longest.
    std::size_t choose(bool fair) {
        auto& splits = m_warp.splits;
        std::size_t best = splits.size();
        m_ready = 0;
        for (std::size_t i = 0; i < splits.size(); ++i) {
            if (splits[i].state != SplitState::ready) continue;
            ++m_ready;
            if (best == splits.size() ||
                (fair ? splits[i].ranAt < splits[best].ranAt : before(splits[i], splits[best])))
                best = i;
        }
        return best;
    }

    /// No split is ready: the index of one whose collective has all its lanes by now, splits.size() where there is
    /// none.
    std::size_t releaseCollective() {
        for (std::size_t i = 0; i < m_warp.splits.size(); ++i) {
            Split& split = m_warp.splits[i];
            if (split.state != SplitState::atCollective) continue;
            const MicroOp& op = split.frame->function->code[split.pc];
            const LaneContext context = contextOf(*split.frame);
            if (!hasAllMembers({m_engine, m_block, m_warp, split, op, split.mask, context})) continue;
            split.state = SplitState::ready;
            return i;
        }
        return m_warp.splits.size();
    }

    /// No split can go on: those that stand before a barrier arrive at it. True where one that need not wait was
    /// released.
    bool arriveAtBarriers() {
        bool released = false;
        for (Split& split : m_warp.splits) {
            if (split.state != SplitState::atBarrier) continue;
            const LaneContext context = contextOf(*split.frame);
            const Step step{m_engine,   m_block, m_warp, split, split.frame->function->code[split.pc],
                            split.mask, context};
            arriveAtBarrier(step, split);
            released |= split.state == SplitState::ready;
            if (m_engine.stopped) break;
        }
        return released && !m_engine.stopped;
    }

    /// The place at which the running split must stop and look around: the nearest other ready split ahead in its
    /// frame.
    std::uint32_t stopAt(std::size_t running) const {
        std::uint32_t nearest = ~0U;
        const Split& self = m_warp.splits[running];
        for (std::size_t i = 0; i < m_warp.splits.size(); ++i) {
            const Split& other = m_warp.splits[i];
            if (i != running && other.frame == self.frame && other.state != SplitState::arrived && other.pc > self.pc)
                nearest = std::min(nearest, other.pc);
        }
        return nearest;
    }

    LaneContext contextOf(const Frame& frame) {
        LaneContext context;
        context.bases[0] = frame.registers;
        context.bases[1] = const_cast<std::uint8_t*>(m_engine.program.constants.data());
        context.bases[2] = reinterpret_cast<std::uint8_t*>(m_warp.specials.data());
        context.mask = 0;
        context.expanded = m_expanded.words;
        return context;
    }

    /// Runs split number `index` until it has used `budget`, waits, ends, diverges, or reaches another split.
    std::uint64_t runSplit(std::size_t index, std::uint64_t budget, bool fair) {
        m_running = index;
        std::uint64_t used = 0;
        const std::uint32_t stop = fair ? ~0U : stopAt(index);
        // Local copies: `splits` may grow while this one runs.
        Split split = m_warp.splits[index];
        split.ranAt = m_warp.executed + 1;
        const MicroOp* code = split.frame->function->code.data();
        LaneContext context = contextOf(*split.frame);
        Counters& counters = m_engine.counters;
        Observer* const observer = m_engine.observer;
        while (true) {
            const MicroOp& op = code[split.pc];
            std::uint32_t mask = split.mask;
            if (op.guard != noSlot) {
                const std::uint32_t p = *reinterpret_cast<const std::uint32_t*>(context.bases[0] + op.guard);
                mask &= op.guardNegated ? ~p : p;
            }
            if (op.first) {
                if (used >= budget || split.pc >= stop) break;
                ++used;
                const unsigned active = lanesIn(mask);
                if (m_engine.instructionsLeft < active && !m_engine.pool.take(m_engine.instructionsLeft, active)) {
                    reportTimeout({m_engine, m_block, m_warp, split, op, split.mask, contextOf(*split.frame)});
                    break;
                }
                m_engine.instructionsLeft -= active;
                ++counters.warpInstructions;
                counters.threadInstructions += active;
                if (observer) [[unlikely]]
                    observer->begin({m_engine, m_block, m_warp, split, op, mask, context}, index);
            }
            context.mask = mask;
            if (op.kind == Kind::lanes) m_expanded.set(mask); // nobody else reads it
            if (op.kind == Kind::lanes && op.check == ~0U) [[likely]] {
                if (mask) op.lanes(context, op);
                ++split.pc;
                continue;
            }
            const Step step{m_engine, m_block, m_warp, split, op, mask, context};
            if (op.check != ~0U) checkRegisters(step);
            const Next next = execute(step, split);
            if (next == Next::advance) {
                ++split.pc;
                continue;
            }
            if (next == Next::jumped) {
                if (split.pc <= stop) continue;
                break;
            }
            if (next == Next::reloaded) { // the warp's list of splits is already right
                m_warp.executed += used;
                return used;
            }
            const bool again = split.state == SplitState::atCollective || split.state == SplitState::atMbarrier ||
                               split.state == SplitState::atCluster;
            if (again && op.first) { // it will be counted when it goes on
                --counters.warpInstructions;
                counters.threadInstructions -= static_cast<unsigned>(std::popcount(mask));
                if (observer) observer->takeBack(step);
            }
            break; // waits
        }
        m_warp.splits[index] = split;
        m_warp.executed += used;
        return used;
    }

    Next execute(const Step& step, Split& split) {
        const MicroOp& op = step.op;
        switch (op.kind) {
        case Kind::lanes:
            if (step.mask) op.lanes(step.lanes, op);
            return Next::advance;
        case Kind::scalar: runScalar(step); return Next::advance;
        case Kind::carry: runCarry(step); return Next::advance;
        case Kind::load:
            if (step.mask) load(step);
            return Next::advance;
        case Kind::store:
            if (step.mask) store(step);
            return Next::advance;
        case Kind::atomic:
            if (step.mask) atomic(step);
            return Next::advance;
        case Kind::loadParameter:
            if (step.mask) loadParameter(step);
            return Next::advance;
        case Kind::localAddress:
            forLanes(step.mask, [&](unsigned lane) {
                const std::uint64_t address = step.frame().localBase + static_cast<std::uint64_t>(op.immediate);
                step.set({op.d, static_cast<std::uint8_t>(op.widths & 1 ? 8 : 4)}, lane, address);
            });
            return Next::advance;
        case Kind::clock:
            forLanes(step.mask, [&](unsigned lane) {
                step.set({op.d, static_cast<std::uint8_t>(op.widths & 1 ? 8 : 4)}, lane, m_warp.executed);
            });
            return Next::advance;
        case Kind::activeMask:
            forLanes(step.mask, [&](unsigned lane) { step.word32(op.d, lane) = step.mask; });
            return Next::advance;
        case Kind::nothing: return Next::advance;
        case Kind::fence: fence(step); return Next::advance;
        case Kind::asyncCopy:
            if (step.mask) asyncCopy(step);
            return Next::advance;
        case Kind::asyncCommit: asyncCommit(step); return Next::advance;
        case Kind::asyncWait: asyncWait(step); return Next::advance;
        case Kind::bulkCopy: bulkCopy(step); return Next::advance;
        case Kind::asyncStore: asyncStore(step); return Next::advance;
        case Kind::texture:
            if (step.mask) textureStep(step);
            return Next::advance;
        case Kind::clusterArrive: return clusterArrive(step);
        case Kind::clusterWait: return clusterWait(step, m_running);
        case Kind::bulkCommit: bulkCommit(step); return Next::advance;
        case Kind::bulkWait: bulkWait(step); return Next::advance;
        case Kind::proxyFence: proxyFence(step); return Next::advance;
        case Kind::productFence: productFence(step); return Next::advance;
        case Kind::productCommit: productCommit(step); return Next::advance;
        case Kind::productWait: productWait(step); return Next::advance;
        case Kind::branch:
            ++m_engine.counters.branches;
            if (step.mask != split.mask) return partBranch(step, m_running);
            split.pc = static_cast<std::uint32_t>(op.immediate);
            return Next::jumped;
        case Kind::branchIndexed: return branchIndexed(step, m_running);
        case Kind::collective: return collectiveStep(step, m_running);
        case Kind::barrier: return barrierStep(step, m_running);
        case Kind::mbarrier: return mbarrierStep(step, m_running);
        case Kind::call: return callStep(step, m_running);
        case Kind::callIndirect: return callIndirect(step, m_running);
        case Kind::deviceCall: return deviceCall(step);
        case Kind::ret: return returnStep(step, m_running);
        case Kind::exit: return leave(step, m_running);
        case Kind::trap:
            return stopRun(step, FindingKind::launch, "trap", "the kernel executed trap",
                           "a device-side assertion or check failed before this line");
        case Kind::unsupported:
            if (!step.mask) return Next::advance;
            return stopRun(step, FindingKind::unsupported, "emulator", m_engine.program.texts[op.extra],
                           "the emulator gives no answer for this kernel; verify it on a GPU");
        }
        return Next::advance;
    }

    Engine& m_engine;
    Block& m_block;
    Warp& m_warp;
    ExpandedMask m_expanded;
    std::size_t m_ready = 0;   ///< splits that could run
    std::size_t m_running = 0; ///< the running split's place in the warp's list
};

} // namespace

Progress runWarp(Engine& engine, Block& block, Warp& warp, std::uint64_t slice) {
    return WarpRunner(engine, block, warp).run(slice);
}

} // namespace ptxwb::emulator
