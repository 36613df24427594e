// Basic blocks of a function and the ways between them.
// Used by the checker, the comparison and the emulator (reconvergence of diverged branches).
#pragma once

#include "ptx/module.h"

namespace ptxwb::ptx {

struct Block {
    std::uint32_t first = 0, end = 0; ///< instructions [first, end)
    std::vector<Index> successors;    ///< blocks; the one fallen into comes first
    std::vector<Index> predecessors;
    bool leaves = false;     ///< ret, exit or trap stands at the end, or a call that does not return
    bool fallsOff = false;   ///< control can reach the closing brace from here
    bool unresolved = false; ///< a branch whose label is not declared
    bool reachable = false;  ///< from the entry
};

/// Blocks in order of the text; block 0 is the entry. A function without instructions has none.
struct ControlFlow {
    std::vector<Block> blocks;
    std::vector<Index> blockOf;          ///< of each instruction
    std::vector<Index> reversePostOrder; ///< of the blocks that can be reached
    /// Immediate post-dominator of each block: the block where all ways from it meet again. noIndex where that is the
    /// function's end, and for blocks that cannot be reached or never end.
    std::vector<Index> postDominator;
};

/// Leaders are labels and what follows a branch, ret, exit or trap. `brx.idx` goes to every label of its
/// `.branchtargets`. A guarded branch or ret falls through as well. A call to a `.noreturn` function ends its block.
ControlFlow controlFlow(const Module& module, const Function& function);

/// Does the instruction, where its guard holds, never go on to the next one?
bool endsBlock(const Module& module, const Function& function, const Instruction& instruction);

} // namespace ptxwb::ptx
