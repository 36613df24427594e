// Lines that stand elsewhere on the other side: a hoisted load, a block in another place.
// Called by `compare` after the alignment.
#pragma once

#include "compare/pair_functions.h"
#include "compare/symbol_map.h"

namespace ptxwb::compare {

/// Pairs labels that stand for each other where only a few pairs of lines cross them; those pairs are given up, so that
/// a hoisted instruction is what moved, not the label.
void pinLabels(const Side& left, const Side& right, const std::vector<FunctionPair>& functions, const SymbolMap& map,
               Pairs& pairs);

/// Pairs lines that `pairs` left alone: those whose KeyLevel::mapped is unique on both sides within a pair of
/// functions, and their neighbours that go with them. `moved` keeps what it holds.
void findMoves(const Side& left, const Side& right, const std::vector<FunctionPair>& functions, const Pairs& pairs,
               Pairs& moved);

} // namespace ptxwb::compare
