#include "compare/document.h"

#include "compare/symbols.h"

#include <algorithm>
#include <cstring>

namespace ptxwb::compare {
namespace {

bool isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' || (c & 0x80) != 0;
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isWord(char c) {
    return isWordStart(c) || isDigit(c);
}
bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

enum class Comments : std::uint8_t { skip, tokens };

/// Cuts one line after the other; a block comment may go on over several.
class Lexer {
public:
    Lexer(Document& document, Comments comments) : m_document(document), m_text(document.text), m_comments(comments) {}

    void run() {
        m_document.tokens.reserve(m_text.size() / 5);
        m_document.lines.reserve(m_text.size() / 24);
        std::uint32_t at = 0;
        while (at < m_text.size()) {
            const auto* found = static_cast<const char*>(std::memchr(m_text.data() + at, '\n', m_text.size() - at));
            const auto end = static_cast<std::uint32_t>(found ? found - m_text.data() : std::ptrdiff_t(m_text.size()));
            line(at, end);
            at = end + 1;
        }
    }

private:
    void line(std::uint32_t begin, std::uint32_t end) {
        Line line;
        line.offset = begin;
        line.length = end - begin;
        if (line.length > 0 && m_text[end - 1] == '\r') --line.length;
        line.firstToken = static_cast<std::uint32_t>(m_document.tokens.size());
        m_end = end;
        std::uint32_t at = begin;
        while (at < end) at = token(line, at);
        line.tokenCount = static_cast<std::uint32_t>(m_document.tokens.size()) - line.firstToken;
        line.kind = line.tokenCount > 0 ? LineKind::other : line.commentHash != 0 ? LineKind::comment : LineKind::blank;
        m_document.lines.push_back(line);
    }

    char peek(std::uint32_t at) const { return at < m_end ? m_text[at] : '\0'; }

    std::uint32_t token(Line& line, std::uint32_t at) {
        const char c = m_text[at];
        if (m_comments == Comments::skip) {
            if (m_inComment) return comment(line, at, at);
            if (c == '/' && peek(at + 1) == '*') {
                m_inComment = true;
                return comment(line, at, at + 2);
            }
            if (c == '/' && peek(at + 1) == '/') {
                if (candidateLine(at)) {
                    add(at, at + 3, TokenKind::word);
                    return at + 3;
                }
                noteComment(line, at, m_end);
                return m_end;
            }
        }
        if (isSpace(c)) return at + 1;
        if (isWordStart(c)) return add(at, spanOf(at, isWord), TokenKind::word);
        if (isDigit(c)) return number(at);
        if (c == '.' && isWordStart(peek(at + 1))) return dotted(at);
        if (c == '"') return string(at);
        return add(at, at + 1, TokenKind::punctuation);
    }

    std::uint32_t comment(Line& line, std::uint32_t begin, std::uint32_t at) {
        const std::size_t close = m_text.substr(0, m_end).find("*/", at);
        const auto end = close == std::string_view::npos ? m_end : static_cast<std::uint32_t>(close) + 2;
        m_inComment = close == std::string_view::npos;
        noteComment(line, begin, end);
        return end;
    }

    void noteComment(Line& line, std::uint32_t begin, std::uint32_t end) {
        while (end > begin && isSpace(m_text[end - 1])) --end;
        if (end == begin) return;
        if (line.commentHash == 0) {
            line.commentOffset = begin;
            line.commentLength = end - begin;
        }
        line.commentHash = mix(line.commentHash, hashOf(m_text.substr(begin, end - begin))) | 1;
    }

    /// `//@ launch` and `//@ require` change what runs; the module tells which comments are such lines.
    bool candidateLine(std::uint32_t at) const {
        if (m_document.module == nullptr || peek(at + 2) != '@') return false;
        return std::ranges::any_of(m_document.module->candidateLines, [&](const ptx::CandidateLine& candidate) {
            return candidate.span.offset <= at && at < candidate.span.end() &&
                   (candidate.key == "launch" || candidate.key == "require");
        });
    }

    template <class Predicate>
    std::uint32_t spanOf(std::uint32_t at, Predicate belongs) const {
        while (at < m_end && belongs(m_text[at])) ++at;
        return at;
    }

    std::uint32_t number(std::uint32_t begin) {
        std::uint32_t at = begin + 1;
        while (at < m_end) {
            const char c = m_text[at];
            const bool exponentSign = (c == '+' || c == '-') && (m_text[at - 1] == 'e' || m_text[at - 1] == 'E') &&
                                      m_text.substr(begin, at - begin).find('.') != std::string_view::npos;
            if (!isWord(c) && c != '.' && !exponentSign) break;
            if (c == '%' || c == '$') break;
            ++at;
        }
        return add(begin, at, TokenKind::number);
    }

    std::uint32_t dotted(std::uint32_t begin) {
        std::uint32_t at = begin;
        // `.shared::cta` is one word; so is `.L2::128B`.
        do {
            at = spanOf(at + 1, isWord);
            if (peek(at) != ':' || peek(at + 1) != ':' || !isWord(peek(at + 2))) break;
            ++at;
        } while (at < m_end);
        bool behindName = false;
        if (!m_document.tokens.empty()) {
            const Token& before = m_document.tokens.back();
            behindName = before.end() == begin && before.kind == TokenKind::word && m_text[before.offset] == '%';
        }
        return add(begin, at, behindName ? TokenKind::component : TokenKind::modifier);
    }

    std::uint32_t string(std::uint32_t begin) {
        std::uint32_t at = begin + 1;
        while (at < m_end && m_text[at] != '"') at += m_text[at] == '\\' ? 2 : 1;
        return add(begin, std::min(at + 1, m_end), TokenKind::string);
    }

    std::uint32_t add(std::uint32_t begin, std::uint32_t end, TokenKind kind) {
        m_document.tokens.push_back({begin, end - begin, kind, false, none, hashOf(m_text.substr(begin, end - begin))});
        return end;
    }

    Document& m_document;
    std::string_view m_text;
    Comments m_comments;
    std::uint32_t m_end = 0;
    bool m_inComment = false;
};

} // namespace

std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = 0x517C'C1B7'2722'0A95ull ^ text.size();
    while (text.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), 8);
        hash = mix(hash, word);
        text.remove_prefix(8);
    }
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size());
    return mix(mix(hash, word), 0x2545'F491'4F6C'DD1Dull);
}

std::uint32_t Document::lineOf(std::uint32_t offset) const {
    const auto behind = std::ranges::upper_bound(lines, offset, {}, &Line::offset);
    return behind == lines.begin() ? 0 : static_cast<std::uint32_t>(behind - lines.begin()) - 1;
}

std::uint32_t Document::tokenFrom(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(tokens, offset, {}, &Token::offset) - tokens.begin());
}

Document makeDocument(std::string_view text) {
    Document document;
    document.text = text;
    Lexer(document, Comments::tokens).run();
    return document;
}

Document makeDocument(const ptx::Module& module) {
    Document document;
    document.text = *module.text;
    document.module = &module;
    Lexer(document, Comments::skip).run();
    resolveSymbols(document);
    return document;
}

} // namespace ptxwb::compare
