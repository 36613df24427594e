#include "llm/reply_blocks.h"

#include "ptx/types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace ptxwb::llm {

namespace {

struct Fence {
    char mark = 0;
    std::size_t length = 0, indent = 0;
    std::string_view info;
};

std::optional<Fence> fenceOf(std::string_view line) {
    Fence fence;
    fence.indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view rest = line.substr(fence.indent);
    if (rest.empty() || (rest[0] != '`' && rest[0] != '~')) return std::nullopt;
    fence.mark = rest[0];
    fence.length = std::min(rest.find_first_not_of(fence.mark), rest.size());
    if (fence.length < 3) return std::nullopt;
    fence.info = trimmed(rest.substr(fence.length));
    if (fence.mark == '`' && fence.info.find('`') != std::string_view::npos) return std::nullopt; // ```inline```
    return fence;
}

/// `<ptx>`, `<code class="x">`: the tag's name where the line begins with one that holds code.
std::string_view openingTag(std::string_view line) {
    line = trimmed(line);
    for (const std::string_view tag : {"ptx", "pre", "code", "answer", "kernel", "candidate"}) {
        if (line.size() <= tag.size() + 1 || line[0] != '<' || line.substr(1, tag.size()) != tag) continue;
        const char after = line[tag.size() + 1];
        if (after == '>' || after == ' ') return tag;
    }
    return {};
}

bool hasWord(std::string_view text, std::string_view word) {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size())
        if ((at == 0 || !isPart(text[at - 1])) && (at + word.size() == text.size() || !isPart(text[at + word.size()])))
            return true;
    return false;
}

std::string_view withoutComment(std::string_view line) {
    return trimmed(line.substr(0, std::min(line.find("//"), line.size())));
}

/// "ld.global.f32 %f1, [%rd1];": an opcode that the table knows, and a register or a semicolon behind it.
bool isInstruction(std::string_view line) {
    line = withoutComment(line);
    if (line.starts_with('@')) line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
    const std::string_view word = line.substr(0, std::min(line.find_first_of(". \t;"), line.size()));
    return ptx::opcode(word) != ptx::Opcode::unknown && line.ends_with(';') &&
           (line.find('%') != std::string_view::npos || line.find('.') != std::string_view::npos || word == "ret");
}

bool isEntryLine(std::string_view line) {
    line = withoutComment(line);
    for (const std::string_view word : {".visible", ".weak", ".extern"})
        if (line.starts_with(word)) line = trimmed(line.substr(word.size()));
    return line.starts_with(".entry");
}

bool isPtxLine(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with("//") || text == "{" || text == "}" || text == ")" || text == "(") return true;
    if (text[0] == '.' && text.size() > 2 && std::islower(static_cast<unsigned char>(text[1])) != 0) return true;
    return isInstruction(text) || (withoutComment(text).ends_with(':') && text.find(' ') == std::string_view::npos);
}

/// A reply without a block: from the first line that can only be PTX to the last closing brace.
std::vector<Piece> bare(const std::vector<std::string_view>& lines, std::uint32_t firstLine) {
    std::size_t begin = lines.size(), end = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view text = trimmed(lines[i]);
        if (begin == lines.size() && (text.starts_with(".version") || isEntryLine(text))) begin = i;
        if (begin != lines.size() && isPtxLine(text) && !text.empty() && !text.starts_with("//")) end = i + 1;
    }
    if (begin == lines.size()) return {};
    while (begin > 0 && trimmed(lines[begin - 1]).starts_with("//")) --begin;
    Piece piece;
    piece.line = firstLine + static_cast<std::uint32_t>(begin);
    for (std::size_t i = begin; i < end; ++i) piece.text += std::string(lines[i]) + "\n";
    return {piece};
}

class BlockReader {
public:
    BlockReader(std::string_view text, std::uint32_t firstLine) : m_lines(linesOf(text)), m_firstLine(firstLine) {}

    std::vector<Piece> read() {
        for (m_at = 0; m_at < m_lines.size(); ++m_at) {
            if (const auto fence = fenceOf(m_lines[m_at]))
                fenced(*fence);
            else if (const auto tag = openingTag(m_lines[m_at]); !tag.empty())
                tagged(tag);
            else
                addProse(m_lines[m_at]);
        }
        if (!m_hasBlock)
            if (auto pieces = bare(m_lines, m_firstLine); !pieces.empty()) return pieces;
        return std::move(m_pieces);
    }

private:
    std::uint32_t line(std::size_t index) const { return m_firstLine + static_cast<std::uint32_t>(index); }

    void addProse(std::string_view text) {
        if (m_pieces.empty() || m_pieces.back().kind != PieceKind::prose)
            m_pieces.push_back({PieceKind::prose, {}, line(m_at), true, false});
        m_pieces.back().text += std::string(text) + "\n";
    }

    void fenced(const Fence& open) {
        Piece piece;
        piece.line = line(m_at + 1);
        piece.isClosed = false;
        for (++m_at; m_at < m_lines.size(); ++m_at) {
            std::string_view text = m_lines[m_at];
            const auto fence = fenceOf(text);
            if (fence && fence->mark == open.mark && fence->length >= open.length && fence->info.empty()) {
                piece.isClosed = true;
                break;
            }
            // A block in a list is indented as its fence is.
            const std::size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
            text.remove_prefix(std::min(open.indent, blanks));
            piece.text += std::string(text) + "\n";
        }
        if (!piece.isClosed) { // the fence itself may be cut off
            const auto last = linesOf(piece.text);
            if (!last.empty() && !last.back().empty() &&
                last.back().find_first_not_of(open.mark) == std::string_view::npos)
                piece.text.resize(piece.text.size() - last.back().size() - 1);
        }
        add(std::move(piece));
    }

    void tagged(std::string_view tag) {
        const std::string closing = "</" + std::string(tag) + ">";
        Piece piece;
        piece.line = line(m_at);
        piece.isClosed = false;
        std::string_view text = m_lines[m_at];
        text.remove_prefix(std::min(text.find('>') + 1, text.size()));
        for (;;) {
            const auto end = text.find(closing);
            piece.text += std::string(text.substr(0, end)) + "\n";
            if (end != std::string_view::npos) {
                piece.isClosed = true;
                break;
            }
            if (++m_at >= m_lines.size()) break;
            text = m_lines[m_at];
        }
        add(std::move(piece));
    }

    void add(Piece piece) {
        m_hasBlock = true;
        // A block that holds fences is a document about blocks, not code; what it holds counts.
        const auto inner = linesOf(piece.text);
        if (std::ranges::any_of(inner, [](std::string_view text) { return fenceOf(text).has_value(); })) {
            for (Piece& one : BlockReader(piece.text, piece.line).read()) m_pieces.push_back(std::move(one));
            return;
        }
        piece.kind = PieceKind::other;
        m_pieces.push_back(std::move(piece));
    }

    std::vector<std::string_view> m_lines;
    std::uint32_t m_firstLine;
    std::size_t m_at = 0;
    bool m_hasBlock = false;
    std::vector<Piece> m_pieces;
};

} // namespace

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

int openBraces(std::string_view text) {
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "//") == 0) {
            i = std::min(text.find('\n', i), text.size());
        } else if (text.compare(i, 2, "/*") == 0) {
            i = text.find("*/", i + 2);
            if (i == std::string_view::npos) break;
            ++i;
        } else if (text[i] == '"') {
            i = text.find_first_of("\"\n", i + 1);
            if (i == std::string_view::npos) break;
        } else if (text[i] == '{' || text[i] == '}') {
            open += text[i] == '{' ? 1 : -1;
        }
    }
    return open;
}

std::string decodeEntities(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> named{
        {{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "}}};
    std::string out;
    while (!text.empty()) {
        const auto at = std::min(text.find('&'), text.size());
        out += text.substr(0, at);
        text.remove_prefix(at);
        if (text.empty()) break;
        const auto end = text.substr(0, 10).find(';');
        const std::string_view name = end == std::string_view::npos ? std::string_view{} : text.substr(1, end - 1);
        std::string decoded;
        for (const auto& [word, meaning] : named)
            if (name == word) decoded = meaning;
        if (name.size() > 1 && name[0] == '#') {
            const bool isHex = name[1] == 'x' || name[1] == 'X';
            const std::string_view digits = name.substr(isHex ? 2 : 1);
            unsigned code = 0;
            const auto [stop, error] =
                std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
            if (error == std::errc{} && stop == digits.data() + digits.size() && code >= 0x20 && code < 0x7F)
                decoded = std::string(1, static_cast<char>(code));
        }
        out += decoded.empty() ? "&" : decoded;
        text.remove_prefix(decoded.empty() ? 1 : end + 1);
    }
    return out;
}

PieceKind classify(std::string_view text) {
    const auto lines = linesOf(text);
    bool version = false, entry = false, minus = false, plus = false, hunk = false, search = false, onlyHeader = true;
    std::size_t directives = 0, instructions = 0, machine = 0, written = 0;
    for (const std::string_view line : lines) {
        const std::string_view content = trimmed(line);
        if (content.empty()) continue;
        ++written;
        version = version || content.starts_with(".version");
        entry = entry || isEntryLine(content);
        minus = minus || line.starts_with("--- ");
        plus = plus || line.starts_with("+++ ");
        hunk = hunk || line.starts_with("@@");
        search = search || content.starts_with("<<<<<<<");
        if (!content.starts_with("//@")) onlyHeader = false;
        if (content[0] == '.' && (content.ends_with(';') || isPtxLine(content))) ++directives;
        if (isInstruction(content)) ++instructions;
        if (content.starts_with("/*0") && content.find("*/") != std::string_view::npos) ++machine;
    }
    if (written == 0) return PieceKind::other;
    if (onlyHeader) return PieceKind::launch;
    if ((minus && plus && hunk) || (hunk && !version) || search) return PieceKind::diff;
    if (hasWord(text, "__global__") || hasWord(text, "threadIdx")) return PieceKind::cuda;
    if (machine * 2 > written) return PieceKind::machine;
    if (entry) return version ? PieceKind::module : PieceKind::kernel;
    if (version || (directives > 0 && directives + instructions >= written / 2 && instructions == 0))
        return PieceKind::head;
    if (instructions > 0 && (instructions + directives) * 3 >= written) return PieceKind::code;
    return PieceKind::other;
}

std::vector<Piece> piecesOf(std::string_view reply) {
    std::string text;
    text.reserve(reply.size());
    if (reply.starts_with("\xEF\xBB\xBF")) reply.remove_prefix(3);
    for (std::size_t i = 0; i < reply.size(); ++i) {
        if (reply[i] == '\r') {
            if (i + 1 == reply.size() || reply[i + 1] != '\n') text += '\n';
        } else if (reply.compare(i, 2, "\xC2\xA0") == 0) { // no-break space, from web pages
            text += ' ';
            ++i;
        } else if (reply[i] != '\0') {
            text += reply[i];
        }
    }
    std::vector<Piece> pieces = BlockReader(text, 1).read();
    const bool isBare = pieces.size() == 1 && pieces[0].kind == PieceKind::prose;
    for (Piece& piece : pieces) {
        if (piece.kind == PieceKind::prose && !(isBare && classify(piece.text) != PieceKind::other)) continue;
        const std::string decoded = decodeEntities(piece.text);
        const PieceKind kind = classify(decoded);
        const bool isOurs = kind != PieceKind::other && kind != PieceKind::cuda;
        if (isOurs && decoded != piece.text) {
            piece.text = decoded;
            piece.hadEntities = true;
        }
        piece.kind = kind;
    }
    return pieces;
}

} // namespace ptxwb::llm
