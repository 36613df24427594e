// mbarrier objects while a block runs: arrivals, expected bytes, waits. Called by the interpreter (warp.cpp), by
// block.cpp where nothing can go on.
#pragma once

#include "emulator/warp_control.h"

#include <string>

namespace ptxwb::emulator {

/// One instruction of the group. A try_wait whose phase is not complete leaves its lanes in SplitState::atMbarrier.
Next mbarrierStep(const Step& step, std::size_t running);

/// A copy of the lane brings `bytes` to the phase of the mbarrier at the offset of the step's block: `transfer` is told
/// which. False (and a finding) where there is no such mbarrier, or it cannot count that.
bool completeTransfer(const Step& step, unsigned lane, std::uint64_t offset, std::uint32_t bytes,
                      AsyncProxy::Transfer& transfer);

/// No split of the block can go on: gives the lanes that wait in try_wait the answer that their time is over, as the
/// hardware does in the end. False where there are none, or where several such rounds changed no mbarrier: whoever
/// waits then waits for ever.
bool timeOutMbarriers(Block& block);

/// What the mbarrier for which a split waits is short of: "; the mbarrier at offset 8 lacks 1 of 2 arrivals". Empty
/// where it waits for something else.
std::string mbarrierLacks(const Block& block, const Split& split);

} // namespace ptxwb::emulator
