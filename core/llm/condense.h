// Long PTX made short for a prompt: what matters least goes first, and whatever goes is named where it stood.
// Used by prompt.cpp.
#pragma once

#include "ptx/module.h"

#include <string>
#include <vector>

namespace ptxwb::llm {

struct Condensed {
    std::string text;
    std::vector<std::string> omitted; ///< for the person and for the model: "212 .loc lines", "lines 40 to 310: ..."
    bool isWhole = true;              ///< nothing but line information and debug sections is missing
};

/// The entry with what its module declares, in at most `tokens` (estimated). Line information, debug sections and other
/// entries go first. Then whole blocks: straight-line code outside of loops before outer loops before inner ones, of
/// equal ones the longest; each gap says how many instructions it had, which opcodes, which barriers, and which
/// registers come out of it. Declarations, parameters and the innermost loops stay, even where they are longer than
/// `tokens`: then the answer is longer, too.
Condensed condense(const ptx::Module& module, const ptx::Function& entry, std::uint64_t tokens);

} // namespace ptxwb::llm
