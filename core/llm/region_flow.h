// How control enters and leaves a range of instructions, and what is written on every way through it.
// Used by region.cpp and stitch.cpp.
#pragma once

#include "ptx/cfg.h"

#include <string>
#include <vector>

namespace ptxwb::llm {

struct RegionFlow {
    std::vector<std::string> keptLabels; ///< inside (its first instruction apart), jumped to from outside
    std::vector<std::string> exits;      ///< outside, jumped to from inside
    bool fallsThrough = false;
    bool leaves = false;
};

RegionFlow regionFlow(const ptx::Module& module, const ptx::Function& entry, const ptx::ControlFlow& flow,
                      std::uint32_t first, std::uint32_t end);

/// "bar.sync 0", "bar.sync %, 64", one for each barrier instruction, in alphabetical order.
std::vector<std::string> barriersIn(const ptx::Module& module, const ptx::Function& entry, std::uint32_t first,
                                    std::uint32_t end);

/// For each of `registers` whether it is written on every way from the region's entries to its exits. Two writes under
/// opposite guards count as one, as long as the predicate is not written between them.
std::vector<bool> writtenOnEveryWay(const ptx::Function& entry, const ptx::ControlFlow& flow, std::uint32_t first,
                                    std::uint32_t end, const std::vector<ptx::Index>& registers);

} // namespace ptxwb::llm
