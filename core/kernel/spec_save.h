// Writing kernel specs: the same JSON for the same value, in the order of the documentation.
// Called by `ptxwb init`, by sessions and by the client that sends a spec to a worker.
#pragma once

#include "kernel/spec.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::kernel {

nlohmann::ordered_json toJson(const KernelSpec& spec);

/// As a person would lay it out: two blanks of indentation, what fits 110 columns on one line, a final newline.
std::string formatJson(const nlohmann::ordered_json& value);

} // namespace ptxwb::kernel
