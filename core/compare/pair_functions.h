// Which function of one module is compared with which of the other, and in what order the pairs stand.
// Called by `compare`.
#pragma once

#include "compare/align.h"

namespace ptxwb::compare {

struct FunctionPair {
    std::uint32_t left = none;
    std::uint32_t right = none;
    bool inOrder = true; ///< false: it stands elsewhere among its neighbours on the other side
    bool sameName = true;
    bool sameRegisters = false; ///< as many registers of each type are declared
};

/// By name, then by signature where it is unique, then the only ones left over of their kind. In order of the left.
/// The pairs in order are the chain that holds the most lines.
std::vector<FunctionPair> pairFunctions(const Document& left, const Document& right);

/// The lines of each function; functions that share their lines with an earlier one have none.
std::vector<LineRange> functionLines(const Document& document);

} // namespace ptxwb::compare
