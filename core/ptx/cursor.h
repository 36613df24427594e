// The parser's place in the text: the token ahead, what it expects, and how it goes on after an error.
// Shared by all parts of the parser.
#pragma once

#include "ptx/lexer.h"
#include "ptx/reporter.h"

namespace ptxwb::ptx {

class Cursor {
public:
    Cursor(std::string_view text, Reporter& reporter);

    const Token& token() const { return m_token; }
    std::string_view text() const { return textOf(m_token); }
    std::string_view textOf(const Token& token) const { return m_text.substr(token.offset, token.length); }
    bool at(char mark) const { return m_token.is(mark); }
    bool at(TokenKind kind) const { return m_token.kind == kind; }
    /// At the directive `.reg` (with the dot)?
    bool atDirective(std::string_view directive) const { return at(TokenKind::directive) && text() == directive; }
    bool atEnd() const { return at(TokenKind::end); }

    void advance();
    /// The token after the one ahead.
    Token peek() const;
    bool accept(char mark);
    bool acceptDirective(std::string_view directive);
    /// Reports where `mark` is not next: "expected ')' after the parameters, found ';'".
    bool expect(char mark, std::string_view where);
    /// The semicolon. A missing one is reported at the end of the line before, and reading goes on at the next line.
    bool expectSemicolon(std::string_view what);
    /// Reports that `what` was expected; says what a bad token is instead.
    void unexpected(std::string_view what, std::string hint = {});

    /// End of the last token taken.
    std::uint32_t lastEnd() const { return m_lastEnd; }
    Span from(std::uint32_t offset) const { return {offset, m_lastEnd > offset ? m_lastEnd - offset : 0}; }

    /// Skips past the next `;`, or stops before a brace, the end, or, once a token was skipped, before a line that
    /// starts with a guard, a directive or an opcode: there the `;` was forgotten.
    void skipStatement();
    /// The same for a declaration, whose initialiser may have braces of its own.
    void skipDeclaration();
    /// At a `{`: skips past the `}` that closes it. False at the end of the text.
    bool skipBlock();

    Reporter& reporter() { return m_reporter; }

private:
    std::string found() const;

    std::string_view m_text;
    Reporter& m_reporter;
    Lexer m_lexer;
    Token m_token;
    std::uint32_t m_lastEnd = 0;
};

} // namespace ptxwb::ptx
