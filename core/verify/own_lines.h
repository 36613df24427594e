// A module's text with a `.loc` before each instruction that points into that text itself: every tool that follows
// `.loc` (compute-sanitizer, PC sampling) then speaks of PTX lines. The machine code stays the same to the byte.
// Called by the deep checks.
#pragma once

#include "ptx/module.h"

namespace ptxwb::verify {

/// `file`: how the text is called in messages. The module's own `.file` and `.loc` lines become comments, so that every
/// line keeps its number.
std::string withOwnLines(const ptx::Module& module, std::string_view file);

} // namespace ptxwb::verify
