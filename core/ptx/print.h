// Pieces of a module as text.
// Used by the window's tables, findings and the comparison's notes.
#pragma once

#include "ptx/module.h"

namespace ptxwb::ptx {

/// As written, from the guard to before the semicolon; runs of blanks, line ends and comments become one blank.
std::string instructionText(const Module& module, const Function& function, std::size_t index);

} // namespace ptxwb::ptx
