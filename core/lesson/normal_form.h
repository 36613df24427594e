// A PTX text without what its author may name and lay out as they like: two submissions with one normal form are the
// same program.
// Called by the batch, which tells duplicates.
#pragma once

#include <string>

namespace ptxwb::lesson {

/// SHA-256 over the tokens of the text, where registers, labels, parameters and variables are called by the order in
/// which they come. Comments, white space, `.loc`, `.file`, `.version` and register declarations do not count; what a
/// candidate's header launches and requires does. Of a text that is no PTX: over its words.
std::string normalForm(const std::string& text);

} // namespace ptxwb::lesson
