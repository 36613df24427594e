#include "ptx/cursor.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

Cursor::Cursor(std::string_view text, Reporter& reporter)
    : m_text(text), m_reporter(reporter), m_lexer(text), m_token(m_lexer.next()) {}

void Cursor::advance() {
    m_lastEnd = m_token.offset + m_token.length;
    m_token = m_lexer.next();
}

Token Cursor::peek() const {
    Lexer ahead = m_lexer;
    return ahead.next();
}

bool Cursor::accept(char mark) {
    if (!at(mark)) return false;
    advance();
    return true;
}

bool Cursor::acceptDirective(std::string_view directive) {
    if (!atDirective(directive)) return false;
    advance();
    return true;
}

bool Cursor::expect(char mark, std::string_view where) {
    if (accept(mark)) return true;
    unexpected(fmt::format("'{}' {}", mark, where));
    return false;
}

bool Cursor::expectSemicolon(std::string_view what) {
    if (accept(';')) return true;
    if (m_token.kind != TokenKind::bad && (m_token.startsLine || at('}') || atEnd())) {
        const std::uint32_t end = m_lastEnd ? m_lastEnd - 1 : 0;
        m_reporter.syntax({end, 1}, fmt::format("expected ';' after this {}", what),
                          "every instruction and declaration ends with ';'");
        return true; // what follows is a statement of its own
    }
    unexpected(fmt::format("',' or ';' in this {}", what));
    return false;
}

std::string Cursor::found() const {
    if (atEnd()) return "the end of the text";
    std::string_view seen = text();
    if (seen.size() > 40) return fmt::format("'{}...'", seen.substr(0, 40));
    return fmt::format("'{}'", seen);
}

void Cursor::unexpected(std::string_view what, std::string hint) {
    if (at(TokenKind::bad)) {
        m_reporter.syntax(m_token.span(), m_token.problem, m_token.hint ? m_token.hint : std::move(hint));
        return;
    }
    m_reporter.syntax(m_token.span(), fmt::format("expected {}, found {}", what, found()), std::move(hint));
}

void Cursor::skipStatement() {
    bool skipped = false;
    while (!atEnd() && !at('}') && !at('{')) {
        if (skipped && m_token.startsLine &&
            (at(TokenKind::directive) || at('@') || (at(TokenKind::word) && opcode(text()) != Opcode::unknown)))
            return;
        const bool last = at(';');
        advance();
        if (last) return;
        skipped = true;
    }
}

void Cursor::skipDeclaration() {
    bool skipped = false;
    while (!atEnd()) {
        if (skipped && m_token.startsLine && (at(TokenKind::directive) || at('@'))) return;
        if (at('}')) {
            const Token next = peek();
            if (!next.is(';') && !next.is(',') && !next.is('}')) return;
        }
        const bool last = at(';');
        advance();
        if (last) return;
        skipped = true;
    }
}

bool Cursor::skipBlock() {
    std::size_t depth = 0;
    while (!atEnd()) {
        if (at('{')) ++depth;
        if (at('}') && --depth == 0) {
            advance();
            return true;
        }
        advance();
    }
    return false;
}

} // namespace ptxwb::ptx
