#include "compare/equivalence.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <span>

namespace ptxwb::compare {
namespace {

using Tokens = std::span<const Token>;

/// One instruction alone on its line, cut at the commas of its operands.
struct Pieces {
    std::string_view opcode;
    Tokens head; ///< guard, opcode and modifiers
    std::vector<Tokens> operands;
};

std::optional<Pieces> cut(const Document& document, const Line& line) {
    if (line.opcodeToken == none) return std::nullopt;
    const Tokens all(document.tokens.data() + line.firstToken, line.tokenCount);
    std::size_t at = line.opcodeToken - line.firstToken + 1;
    while (at < all.size() && all[at].kind == TokenKind::modifier) ++at;
    Pieces pieces{document.textOf(document.tokens[line.opcodeToken]), all.first(at), {}};
    int depth = 0;
    std::size_t begin = at;
    for (; at < all.size(); ++at) {
        const char c = all[at].kind == TokenKind::punctuation ? document.text[all[at].offset] : '\0';
        if (c == '{' || c == '[' || c == '(') ++depth;
        if (c == '}' || c == ']' || c == ')') --depth;
        if (c != ';' && (c != ',' || depth > 0)) continue;
        pieces.operands.push_back(all.subspan(begin, at - begin));
        begin = at + 1;
        if (c == ';') break;
    }
    if (at + 1 != all.size()) return std::nullopt;
    return pieces;
}

std::optional<std::uint64_t> integerOf(std::string_view text) {
    if (text.ends_with('U')) text.remove_suffix(1);
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char kind = text[1];
        base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
        text.remove_prefix(base == 8 ? 1 : 2);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool commutes(std::string_view opcode) {
    constexpr std::string_view opcodes[] = {"add", "mul", "mad",   "fma",   "min",  "max",  "and",
                                            "or",  "xor", "mul24", "mad24", "dp4a", "addc", "madc"};
    return std::ranges::find(opcodes, opcode) != std::end(opcodes);
}

class Equivalence {
public:
    using Fits = std::function<bool(const Token&, const Token&)>;
    Equivalence(const Document& left, const Document& right, const Fits& fits)
        : m_left(left), m_right(right), m_fits(fits) {}

    std::string note(const Pieces& a, const Pieces& b) const {
        if (a.operands.size() != b.operands.size()) return {};
        if (same(a.head, b.head)) {
            if (commuted(a, b)) return "possibly equivalent: commuted operands";
            if (rewritten(a, b)) return "possibly equivalent: the same value written differently";
            return {};
        }
        std::string shift = multiplication(m_left, a, m_right, b);
        return shift.empty() ? multiplication(m_right, b, m_left, a) : shift;
    }

private:
    bool same(Tokens a, Tokens b) const { return std::ranges::equal(a, b, std::cref(m_fits)); }

    bool commuted(const Pieces& a, const Pieces& b) const {
        if (!commutes(a.opcode) || a.operands.size() < 3) return false;
        for (std::size_t i = 0; i < a.operands.size(); ++i) {
            const std::size_t other = i == 1 ? 2 : i == 2 ? 1 : i;
            if (!same(a.operands[i], b.operands[other])) return false;
        }
        return true;
    }

    bool rewritten(const Pieces& a, const Pieces& b) const {
        const auto equal = [&](const Token& x, const Token& y) {
            if (m_fits(x, y)) return true;
            return x.kind == TokenKind::number && y.kind == TokenKind::number &&
                   sameNumber(m_left.textOf(x), m_right.textOf(y));
        };
        for (std::size_t i = 0; i < a.operands.size(); ++i)
            if (!std::ranges::equal(a.operands[i], b.operands[i], equal)) return false;
        return true;
    }

    /// `mul.lo a, b, 8` against `shl a, b, 3`; the first two arguments hold the multiplication.
    std::string multiplication(const Document& x, const Pieces& product, const Document& y, const Pieces& shift) const {
        if (product.opcode != "mul" || shift.opcode != "shl" || product.operands.size() != 3) return {};
        const bool isLow = std::ranges::any_of(product.head, [&](const Token& t) { return x.textOf(t) == ".lo"; });
        if (!isLow || product.operands[2].size() != 1 || shift.operands[2].size() != 1) return {};
        const auto factor = integerOf(x.textOf(product.operands[2][0]));
        const auto amount = integerOf(y.textOf(shift.operands[2][0]));
        if (!factor || !amount || !std::has_single_bit(*factor)) return {};
        if (static_cast<std::uint64_t>(std::countr_zero(*factor)) != *amount) return {};
        for (std::size_t i = 0; i < 2; ++i) {
            const bool equal = &x == &m_left ? same(product.operands[i], shift.operands[i])
                                             : same(shift.operands[i], product.operands[i]);
            if (!equal) return {};
        }
        return fmt::format("possibly equivalent: multiplication by {} and shift by {}", *factor, *amount);
    }

    const Document& m_left;
    const Document& m_right;
    const Fits& m_fits;
};

} // namespace

bool sameNumber(std::string_view a, std::string_view b) {
    const auto isFloat = [](std::string_view t) {
        return t.size() > 2 && t[0] == '0' && (t[1] == 'f' || t[1] == 'F' || t[1] == 'd' || t[1] == 'D');
    };
    if (isFloat(a) != isFloat(b)) return false;
    if (isFloat(a)) {
        const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
        return std::ranges::equal(a, b, {}, lower, lower);
    }
    const auto x = integerOf(a), y = integerOf(b);
    return x && y && *x == *y;
}

std::string equivalenceNote(const Document& left, const Line& leftLine, const Document& right, const Line& rightLine,
                            const std::function<bool(const Token&, const Token&)>& fits) {
    const auto a = cut(left, leftLine), b = cut(right, rightLine);
    if (!a || !b) return {};
    return Equivalence(left, right, fits).note(*a, *b);
}

} // namespace ptxwb::compare
