// Reads what nvcc, its front end and the host compiler write.
// Called by nvcc.cpp.
#pragma once

#include "support/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::toolchain {

/// Messages of the forms `FILE(LINE): error: ...`, `FILE:LINE:COL: error: ...` and `nvcc fatal   : ...` with their
/// places. A missing or too new host compiler becomes one error with three ways out (and nothing else is listed).
/// `nvcc` is how to call the tool in such a message, such as "nvcc 13.0.88".
std::vector<Diagnostic> parseNvccLog(std::string_view log, std::string_view nvcc);

} // namespace ptxwb::toolchain
