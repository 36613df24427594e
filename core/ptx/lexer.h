// Text to tokens, one at a time, without copies.
// Driven by the parser's cursor; also by highlighters that want tokens alone.
#pragma once

#include "ptx/token.h"

#include <string_view>

namespace ptxwb::ptx {

/// Comments and blanks are skipped. Never fails: what is no token comes back as one of kind `bad` with the reason.
class Lexer {
public:
    explicit Lexer(std::string_view text);
    Token next();

private:
    std::uint32_t offset() const { return static_cast<std::uint32_t>(m_at - m_begin); }
    bool skipBlanks(Token& token);
    void readWord(Token& token);
    void readDirective(Token& token);
    void readString(Token& token);
    void readMark(Token& token);
    void readBadBytes(Token& token);

    const char* m_begin;
    const char* m_at;
    const char* m_end;
    TokenKind m_previous = TokenKind::end; ///< decides what `.1d` is
};

} // namespace ptxwb::ptx
