// Kernels, functions and their blocks with line ranges.
// Used by the window's outline and by prompts that show where a region lies.
#pragma once

#include "ptx/module.h"

#include <string>

namespace ptxwb::ptx {

struct OutlineBlock {
    std::string name; ///< its labels, "$L__BB0_2"; empty where it has none
    std::uint32_t firstLine = 0, lastLine = 0;
    std::uint32_t loopDepth = 0; ///< 0 outside of loops
    bool isLoopHeader = false;
    bool reachable = true;
};

struct OutlineFunction {
    std::string name;
    Index function = 0; ///< into Module::functions
    bool isEntry = false;
    std::uint32_t firstLine = 0, lastLine = 0; ///< head and body
    std::vector<OutlineBlock> blocks;
};

/// In order of the text; declarations without a body are left out.
std::vector<OutlineFunction> outline(const Module& module);

} // namespace ptxwb::ptx
