// A finding as a message with its place, sizes, fill and seed.
// Called by the reports and by `ptxwb verify`.
#pragma once

#include "support/diagnostic.h"
#include "support/finding.h"

namespace ptxwb::report {

/// " [n = 33, fill normal, seed 7, 12 times]", empty where there is nothing to say.
std::string conditions(const Finding& finding);

/// A finding as a diagnostic of `file`: its conditions become part of the message.
Diagnostic diagnosticOf(const Finding& finding, const std::string& file);

} // namespace ptxwb::report
