#include "emulator/warp_control.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace ptxwb::emulator {

namespace {

/// The interpreter's split is a copy: writes it back, or takes it out where no lane is left.
void save(const Step& step, std::size_t running) {
    auto& splits = step.warp.splits;
    if (step.split.mask)
        splits[running] = step.split;
    else
        splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(running));
}

/// The lanes of the step have gone elsewhere: what is left of the running split goes on behind this instruction.
void passOn(const Step& step, std::size_t running) {
    step.split.mask &= ~step.mask;
    ++step.split.pc;
    save(step, running);
}

/// The lanes whose guard fails go on as a split of their own; those whose guard holds stay here in `state`.
Next waitWithout(const Step& step, std::size_t running, SplitState state) {
    Split& split = step.split;
    Split going = split;
    going.mask = split.mask & ~step.mask;
    ++going.pc;
    split.mask = step.mask;
    split.state = state;
    save(step, running);
    step.warp.splits.push_back(going);
    return Next::reloaded;
}

} // namespace

Next stopRun(const Step& step, FindingKind kind, const char* check, std::string message, std::string hint) {
    if (!step.mask) return Next::advance;
    Finding finding;
    finding.kind = kind;
    finding.check = check;
    finding.message = std::move(message);
    finding.hint = std::move(hint);
    report(step, static_cast<unsigned>(std::countr_zero(step.mask)), std::move(finding));
    step.engine.stopped = true;
    return Next::waits;
}

void reportTimeout(const Step& step) {
    Finding finding;
    finding.kind = FindingKind::timeout;
    finding.check = "deadline";
    const Options& options = step.engine.options;
    const bool late = options.deadline && std::chrono::steady_clock::now() >= *options.deadline;
    finding.message = late ? "still running when its time was over"
                           : fmt::format("still running after {} thread instructions", options.instructionLimit);
    finding.hint = "an endless loop, or sizes too large for the emulator";
    report(step, static_cast<unsigned>(std::countr_zero(step.split.mask)), std::move(finding));
    step.engine.outOfTime = true;
}

Next partBranch(const Step& step, std::size_t running) {
    Split& split = step.split;
    if (!step.mask) return Next::advance;
    ++step.engine.counters.divergentBranches;
    Split taken = split;
    taken.mask = step.mask;
    taken.pc = static_cast<std::uint32_t>(step.op.immediate);
    passOn(step, running);
    step.warp.splits.push_back(taken);
    return Next::reloaded;
}

Next branchIndexed(const Step& step, std::size_t running) {
    Split& split = step.split;
    ++step.engine.counters.branches;
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
    if (taken.size() > 1 || step.mask != split.mask) ++step.engine.counters.divergentBranches;
    passOn(step, running);
    for (const Split& to : taken) step.warp.splits.push_back(to);
    return Next::reloaded;
}

Next collectiveStep(const Step& step, std::size_t running) {
    Split& split = step.split;
    if (!step.mask) return Next::advance;
    // The others come back to this place as a split.
    if (step.mask != split.mask) return waitWithout(step, running, split.state);
    if (!hasAllMembers(step)) {
        split.state = SplitState::atCollective;
        return Next::waits;
    }
    collective(step, step.function().collectives[step.op.extra]);
    return step.engine.stopped ? Next::waits : Next::advance;
}

Next barrierStep(const Step& step, std::size_t running) {
    Split& split = step.split;
    if (!step.mask) return Next::advance;
    if (step.mask != split.mask) return waitWithout(step, running, SplitState::atBarrier);
    split.state = SplitState::atBarrier;
    return Next::waits;
}

/// The lanes of the mask as a split in a new frame of the callee; empty (and a finding) where the stack has no room.
static std::optional<Split> enter(const Step& step, const CallOp& call, std::uint32_t mask) {
    const Split& split = step.split;
    const DecodedFunction& callee = step.engine.program.functions[call.function];
    Frame* caller = split.frame;
    if (caller->localBase + caller->function->localBytes + callee.localBytes > step.engine.localCapacity ||
        caller->depth > 1000) {
        stopRun(step, FindingKind::outOfBounds, "stack",
                fmt::format("the call of {} needs more than the {} bytes of stack that a thread has",
                            callee.source->name, step.engine.localCapacity),
                "bound the recursion");
        return std::nullopt;
    }
    if (step.engine.frameBytes > step.engine.options.memoryLimit / 3) {
        stopRun(step, FindingKind::outOfBounds, "stack",
                fmt::format("the registers of all calls that have not returned take {} bytes", step.engine.frameBytes),
                "bound the recursion, or launch fewer threads on the emulator");
        return std::nullopt;
    }
    Split inner = split;
    inner.mask = mask;
    inner.pc = 0;
    Frame* frame = newFrame(step.engine, step.warp, callee, caller, mask);
    frame->call = &call;
    frame->returnPc = split.pc + 1;
    inner.frame = frame;
    copyArguments(step, *caller, *frame, call.arguments, mask);
    return inner;
}

Next callStep(const Step& step, std::size_t running) {
    if (!step.mask) return Next::advance;
    const auto inner = enter(step, step.function().calls[step.op.extra], step.mask);
    if (!inner) return Next::waits;
    passOn(step, running);
    step.warp.splits.push_back(*inner);
    return Next::reloaded;
}

Next callIndirect(const Step& step, std::size_t running) {
    if (!step.mask) return Next::advance;
    const DecodedFunction& function = step.function();
    std::vector<Split> inner;
    for (std::uint32_t left = step.mask; left;) {
        const std::uint64_t address = step.word64(step.op.a, static_cast<unsigned>(std::countr_zero(left)));
        std::uint32_t same = 0;
        forLanes(left, [&](unsigned lane) {
            same |= static_cast<std::uint32_t>(step.word64(step.op.a, lane) == address) << lane;
        });
        const auto& calls = function.indirectCalls[step.op.extra].calls;
        const auto chosen = std::ranges::find_if(
            calls, [&](std::uint32_t i) { return functionAddress(function.calls[i].function) == address; });
        if (chosen == calls.end())
            return stopRun(step, FindingKind::launch, "call_target",
                           fmt::format("calls address 0x{:x}, where no function with these parameters lies", address),
                           "the register must hold the address of a function of the module");
        const auto split = enter(step, function.calls[*chosen], same);
        if (!split) return Next::waits;
        inner.push_back(*split);
        left &= ~same;
    }
    if (inner.size() > 1) ++step.engine.counters.divergentBranches;
    passOn(step, running);
    for (const Split& split : inner) step.warp.splits.push_back(split);
    return Next::reloaded;
}

Next returnStep(const Step& step, std::size_t running) {
    Split& split = step.split;
    Frame* frame = split.frame;
    if (!frame->parent) return leave(step, running);
    if (!step.mask) return Next::advance;
    copyArguments(step, *frame, *frame->parent, frame->call->results, step.mask);
    Split outer = split;
    outer.mask = step.mask;
    outer.frame = frame->parent;
    outer.pc = frame->returnPc;
    passOn(step, running);
    leaveFrame(step.warp, frame, step.mask, Leaving::byReturn);
    step.warp.splits.push_back(outer);
    return Next::reloaded;
}

Next leave(const Step& step, std::size_t running) {
    if (!step.mask) return Next::advance;
    Split& split = step.split;
    Frame* frame = split.frame;
    passOn(step, running);
    leaveFrame(step.warp, frame, step.mask, Leaving::byExit);
    exitLanes(step.block, step.warp, step.mask);
    return Next::reloaded;
}

} // namespace ptxwb::emulator
