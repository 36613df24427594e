// A kernel's facts as the values of the templates.
// Used by prompt.cpp only.
#pragma once

#include "llm/prompt.h"
#include "ptx/module.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::llm {

/// Intent, parameters, sizes, launch, limits, notes of the spec.
nlohmann::json specFacts(const kernel::Kernel& kernel);
nlohmann::json targetFacts(const TargetLimits& target);
/// What the target can do that matters for kernels, with what it needs: one line each.
std::string abilities(std::string_view arch);

} // namespace ptxwb::llm
