// What one PTX instruction becomes: one or a few micro-operations with everything looked up.
// Written by the decoder, read by the warp's loop and by the lane functions.
#pragma once

#include "emulator/lanes.h"

namespace ptxwb::emulator {

enum class Kind : std::uint8_t {
    lanes,         ///< `lanes` does it
    scalar,        ///< `scalar` lane by lane; `widths` tells the slots' word sizes
    carry,         ///< add.cc and its family; `immediate` is a CarryOp
    load,          ///< `extra` indexes DecodedFunction::memory
    store,         ///< likewise
    atomic,        ///< `extra` indexes DecodedFunction::atomics
    loadParameter, ///< d = the entry's parameter block at `immediate`, the same in every lane; `extra` indexes memory
    localAddress,  ///< d = address of the frame's local byte `immediate`
    clock,         ///< d = instructions that the warp has executed
    activeMask,    ///< d = lanes that execute together
    collective,    ///< `extra` indexes DecodedFunction::collectives
    barrier,       ///< `extra` indexes DecodedFunction::barriers
    mbarrier,      ///< `extra` indexes DecodedFunction::mbarriers
    fence,         ///< `immediate`: 0 orders nothing, 1 for the block, 2 for the device
    asyncCopy,     ///< `extra` indexes DecodedFunction::asyncCopies
    asyncCommit,
    asyncWait,  ///< for all groups but the last `immediate`; -1: for all, committed or not
    bulkCopy,   ///< `extra` indexes DecodedFunction::bulkCopies
    asyncStore, ///< `extra` indexes DecodedFunction::asyncStores
    texture,    ///< `extra` indexes DecodedFunction::textures
    clusterArrive,
    clusterWait,
    bulkCommit,
    bulkWait,     ///< for all groups but the last `immediate`
    proxyFence,   ///< fence.proxy.async
    productFence, ///< wgmma.fence, its commit_group, and its wait_group for all groups but the last `immediate`
    productCommit,
    productWait,
    branch,        ///< to `immediate`
    branchIndexed, ///< `a` selects from DecodedFunction::targetLists[extra]
    call,          ///< `extra` indexes DecodedFunction::calls
    callIndirect,  ///< of the address in `a`; `extra` indexes DecodedFunction::indirectCalls
    deviceCall,    ///< `extra` indexes DecodedFunction::deviceCalls
    ret,
    exit,
    trap,
    nothing,
    unsupported, ///< `extra` indexes Program::texts
};

using ScalarFunction = std::uint64_t (*)(std::uint64_t a, std::uint64_t b, std::uint64_t c);

enum class CarryOp : std::uint8_t { add, subtract, multiplyLow, multiplyHigh };

struct MicroOp {
    Kind kind = Kind::nothing;
    bool guardNegated = false;
    bool first = true; ///< first micro-operation of its PTX instruction: the one that is counted
    std::uint8_t widths =
        0; ///< bit 0: d has 8-byte words; bits 1, 2, 3: a, b, c. Bits 4, 5, 6: a, b, c are predicates. Bit 7: d is
    LaneFunction lanes = nullptr;
    ScalarFunction scalar = nullptr;
    Slot d = 0, a = 0, b = 0, c = 0;
    Slot guard = noSlot;
    std::uint32_t extra = 0;
    std::int64_t immediate = 0;
    std::uint32_t instruction = 0; ///< index into ptx::Function::instructions
    std::uint32_t check = ~0u;     ///< index into DecodedFunction::registerUses where registers may be unwritten
};

} // namespace ptxwb::emulator
