// One token of PTX text.
// Made by the lexer; read by the parser's parts.
#pragma once

#include "ptx/module.h"

#include <cstdint>

namespace ptxwb::ptx {

enum class TokenKind : std::uint8_t {
    end,
    word,      ///< identifier, register, `%tid`, `_`
    directive, ///< `.reg`, `.f32`, `.shared::cta`, `.16x64b`: with the dot
    integer,
    real,
    string,      ///< with its quotes
    punctuation, ///< see `Token::mark`
    bad,         ///< see `Token::problem`
};

/// Two-byte operators; single-byte ones are their own byte.
enum Mark : char {
    markShiftLeft = 1,
    markShiftRight,
    markLessEqual,
    markGreaterEqual,
    markEqual,
    markNotEqual,
    markAndAnd,
    markOrOr
};

struct Token {
    TokenKind kind = TokenKind::end;
    char mark = 0;
    std::uint8_t floatBits = 0; ///< of a real: 32 for 0f, 64 for 0d and decimals
    bool isUnsigned = false;    ///< of an integer: `U`, or too large for s64
    bool isExact = false;       ///< of a real: written `0f` or `0d`
    bool isTooLarge = false;    ///< of a number: it does not fit
    bool startsLine = false;    ///< first on its line
    bool isGlued = false;       ///< no blank before it
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    std::uint64_t value = 0;       ///< of an integer; of a real its bits
    const char* problem = nullptr; ///< of a bad token: what is wrong
    const char* hint = nullptr;

    bool is(char wanted) const { return kind == TokenKind::punctuation && mark == wanted; }
    Span span() const { return {offset, length}; }
};

} // namespace ptxwb::ptx
