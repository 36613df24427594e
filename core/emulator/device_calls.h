// Calls of the device runtime: vprintf and __assertfail.
// Called by the warp's loop; `run` puts together what was printed.
#pragma once

#include "emulator/warp_control.h"

namespace ptxwb::emulator {

Next deviceCall(const Step& step);

/// What all host threads' blocks printed, in the order of blocks, and of time within a block.
std::string printedOf(std::vector<Printed> printed, std::uint64_t lastBlock);

} // namespace ptxwb::emulator
