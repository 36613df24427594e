// Which live range and which label of one side stands for which of the other, by the vote of the paired lines.
// Called by `compare` after each alignment.
#pragma once

#include "compare/align.h"

namespace ptxwb::compare {

/// One to one both ways; `none` where there is no partner.
struct SymbolMap {
    std::vector<std::uint32_t> rightRange, leftRange; ///< by range of the left, of the right
    std::vector<std::uint32_t> rightLabel, leftLabel;
};

/// Each pair of tokens in paired lines is a vote; definitions and strictly equal lines weigh more. The pair with most
/// votes wins, then the next one whose two sides are still free.
SymbolMap voteOnSymbols(const Side& left, const Side& right, const Pairs& pairs);

/// KeyLevel::mapped of both sides: partners share a number.
void setMappedKeys(Side& left, Side& right, const SymbolMap& map);

} // namespace ptxwb::compare
