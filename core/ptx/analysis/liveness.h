// Which registers hold a value that is still needed: at each block, each instruction, across a range of lines.
// Used by register pressure in the window, by region rewriting (what a region gets and must leave), by the checker.
#pragma once

#include "ptx/analysis/accesses.h"
#include "ptx/analysis/bit_rows.h"
#include "ptx/cfg.h"

namespace ptxwb::ptx {

/// Registers are numbered anew by what is mentioned: `.reg .b32 %r<1000000>` costs nothing.
struct Liveness {
    std::vector<Index> registers; ///< id of each number, ascending
    std::vector<Index> numberOf;  ///< of each mention of `accesses`
    AccessTable accesses;
    BitRows liveIn, liveOut; ///< of each block; bits are numbers

    explicit Liveness(const Function& function) : accesses(function) {}
    Index number(Index registerId) const; ///< noIndex where nothing mentions it
    /// Ids live before the instruction, ascending. Walks its block: ask for ranges of lines, not for every line.
    std::vector<Index> liveBefore(const ControlFlow& flow, std::uint32_t instruction) const;
};

/// A guarded write keeps the old value alive. What cannot be reached keeps its own reads alive only.
Liveness liveness(const Function& function, const ControlFlow& flow);

/// How many registers of 32 bits hold live values: the larger of before and after the instruction. A .b64 counts as 2,
/// narrower ones as 1. An upper bound on what ptxas sees before it moves instructions, not what it will allot.
struct Pressure {
    std::uint32_t words = 0;
    std::uint32_t predicates = 0;
    bool operator==(const Pressure&) const = default;
};
std::vector<Pressure> registerPressure(const Function& function, const ControlFlow& flow, const Liveness& live);

/// What a range of lines gets from outside and what of its results is needed outside.
struct RegionLiveness {
    std::uint32_t first = 0, end = 0; ///< instructions that begin on those lines
    std::vector<Index> liveIn;        ///< ids, ascending: read there before the region writes them
    std::vector<Index> liveOut;       ///< ids, ascending: written there and read after it
};
/// Lines from 1, both included.
RegionLiveness regionLiveness(const Module& module, const Function& function, const ControlFlow& flow,
                              const Liveness& live, std::uint32_t firstLine, std::uint32_t lastLine);

} // namespace ptxwb::ptx
