#include "ptx/lexer.h"

#include "ptx/character.h"
#include "ptx/literal.h"

#include <cstring>

namespace ptxwb::ptx {

Lexer::Lexer(std::string_view text) : m_begin(text.data()), m_at(text.data()), m_end(text.data() + text.size()) {}

bool Lexer::skipBlanks(Token& token) {
    const char* const start = m_at;
    token.startsLine = start == m_begin;
    while (m_at != m_end) {
        const char c = *m_at;
        if (isByte(c, byteBlank)) {
            if (c == '\n') token.startsLine = true;
            ++m_at;
        } else if (c == '/' && m_end - m_at >= 2 && m_at[1] == '/') {
            const void* const newline = std::memchr(m_at, '\n', static_cast<std::size_t>(m_end - m_at));
            m_at = newline ? static_cast<const char*>(newline) : m_end;
        } else if (c == '/' && m_end - m_at >= 2 && m_at[1] == '*') {
            const std::string_view rest(m_at + 2, static_cast<std::size_t>(m_end - m_at - 2));
            const std::size_t close = rest.find("*/");
            if (close == std::string_view::npos) {
                token.kind = TokenKind::bad;
                token.offset = offset();
                token.length = 2;
                token.problem = "this comment is not closed";
                token.hint = "put */ where it ends";
                m_at = m_end;
                return false;
            }
            if (rest.substr(0, close).find('\n') != std::string_view::npos) token.startsLine = true;
            m_at += close + 4;
        } else {
            break;
        }
    }
    token.isGlued = m_at == start;
    return true;
}

Token Lexer::next() {
    Token token;
    if (!skipBlanks(token)) {
        m_previous = token.kind;
        return token;
    }
    token.offset = offset();
    if (m_at == m_end) {
        token.length = 0;
        m_previous = TokenKind::end;
        return token;
    }
    const char c = *m_at;
    const char following = m_end - m_at >= 2 ? m_at[1] : '\0';
    if (isByte(c, byteLetter) || c == '_' || ((c == '$' || c == '%') && isByte(following, byteFollow))) {
        readWord(token);
    } else if (c == '.') {
        const bool wordBefore = token.isGlued && (m_previous == TokenKind::word || m_previous == TokenKind::directive);
        if (isByte(following, byteLetter) || following == '_' || (wordBefore && isByte(following, byteDigit)))
            readDirective(token);
        else if (isByte(following, byteDigit))
            readNumber(token, m_at, m_end);
        else
            readMark(token);
    } else if (isByte(c, byteDigit)) {
        readNumber(token, m_at, m_end);
    } else if (c == '"') {
        readString(token);
    } else {
        readMark(token);
    }
    m_at = m_begin + token.offset + token.length;
    m_previous = token.kind;
    return token;
}

void Lexer::readWord(Token& token) {
    const char* at = m_at + 1;
    while (at != m_end && isByte(*at, byteFollow)) ++at;
    token.kind = TokenKind::word;
    token.length = static_cast<std::uint32_t>(at - m_at);
}

void Lexer::readDirective(Token& token) {
    const char* at = m_at + 1;
    while (at != m_end) {
        if (isByte(*at, byteWordPart))
            ++at;
        else if (*at == ':' && m_end - at >= 3 && at[1] == ':' && isByte(at[2], byteWordPart))
            at += 2;
        else
            break;
    }
    token.kind = TokenKind::directive;
    token.length = static_cast<std::uint32_t>(at - m_at);
}

void Lexer::readString(Token& token) {
    const char* at = m_at + 1;
    while (at != m_end && *at != '"' && *at != '\n') at += *at == '\\' && m_end - at >= 2 && at[1] != '\n' ? 2 : 1;
    token.kind = TokenKind::string;
    if (at == m_end || *at != '"') {
        token.kind = TokenKind::bad;
        token.problem = "this string is not closed on its line";
        token.hint = "put \" where it ends";
    } else {
        ++at;
    }
    token.length = static_cast<std::uint32_t>(at - m_at);
}

void Lexer::readMark(Token& token) {
    const char c = *m_at;
    const char following = m_end - m_at >= 2 ? m_at[1] : '\0';
    char two = 0;
    switch (c) {
    case '<': two = following == '<' ? markShiftLeft : following == '=' ? markLessEqual : 0; break;
    case '>': two = following == '>' ? markShiftRight : following == '=' ? markGreaterEqual : 0; break;
    case '=': two = following == '=' ? markEqual : 0; break;
    case '!': two = following == '=' ? markNotEqual : 0; break;
    case '&': two = following == '&' ? markAndAnd : 0; break;
    case '|': two = following == '|' ? markOrOr : 0; break;
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case ',':
    case ';':
    case ':':
    case '@':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '~':
    case '^':
    case '?':
    case '.': break;
    default: readBadBytes(token); return;
    }
    token.kind = TokenKind::punctuation;
    token.mark = two ? two : c;
    token.length = two ? 2 : 1;
}

/// A run of bytes that PTX does not use is one token, so that it makes one message.
void Lexer::readBadBytes(Token& token) {
    const auto isPrintable = [](char c) { return c > ' ' && c < '\x7f'; };
    const char* at = m_at + 1;
    const bool printable = isPrintable(*m_at);
    if (!printable)
        while (at != m_end && !isPrintable(*at) && !isByte(*at, byteBlank)) ++at;
    token.kind = TokenKind::bad;
    token.length = static_cast<std::uint32_t>(at - m_at);
    if (std::string_view(m_at, token.length).starts_with("\xEF\xBB\xBF")) {
        token.problem = "a byte order mark stands before the text, which ptxas refuses";
        token.hint = "save the file as UTF-8 without a byte order mark";
        return;
    }
    token.problem = *m_at == '\0' ? "a zero byte stands in the text"
                    : printable   ? "PTX does not use this character"
                    : static_cast<unsigned char>(*m_at) >= 0x80
                        ? "a byte outside ASCII stands outside a comment or string"
                        : "a control byte stands in the text";
    token.hint = *m_at == '\0' ? "is this a text file? a cubin or a fatbin is not PTX" : nullptr;
}

} // namespace ptxwb::ptx
