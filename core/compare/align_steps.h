// The three ways to pair lines within a gap: unique anchors, the shortest edit script, the best score.
// Called by `align`.
#pragma once

#include "compare/align.h"

namespace ptxwb::compare {

struct LinePair {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
};

/// Patience: keys of `lines` neighbouring lines that stand once on each side, the longest chain that keeps the order.
std::vector<LinePair> uniqueAnchors(const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right,
                                    LineRange leftRange, LineRange rightRange, unsigned lines);

/// Myers' O(ND) script of equal keys. After `giveUp` differences the furthest path so far is taken and the search
/// starts anew from its end; the budget is then marked approximate.
std::vector<LinePair> shortestEdit(const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right,
                                   LineRange leftRange, LineRange rightRange, Budget& budget, int giveUp = 256);

/// Dynamic programming over size x size cells: the order-keeping pairs with the greatest sum of likenesses.
void alignBest(const Side& left, const Side& right, LineRange leftRange, LineRange rightRange, bool withMap,
               Pairs& pairs);

} // namespace ptxwb::compare
