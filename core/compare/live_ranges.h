// Splits the registers of one function into live ranges.
// Called by `resolveSymbols`.
#pragma once

#include "compare/document.h"

#include <span>

namespace ptxwb::compare {

enum class Access : std::uint8_t {
    read,
    write,
    partialWrite, ///< guarded, or one component of a vector: the old value stays alive
};

/// One mention of a register, in order of instructions; an instruction's reads stand before its writes.
struct Mention {
    std::uint32_t token = 0;
    ptx::Index reg = 0;
    std::uint32_t block = 0; ///< grows; a basic block of the function
    Access access = Access::read;
};

/// Appends the live ranges to `document.ranges` and sets `symbol` of each mentioned token. A register that is read in a
/// block which has not written it before keeps one range for all that crosses blocks (no data flow is solved: two
/// such ranges of one register are taken for one).
void splitLiveRanges(Document& document, std::uint32_t functionIndex, std::span<const Mention> mentions);

} // namespace ptxwb::compare
