// One launch of a case on the emulator with every checker on. Used by the tests of this folder.
#pragma once

#include "cases.h"

#include "support/finding.h"

namespace ptxwb::kernels {

struct EmulatorRun {
    std::string error; ///< why it was not launched
    std::vector<Finding> findings;
    bool completed = false;
    std::vector<std::string> unwritten; ///< outputs of which an element was never written
    Answer answer;
    std::uint64_t threadInstructions = 0;
};

/// `ptx` in place of the case's own. `schedule`: 0 runs warps in order, other values draw an order. `limit`: thread
/// instructions; where threads wait for what a fault keeps from them they spin that long.
EmulatorRun runOnEmulator(const Case& one, const std::string& ptx, std::uint64_t schedule,
                          std::uint64_t limit = 500'000'000);

} // namespace ptxwb::kernels
