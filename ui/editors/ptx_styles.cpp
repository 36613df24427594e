#include "editors/ptx_styles.h"

#include "editors/long_lines.h"
#include "ptx/lexer.h"
#include "ptx/special_registers.h"

#include <algorithm>

namespace ptxwb::ui {
namespace {

using ptx::Token;
using ptx::TokenKind;

/// `lineDirective` (`.loc`, `.version`) ends with its line, having no semicolon.
enum class Statement : std::uint8_t { none, instruction, directive, lineDirective };

class Painter {
public:
    Painter(std::string_view text, PtxLineState state, char* styles, std::vector<PtxLineState>& lineStates)
        : m_text(text), m_styles(styles), m_lineStates(lineStates), m_inComment((state & 1) != 0),
          m_statement(static_cast<Statement>((state >> 1) & 3)) {}

    void paint() {
        std::size_t from = 0;
        if (m_inComment) {
            const std::size_t close = m_text.find("*/");
            from = close == std::string_view::npos ? m_text.size() : close + 2;
            comment(0, from);
            m_inComment = close == std::string_view::npos;
        }
        const std::size_t base = from;
        ptx::Lexer lexer(m_text.substr(base));
        std::size_t end = from;
        while (end < m_text.size()) {
            const Token token = lexer.next();
            const std::size_t start = base + token.offset;
            if (token.kind == TokenKind::bad && m_text.substr(start, 2) == "/*") { // a comment without an end
                gap(end, start);
                comment(start, m_text.size());
                m_inComment = true;
                return;
            }
            gap(end, start);
            if (token.kind == TokenKind::end) return;
            end = start + token.length;
            const PtxStyle style = styleOf(token, m_text.substr(start, token.length), end);
            fill(start, end, style);
            m_before = static_cast<char>(style);
        }
    }

    PtxLineState state() const {
        const Statement open = m_statement == Statement::lineDirective ? Statement::none : m_statement;
        return static_cast<PtxLineState>((m_inComment ? 1 : 0) | (static_cast<int>(open) << 1));
    }

private:
    void fill(std::size_t from, std::size_t to, PtxStyle style) {
        std::fill(m_styles + from, m_styles + to, static_cast<char>(style));
    }

    void comment(std::size_t from, std::size_t to) {
        fill(from, to, PtxStyle::comment);
        for (std::size_t at = from; at < to; ++at) {
            if (m_text[at] != '\n') continue;
            const bool before = m_inComment;
            m_inComment = true;
            m_lineStates.push_back(state());
            m_inComment = before;
        }
    }

    /// Blanks and comments between two tokens.
    void gap(std::size_t from, std::size_t to) {
        while (from < to) {
            const char c = m_text[from];
            if (c == '/' && from + 1 < to && m_text[from + 1] == '/') {
                const std::size_t end = std::min(m_text.find('\n', from), to);
                fill(from, end, PtxStyle::comment);
                from = end;
            } else if (c == '/' && from + 1 < to) {
                const std::size_t close = m_text.find("*/", from + 2);
                const std::size_t end = close == std::string_view::npos ? to : std::min(close + 2, to);
                comment(from, end);
                from = end;
            } else {
                // A blank looks the same in any style; in that of the token before, the two are painted in one.
                if (c != '\n') {
                    m_styles[from] = m_before;
                } else {
                    m_lineStates.push_back(state());
                    m_before = static_cast<char>(PtxStyle::text);
                }
                ++from;
            }
        }
    }

    PtxStyle styleOf(const Token& token, std::string_view spelling, std::size_t end) {
        if (token.startsLine && m_statement == Statement::lineDirective) m_statement = Statement::none;
        const bool followsRegister = m_afterRegister && token.isGlued;
        const PtxStyle registerStyle = m_registerStyle;
        m_afterRegister = false;
        switch (token.kind) {
        case TokenKind::integer:
        case TokenKind::real: return PtxStyle::number;
        case TokenKind::string: return PtxStyle::string;
        case TokenKind::bad: return PtxStyle::bad;
        case TokenKind::directive: return followsRegister ? registerStyle : directive(spelling);
        case TokenKind::word: return word(spelling, end);
        default: punctuation(token); return PtxStyle::punctuation;
        }
    }

    void punctuation(const Token& token) {
        if (token.is(';')) {
            m_statement = Statement::none;
        } else if (token.is('@') && m_statement == Statement::none) {
            m_afterAt = true;
        } else if ((token.is('{') && !m_afterEquals && m_statement != Statement::instruction) ||
                   (token.is('}') && m_statement == Statement::directive)) {
            m_statement = Statement::none;
        }
        m_afterEquals = token.is('=');
    }

    PtxStyle directive(std::string_view spelling) {
        const ptx::Word word = ptx::word(spelling.substr(1));
        if (m_statement == Statement::none) {
            const bool endsWithLine = spelling == ".loc" || spelling == ".file" || spelling == ".version" ||
                                      spelling == ".target" || spelling == ".address_size";
            m_statement = endsWithLine ? Statement::lineDirective : Statement::directive;
            return PtxStyle::directive;
        }
        if (word.type != ptx::ScalarType::none) return PtxStyle::type;
        return m_statement == Statement::instruction ? PtxStyle::modifier : PtxStyle::directive;
    }

    PtxStyle word(std::string_view spelling, std::size_t end) {
        if (spelling[0] == '%' || spelling == "_" || spelling == "WARP_SZ") {
            m_afterAt = false;
            m_afterRegister = true;
            m_registerStyle = ptx::specialRegister(spelling) ? PtxStyle::specialRegister : PtxStyle::reg;
            return m_registerStyle;
        }
        if (m_afterAt) { // a predicate may have any name
            m_afterAt = false;
            return PtxStyle::reg;
        }
        if (m_statement == Statement::none) {
            const std::size_t next = m_text.find_first_not_of(" \t", end);
            if (next != std::string_view::npos && m_text[next] == ':') return PtxStyle::label;
            if (ptx::opcode(spelling) != ptx::Opcode::unknown) {
                m_statement = Statement::instruction;
                m_jumps = spelling == "bra" || spelling == "brx" || spelling == "call";
                return PtxStyle::opcode;
            }
            m_statement = Statement::directive;
            return PtxStyle::text;
        }
        return spelling[0] == '$' || (m_statement == Statement::instruction && m_jumps) ? PtxStyle::label
                                                                                        : PtxStyle::text;
    }

    std::string_view m_text;
    char* m_styles;
    std::vector<PtxLineState>& m_lineStates;
    bool m_inComment;
    Statement m_statement;
    bool m_afterAt = false, m_afterEquals = false, m_afterRegister = false, m_jumps = false;
    char m_before = static_cast<char>(PtxStyle::text); ///< the style of the line's last token
    PtxStyle m_registerStyle = PtxStyle::reg;
};

} // namespace

PtxStyles stylePtx(std::string_view text, PtxLineState state) {
    PtxStyles result;
    result.styles.assign(text.size(), static_cast<char>(PtxStyle::text));
    std::size_t from = 0; // of the lines that are lexed in one go
    const auto paintUntil = [&](std::size_t to) {
        if (to == from) return;
        Painter painter(text.substr(from, to - from), state, result.styles.data() + from, result.lineStates);
        painter.paint();
        state = painter.state();
    };
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t newline = text.find('\n', line);
        const std::size_t next = newline == std::string_view::npos ? text.size() : newline + 1;
        const std::string_view content = text.substr(line, next - line);
        const bool isShortened = looksShortened(content);
        if (isShortened || content.size() > longLineBytes) {
            paintUntil(line);
            if (isShortened)
                std::fill_n(result.styles.begin() + static_cast<std::ptrdiff_t>(line), content.size(),
                            static_cast<char>(PtxStyle::shortened));
            if (newline != std::string_view::npos) result.lineStates.push_back(state);
            from = next;
        }
        line = next;
    }
    paintUntil(text.size());
    return result;
}

} // namespace ptxwb::ui
