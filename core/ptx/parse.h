// Text to tree. The window calls it as the person types, everything else once a file.
// Every error of a file is collected; a tree always comes back.
#pragma once

#include "ptx/module.h"

namespace ptxwb::ptx {

/// Parses `text`; `name` is the file name for messages. The answer is never null: what could not be read is in
/// `Module::diagnostics` (kind "syntax" or "type"), and the statement around it is left out of the tree.
std::shared_ptr<const Module> parse(std::string text, std::string name = {});

} // namespace ptxwb::ptx
