// Pairs the tokens of two lines that stand in one row.
// Called by the vote on the symbol map and by the classification of rows.
#pragma once

#include "compare/document.h"

namespace ptxwb::compare {

/// Indices into Document::tokens; one of the two is `none` where a token has no partner.
struct TokenPair {
    std::uint32_t left = none;
    std::uint32_t right = none;
};

/// In order; every token of both lines stands in exactly one pair. Overwrites `pairs`.
void pairTokens(const Document& left, const Line& leftLine, const Document& right, const Line& rightLine,
                std::vector<TokenPair>& pairs);

} // namespace ptxwb::compare
