// What a kernel does, as far as it decides which advice fits: loads that are narrow, products in loops, copies through
// shared memory. Used to choose patterns for a prompt.
#pragma once

#include "ptx/module.h"

#include <string>
#include <vector>

namespace ptxwb::llm {

/// Names that the patterns' `when` lines use, in alphabetical order:
/// barrier_in_loop, copy_to_shared, f16_arithmetic, fma_in_loop, fragments_by_load, loop, mma, scalar_global_loads,
/// scalar_global_stores, shared_in_loop, shared_reduction, shuffle, slow_division.
std::vector<std::string> features(const ptx::Module& module, const ptx::Function& entry);

/// All names that `features` can give.
const std::vector<std::string>& featureNames();

} // namespace ptxwb::llm
