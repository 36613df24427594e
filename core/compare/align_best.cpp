#include "compare/align_steps.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

/// How alike two lines are, 0 where they must not stand in one row. A stricter level outweighs several looser ones.
class Likeness {
public:
    Likeness(const Side& left, const Side& right, bool withMap) : m_left(left), m_right(right), m_withMap(withMap) {}

    int operator()(std::uint32_t l, std::uint32_t r) const {
        const Line &a = m_left.document->lines[l], &b = m_right.document->lines[r];
        if (a.kind != b.kind) return 0;
        switch (a.kind) {
        case LineKind::blank:
            return excluded(l, r) ? 0 : 1;
        case LineKind::comment:
            return same(KeyLevel::exact, l, r) ? 12 : excluded(l, r) ? 0 : 2;
        case LineKind::bracket:
            return same(KeyLevel::exact, l, r) ? 15 : 0;
        case LineKind::label:
            return label(l, r);
        default:
            break;
        }
        if (m_withMap && same(KeyLevel::mapped, l, r)) return 110;
        if (same(KeyLevel::exact, l, r))
            return same(KeyLevel::definition, l, r) ? 90 : same(KeyLevel::neighbour, l, r) ? 80 : 60;
        if (same(KeyLevel::shape, l, r)) return 30;
        if (same(KeyLevel::opcode, l, r)) return 10 + nearLength(a, b);
        return a.kind == LineKind::instruction && !excluded(l, r) && replaceable(a, b) ? 3 : 0;
    }

private:
    /// Labels are the frame of the code: an instruction moves across a label, not the label across an instruction.
    int label(std::uint32_t l, std::uint32_t r) const {
        if (m_withMap && same(KeyLevel::mapped, l, r)) return 220;
        if (same(KeyLevel::definition, l, r)) return 160;
        return same(KeyLevel::exact, l, r) ? 100 : 0;
    }

    bool same(KeyLevel level, std::uint32_t l, std::uint32_t r) const {
        return m_left.keys[level][l] == m_right.keys[level][r];
    }
    bool excluded(std::uint32_t l, std::uint32_t r) const { return m_left.excluded[l] || m_right.excluded[r]; }

    static int nearLength(const Line& a, const Line& b) {
        const auto longer = std::max(a.tokenCount, b.tokenCount), shorter = std::min(a.tokenCount, b.tokenCount);
        return longer == 0 ? 0 : static_cast<int>(4 * shorter / longer);
    }

    /// One instruction in place of another: it gives a value of the same type from about as many operands.
    bool replaceable(const Line& a, const Line& b) const {
        const std::uint32_t near =
            a.tokenCount > b.tokenCount ? a.tokenCount - b.tokenCount : b.tokenCount - a.tokenCount;
        if (near > 2) return false;
        const LiveRange *x = result(*m_left.document, a), *y = result(*m_right.document, b);
        return x != nullptr && y != nullptr && x->type == y->type && x->vector == y->vector;
    }

    static const LiveRange* result(const Document& document, const Line& line) {
        for (std::uint32_t i = line.firstToken; i < line.firstToken + line.tokenCount; ++i) {
            const Token& token = document.tokens[i];
            if (token.kind == TokenKind::reg && token.defines && token.symbol != none)
                return &document.ranges[token.symbol];
        }
        return nullptr;
    }

    const Side& m_left;
    const Side& m_right;
    bool m_withMap;
};

enum class Way : std::uint8_t { pair, skipLeft, skipRight };

} // namespace

void alignBest(const Side& left, const Side& right, LineRange leftRange, LineRange rightRange, bool withMap,
               Pairs& pairs) {
    const Likeness likeness(left, right, withMap);
    const std::size_t n = leftRange.size(), m = rightRange.size();
    std::vector<Way> ways(n * m);
    std::vector<int> above(m + 1, 0), row(m + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            const int score = likeness(leftRange.begin + static_cast<std::uint32_t>(i),
                                       rightRange.begin + static_cast<std::uint32_t>(j));
            int best = above[j + 1];
            Way way = Way::skipLeft;
            if (row[j] > best) {
                best = row[j];
                way = Way::skipRight;
            }
            if (score > 0 && above[j] + score >= best) {
                best = above[j] + score;
                way = Way::pair;
            }
            row[j + 1] = best;
            ways[i * m + j] = way;
        }
        std::swap(above, row);
    }
    for (std::size_t i = n, j = m; i > 0 && j > 0;) {
        switch (ways[(i - 1) * m + (j - 1)]) {
        case Way::pair:
            pairs.connect(leftRange.begin + static_cast<std::uint32_t>(--i),
                          rightRange.begin + static_cast<std::uint32_t>(--j));
            break;
        case Way::skipLeft:
            --i;
            break;
        case Way::skipRight:
            --j;
            break;
        }
    }
}

} // namespace ptxwb::compare
