// One side of a comparison: the text cut into lines and tokens, each token with what the module says about it.
// Made by `compare` and `compareText`; read by every other file of this folder.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ptxwb::compare {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

enum class TokenKind : std::uint8_t {
    word, ///< an identifier that is none of the below
    opcode,
    modifier,  ///< `.ftz`, `.s32`, `.global`: a dotted word
    component, ///< `.x` right behind a name
    number,
    string,
    punctuation,
    reg,         ///< symbol: index into Document::ranges
    label,       ///< symbol: index into Document::labels
    parameter,   ///< symbol: position among the function's results and parameters
    declaration, ///< the stem of a `.reg` declarator
};

struct Token {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    TokenKind kind = TokenKind::word;
    bool defines = false; ///< a register that is written, a label where it stands
    std::uint32_t symbol = none;
    std::uint64_t hash = 0; ///< of the text
    std::uint32_t end() const { return offset + length; }
};

enum class LineKind : std::uint8_t {
    blank,
    comment,     ///< comment only
    candidate,   ///< `//@ launch`, `//@ require`: a comment that changes what runs
    label,       ///< a label alone
    registers,   ///< `.reg`
    location,    ///< `.loc`, `.file`
    directive,   ///< begins with another dotted word
    instruction, ///< an instruction begins on it
    bracket,     ///< punctuation only
    other,       ///< the rest of a statement, data, what the parser could not read, any line of a plain text
};

struct Line {
    std::uint32_t offset = 0;
    std::uint32_t length = 0; ///< without the line break
    std::uint32_t firstToken = 0;
    std::uint32_t tokenCount = 0;
    std::uint32_t commentOffset = 0; ///< of the first comment, where there is one
    std::uint32_t commentLength = 0;
    std::uint64_t commentHash = 0; ///< of all comments of the line; 0 where there is none
    LineKind kind = LineKind::blank;
    std::uint32_t function = none; ///< index into Module::functions
    std::uint32_t opcodeToken = none;
};

/// A live range of a register: the values between one definition and its last use, or all of a register that is live
/// across blocks. Registers are compared by live range, because a hand-written kernel uses one register for many
/// values.
struct LiveRange {
    std::uint32_t function = none;
    ptx::Index reg = ptx::noIndex;
    ptx::ScalarType type = ptx::ScalarType::none;
    std::uint8_t vector = 1;
};

struct LabelSymbol {
    std::uint32_t function = none; ///< none: a label of a debug section
    std::uint32_t line = none;     ///< where it is defined
};

struct Document {
    std::string_view text;
    const ptx::Module* module = nullptr; ///< nullptr for a plain text
    std::vector<Token> tokens;
    std::vector<Line> lines;
    std::vector<LiveRange> ranges;
    std::vector<LabelSymbol> labels;

    std::string_view textOf(const Token& t) const { return text.substr(t.offset, t.length); }
    std::uint32_t lineOf(std::uint32_t offset) const; ///< index of the line that holds the byte
    /// First token that begins at or behind the byte.
    std::uint32_t tokenFrom(std::uint32_t offset) const;
    bool isTrivia(const Line& line) const { return line.kind == LineKind::blank || line.kind == LineKind::comment; }
};

/// Lines and tokens of a text that is not PTX: comments are words like the rest.
Document makeDocument(std::string_view text);
/// Lines and tokens of a module, with registers as live ranges, labels and parameters resolved.
Document makeDocument(const ptx::Module& module);

/// Mixes one value into a running hash; the order of calls matters.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E37'79B9'7F4A'7C15ull;
    return hash ^ (hash >> 29);
}
std::uint64_t hashOf(std::string_view text);

} // namespace ptxwb::compare
