// A module's text with a `.loc` before each instruction that points into that text itself: every tool that follows
// `.loc` (compute-sanitizer, PC sampling) then speaks of PTX lines. The machine code stays the same to the byte.
// Called by the deep checks and by the profile job.
#pragma once

#include "ptx/module.h"
#include "support/diagnostic.h"

#include <stop_token>

namespace ptxwb::verify {

struct Machine;

/// `file`: how the text is called in messages. The module's own `.file` and `.loc` lines become comments, so that every
/// line keeps its number.
std::string withOwnLines(const ptx::Module& module, std::string_view file);

/// The cubin of that text for `arch`, by the machine's ptxas. The file is called "candidate.ptx". Errors: no ptxas
/// (missing), a text that it refuses (rejected).
Expected<std::string> cubinWithOwnLines(const ptx::Module& module, const std::string& arch, const Machine& machine,
                                        std::stop_token stop);

} // namespace ptxwb::verify
