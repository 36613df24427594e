#include "emulator/state.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

/// A spinning split gives way after this many warp instructions while others of its warp wait.
constexpr std::uint64_t patience = 1024;

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
                if (!arriveAtBarriers()) break;
                progress = Progress::some;
                continue;
            }
            const std::uint64_t budget = m_ready > 1 ? std::min(left, patience) : left;
            const std::uint64_t used = runSplit(chosen, budget, fair);
            m_warp.overtaken = fair || m_ready < 2 ? 0 : m_warp.overtaken + used;
            if (used) progress = Progress::some;
            left -= std::min(left, std::max<std::uint64_t>(used, 1));
        }
        merge();
        return progress;
    }

private:
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
                splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(j));
            }
    }

    /// Index of the split to run, splits.size() where none is ready. `fair`: the last one in order instead of the
    /// first.
    std::size_t choose(bool fair) {
        auto& splits = m_warp.splits;
        std::size_t best = splits.size();
        m_ready = 0;
        for (std::size_t i = 0; i < splits.size(); ++i) {
            if (splits[i].state != SplitState::ready) continue;
            ++m_ready;
            if (best == splits.size() || (fair ? before(splits[best], splits[i]) : before(splits[i], splits[best])))
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
        const MicroOp* code = split.frame->function->code.data();
        LaneContext context = contextOf(*split.frame);
        Counters& counters = m_engine.counters;
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
                const auto active = static_cast<unsigned>(std::popcount(mask));
                ++counters.warpInstructions;
                counters.threadInstructions += active;
                if (m_engine.instructionsLeft < active && !takeInstructions(m_engine, active)) {
                    reportTimeout(split, op);
                    break;
                }
                m_engine.instructionsLeft -= active;
            }
            context.mask = mask;
            m_expanded.set(mask);
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
            if (split.state == SplitState::atCollective && op.first) { // it will be counted when its lanes are complete
                --counters.warpInstructions;
                counters.threadInstructions -= static_cast<unsigned>(std::popcount(mask));
            }
            break; // waits
        }
        m_warp.splits[index] = split;
        m_warp.executed += used;
        return used;
    }

    enum class Next : std::uint8_t { advance, jumped, waits, reloaded };

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
        case Kind::nothing:
        case Kind::fence: return Next::advance;
        case Kind::branch: return branch(step, split);
        case Kind::branchIndexed: return branchIndexed(step, split);
        case Kind::collective: return collectiveStep(step, split);
        case Kind::barrier: return barrierStep(step, split);
        case Kind::call: return callStep(step, split);
        case Kind::ret: return returnStep(step, split);
        case Kind::exit: return leave(split, step.mask);
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

    Next stopRun(const Step& step, FindingKind kind, const char* check, std::string message, std::string hint) {
        if (!step.mask) return Next::advance;
        Finding finding;
        finding.kind = kind;
        finding.check = check;
        finding.message = std::move(message);
        finding.hint = std::move(hint);
        report(step, static_cast<unsigned>(std::countr_zero(step.mask)), std::move(finding));
        m_engine.stopped = true;
        return Next::waits;
    }

    void reportTimeout(Split& split, const MicroOp& op) {
        const LaneContext context = contextOf(*split.frame);
        const Step step{m_engine, m_block, m_warp, split, op, split.mask, context};
        Finding finding;
        finding.kind = FindingKind::timeout;
        finding.check = "deadline";
        finding.message = fmt::format("still running after {} thread instructions", m_engine.options.instructionLimit);
        finding.hint = "an endless loop, or sizes too large for the emulator";
        report(step, static_cast<unsigned>(std::countr_zero(split.mask)), std::move(finding));
        m_engine.outOfTime = true;
    }

    Next branch(const Step& step, Split& split) {
        ++m_engine.counters.branches;
        const auto target = static_cast<std::uint32_t>(step.op.immediate);
        if (step.mask == split.mask) {
            split.pc = target;
            return Next::jumped;
        }
        if (!step.mask) return Next::advance;
        ++m_engine.counters.divergentBranches;
        Split taken = split;
        taken.mask = step.mask;
        taken.pc = target;
        split.mask &= ~step.mask;
        ++split.pc;
        save(split);
        m_warp.splits.push_back(taken);
        return Next::reloaded;
    }

    Next branchIndexed(const Step& step, Split& split) {
        ++m_engine.counters.branches;
        const auto& targets = step.function().targetLists[step.op.extra];
        std::uint32_t left = step.mask;
        std::vector<Split> taken;
        while (left) {
            const std::uint32_t index = step.word32(step.op.a, static_cast<unsigned>(std::countr_zero(left)));
            std::uint32_t same = 0;
            forLanes(left, [&](unsigned lane) {
                same |= static_cast<std::uint32_t>(step.word32(step.op.a, lane) == index) << lane;
            });
            if (index >= targets.size())
                return stopRun(step, FindingKind::launch, "branch_index",
                               fmt::format("brx.idx with index {} into a list of {} targets", index, targets.size()),
                               "bound the index before the branch");
            Split to = split;
            to.mask = same;
            to.pc = targets[index];
            taken.push_back(to);
            left &= ~same;
        }
        if (taken.size() > 1 || step.mask != split.mask) ++m_engine.counters.divergentBranches;
        split.mask &= ~step.mask;
        ++split.pc;
        save(split);
        for (const Split& to : taken) m_warp.splits.push_back(to);
        return Next::reloaded;
    }

    Next collectiveStep(const Step& step, Split& split) {
        if (!step.mask) return Next::advance;
        if (step.mask !=
            split.mask) { // the lanes whose guard fails go on; the others come back to this place as a split
            Split going = split;
            going.mask = split.mask & ~step.mask;
            ++going.pc;
            split.mask = step.mask;
            save(split);
            m_warp.splits.push_back(going);
            return Next::reloaded;
        }
        if (!hasAllMembers(step)) {
            split.state = SplitState::atCollective;
            return Next::waits;
        }
        collective(step);
        return Next::advance;
    }

    Next barrierStep(const Step& step, Split& split) {
        if (!step.mask) return Next::advance;
        if (step.mask != split.mask) {
            Split going = split;
            going.mask = split.mask & ~step.mask;
            ++going.pc;
            split.mask = step.mask;
            split.state = SplitState::atBarrier;
            save(split);
            m_warp.splits.push_back(going);
            return Next::reloaded;
        }
        split.state = SplitState::atBarrier;
        return Next::waits;
    }

    Next callStep(const Step& step, Split& split) {
        if (!step.mask) return Next::advance;
        const CallOp& call = step.function().calls[step.op.extra];
        const DecodedFunction& callee = m_engine.program.functions[call.function];
        Frame* caller = split.frame;
        if (caller->localBase + caller->function->localBytes + callee.localBytes > m_engine.localCapacity ||
            caller->depth > 1000)
            return stopRun(step, FindingKind::outOfBounds, "stack",
                           fmt::format("the call of {} needs more than the {} bytes of stack that a thread has",
                                       callee.source->name, m_engine.localCapacity),
                           "bound the recursion");
        Split inner = split;
        inner.mask = step.mask;
        inner.pc = 0;
        Frame* frame = newFrame(m_engine, m_warp, callee, caller, step.mask);
        frame->call = &call;
        frame->returnPc = split.pc + 1;
        inner.frame = frame;
        copyArguments(step, *caller, *frame, call.arguments, step.mask);
        split.mask &= ~step.mask;
        ++split.pc;
        save(split);
        m_warp.splits.push_back(inner);
        return Next::reloaded;
    }

    Next returnStep(const Step& step, Split& split) {
        Frame* frame = split.frame;
        if (!frame->parent) return leave(split, step.mask);
        if (!step.mask) return Next::advance;
        copyArguments(step, *frame, *frame->parent, frame->call->results, step.mask);
        Split outer = split;
        outer.mask = step.mask;
        outer.frame = frame->parent;
        outer.pc = frame->returnPc;
        split.mask &= ~step.mask;
        ++split.pc;
        save(split);
        leaveFrame(m_warp, frame, step.mask, Leaving::byReturn);
        m_warp.splits.push_back(outer);
        return Next::reloaded;
    }

    Next leave(Split& split, std::uint32_t mask) {
        if (!mask) return Next::advance;
        Frame* frame = split.frame;
        split.mask &= ~mask;
        ++split.pc;
        save(split);
        leaveFrame(m_warp, frame, mask, Leaving::byExit);
        exitLanes(m_block, m_warp, mask);
        return Next::reloaded;
    }

    /// The running split is a copy: writes it back, or takes it out where no lane is left.
    void save(const Split& split) {
        if (split.mask)
            m_warp.splits[m_running] = split;
        else
            m_warp.splits.erase(m_warp.splits.begin() + static_cast<std::ptrdiff_t>(m_running));
    }

    Engine& m_engine;
    Block& m_block;
    Warp& m_warp;
    ExpandedMask m_expanded;
    std::size_t m_ready = 0;
    std::size_t m_running = 0;
};

} // namespace

Progress runWarp(Engine& engine, Block& block, Warp& warp, std::uint64_t slice) {
    return WarpRunner(engine, block, warp).run(slice);
}

} // namespace ptxwb::emulator
