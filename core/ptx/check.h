// What ptxas would refuse in a parsed module, and what it takes in silence and people regret.
// Called after every edit by the window, by `ptxwb check`, and as the funnel's first stage.
#pragma once

#include "ptx/module.h"

namespace ptxwb::ptx {

/// The parser's diagnostics and the checker's, in order of place. An error is what ptxas refuses; the rest are warnings
/// and notes. An opcode, a modifier or a form that the table does not know is an error where the file's PTX version is
/// one that the table is complete for, and a note where it is newer.
std::vector<Diagnostic> check(const Module& module);

} // namespace ptxwb::ptx
