// Which registers can differ between the lanes of a warp, and which branches can therefore diverge.
// Used by the checker (barriers under divergent control flow) and by the window's hints.
#pragma once

#include "ptx/cfg.h"

namespace ptxwb::ptx {

/// Errs towards "can differ": what a function is given, what atomics, shuffles and calls answer, and loads from
/// addresses that differ. Values that all lanes of a warp share count as uniform even where warps differ.
struct Uniformity {
    std::vector<bool> divergentRegister; ///< by register id; ids that nothing mentions are false
    std::vector<bool> divergentBranch;   ///< by instruction: a guarded branch, return or brx that lanes may take apart
    std::vector<bool> divergentBlock;    ///< by block: not all lanes of a warp that reached the function need be here
    std::vector<bool> divergentInside;   ///< by block: the same, and those that are missing have not left the function
};
Uniformity uniformity(const Module& module, const Function& function, const ControlFlow& flow);

} // namespace ptxwb::ptx
