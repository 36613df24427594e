// What changes a warp's splits: branches, calls, returns, exits, waiting for collectives and barriers, the run's end.
// Called by the interpreter's loop in warp.cpp.
#pragma once

#include "emulator/state.h"

namespace ptxwb::emulator {

/// What the interpreter does after an instruction. `reloaded`: the warp's list of splits is right, the interpreter's
/// copy of the running one is not.
enum class Next : std::uint8_t { advance, jumped, waits, reloaded };

// `step.split` is the interpreter's copy of the running split, `running` its place in the warp's list.

/// A branch that not every lane takes.
Next partBranch(const Step& step, std::size_t running);
Next branchIndexed(const Step& step, std::size_t running);
Next collectiveStep(const Step& step, std::size_t running);
Next barrierStep(const Step& step, std::size_t running);
Next callStep(const Step& step, std::size_t running);
Next callIndirect(const Step& step, std::size_t running);
Next returnStep(const Step& step, std::size_t running);
/// The lanes exit.
Next leave(const Step& step, std::size_t running);

/// A finding at this step that ends the run; nothing where no lane executes it.
Next stopRun(const Step& step, FindingKind kind, const char* check, std::string message, std::string hint);
/// The run's limit is used up before this step.
void reportTimeout(const Step& step);

// warp_meeting.cpp. No split of the warp is ready.
/// Executes an instruction for lanes that have come to it at several places of the code; false where there is none.
bool meetFromSeveralPlaces(Engine& engine, Block& block, Warp& warp);
/// Lanes wait for others that stand where only they themselves could let them go on: a finding that ends the run.
bool reportLanesThatNeverCome(Engine& engine, Block& block, Warp& warp);

// block.cpp
/// "0..15, 31"
std::string laneRanges(std::uint32_t mask);
/// The opcode with its modifiers as they stand in the text.
std::string opcodeText(const DecodedFunction& function, const MicroOp& op, const Program& program);
/// Where and at what the split waits.
RelatedFinding waiting(const Engine& engine, const Block& block, const Warp& warp, const Split& split);

} // namespace ptxwb::emulator
