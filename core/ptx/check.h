// What ptxas would refuse in a parsed module, and what it takes in silence and people regret.
// Called after every edit by the window, by `ptxwb check`, and as the funnel's first stage.
#pragma once

#include "ptx/module.h"

namespace ptxwb::ptx {

/// The parser's diagnostics and the checker's, in order of place. An error is what ptxas refuses; the rest are warnings
/// and notes. An opcode or modifier that the table does not know is a note.
std::vector<Diagnostic> check(const Module& module);

} // namespace ptxwb::ptx
