// What could stand at a place of a text that is being typed: opcodes, modifiers that fit, names in scope.
// Called by the window's editors at each key.
#pragma once

#include "ptx/module.h"

#include <string>
#include <vector>

namespace ptxwb::ptx {

enum class CompletionKind : std::uint8_t {
    opcode,
    modifier,
    directive,
    reg,
    specialRegister,
    label,
    variable,
    function
};

struct Completion {
    std::string text; ///< that replaces `Completions::replaced`
    CompletionKind kind = CompletionKind::opcode;
    std::string detail; ///< ".b32", "sum; .cc also writes the carry flag"
};

struct Completions {
    Span replaced; ///< what has been typed of the word
    std::vector<Completion> items;
};

/// `offset`: of the caret, in bytes of `module.text`. Nothing within comments. At most `limit` items; those that are
/// likelier come first. The module may be broken at that very place: the statement is read from the text.
Completions complete(const Module& module, std::uint32_t offset, std::size_t limit = 200);

} // namespace ptxwb::ptx
