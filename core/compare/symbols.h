// Puts what the module's tree knows (opcodes, registers, labels, parameters) on the tokens of a document.
// Called by `makeDocument`.
#pragma once

#include "compare/document.h"

namespace ptxwb::compare {

/// Sets kind, symbol and `defines` of the tokens, kind and function of the lines, and fills ranges and labels.
void resolveSymbols(Document& document);

} // namespace ptxwb::compare
