// Which block every way to another leads through, and the loops that follow from it.
// Used by the outline, by uniformity, and by prompts that name hot loops.
#pragma once

#include "ptx/cfg.h"

namespace ptxwb::ptx {

/// Immediate dominator of each block; noIndex for the entry and for blocks that cannot be reached.
/// Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
std::vector<Index> immediateDominators(const ControlFlow& flow);

/// Does every way from the entry to `block` lead through `dominator`? A block dominates itself.
bool dominates(const std::vector<Index>& immediate, Index dominator, Index block);

struct Loop {
    Index header = 0;
    std::vector<Index> blocks; ///< ascending, the header among them
    Index parent = noIndex;    ///< into the list of loops
    std::uint32_t depth = 1;   ///< 1 for an outermost loop
    bool operator==(const Loop&) const = default;
};

/// Natural loops: ways back to a block that dominates where they come from; those with one header are one loop.
/// Cycles that can be entered in two places are none and are left out. Outer loops come before inner ones.
std::vector<Loop> loops(const ControlFlow& flow, const std::vector<Index>& immediate);

} // namespace ptxwb::ptx
