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

} // namespace ptxwb::emulator
