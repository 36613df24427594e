#include "compare/token_pairs.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

bool isOperand(TokenKind kind) {
    return kind != TokenKind::opcode && kind != TokenKind::modifier && kind != TokenKind::punctuation;
}

/// Beyond this many cells the middle of two lines (megabytes of data on one line) is not solved exactly.
constexpr std::size_t exactCells = 1'000'000;

class LinePairing {
public:
    LinePairing(const Document& left, const Line& leftLine, const Document& right, const Line& rightLine,
                std::vector<TokenPair>& pairs)
        : m_left(left), m_right(right), m_l(leftLine.firstToken), m_r(rightLine.firstToken), m_n(leftLine.tokenCount),
          m_m(rightLine.tokenCount), m_pairs(pairs) {}

    void run() {
        m_pairs.clear();
        if (samePlaces()) {
            for (std::uint32_t i = 0; i < m_n; ++i) m_pairs.push_back({m_l + i, m_r + i});
            return;
        }
        std::uint32_t head = 0, tail = 0;
        while (head < m_n && head < m_m && likeness(head, head) >= equalText) ++head;
        while (tail + head < m_n && tail + head < m_m && likeness(m_n - 1 - tail, m_m - 1 - tail) >= equalText) ++tail;
        for (std::uint32_t i = 0; i < head; ++i) m_pairs.push_back({m_l + i, m_r + i});
        middle(head, m_n - tail, m_m - tail);
        for (std::uint32_t i = tail; i > 0; --i) m_pairs.push_back({m_l + m_n - i, m_r + m_m - i});
    }

private:
    static constexpr int equalText = 6;

    const Token& left(std::uint32_t i) const { return m_left.tokens[m_l + i]; }
    const Token& right(std::uint32_t i) const { return m_right.tokens[m_r + i]; }

    bool samePlaces() const {
        if (m_n != m_m) return false;
        for (std::uint32_t i = 0; i < m_n; ++i) {
            const Token &a = left(i), &b = right(i);
            if (a.kind == TokenKind::punctuation && a.hash != b.hash) return false;
            if (a.kind != b.kind && !(isOperand(a.kind) && isOperand(b.kind))) return false;
        }
        return true;
    }

    int likeness(std::uint32_t i, std::uint32_t j) const {
        const Token &a = left(i), &b = right(j);
        if (a.kind == b.kind) {
            if (a.hash == b.hash) return a.kind == TokenKind::punctuation ? equalText + 1 : equalText + 2;
            return a.kind == TokenKind::opcode ? 8 : a.kind == TokenKind::punctuation ? 0 : 3;
        }
        return isOperand(a.kind) && isOperand(b.kind) ? 1 : 0;
    }

    void middle(std::uint32_t begin, std::uint32_t endLeft, std::uint32_t endRight) {
        const std::size_t n = endLeft - begin, m = endRight - begin;
        if (n * m > exactCells || n * m == 0) {
            std::uint32_t i = begin;
            for (; i < endLeft && i < endRight && likeness(i, i) > 0; ++i) m_pairs.push_back({m_l + i, m_r + i});
            for (std::uint32_t k = i; k < endLeft; ++k) m_pairs.push_back({m_l + k, none});
            for (std::uint32_t k = i; k < endRight; ++k) m_pairs.push_back({none, m_r + k});
            return;
        }
        // best[i][j]: the greatest sum for the tokens from i and from j on
        std::vector<int> best((n + 1) * (m + 1), 0);
        const auto at = [&](std::size_t i, std::size_t j) -> int& { return best[i * (m + 1) + j]; };
        const auto score = [&](std::size_t i, std::size_t j) {
            return likeness(begin + static_cast<std::uint32_t>(i), begin + static_cast<std::uint32_t>(j));
        };
        for (std::size_t i = n; i-- > 0;)
            for (std::size_t j = m; j-- > 0;) {
                const int s = score(i, j);
                at(i, j) = std::max({at(i + 1, j), at(i, j + 1), s > 0 ? at(i + 1, j + 1) + s : 0});
            }
        std::uint32_t i = 0, j = 0;
        const std::uint32_t l = m_l + begin, r = m_r + begin;
        while (i < n || j < m) {
            const int s = i < n && j < m ? score(i, j) : 0;
            if (s > 0 && at(i, j) == at(i + 1, j + 1) + s) {
                m_pairs.push_back({l + i++, r + j++});
            } else if (i < n && (j == m || at(i, j) == at(i + 1, j))) {
                m_pairs.push_back({l + i++, none});
            } else {
                m_pairs.push_back({none, r + j++});
            }
        }
    }

    const Document& m_left;
    const Document& m_right;
    std::uint32_t m_l, m_r, m_n, m_m;
    std::vector<TokenPair>& m_pairs;
};

} // namespace

void pairTokens(const Document& left, const Line& leftLine, const Document& right, const Line& rightLine,
                std::vector<TokenPair>& pairs) {
    LinePairing(left, leftLine, right, rightLine, pairs).run();
}

} // namespace ptxwb::compare
