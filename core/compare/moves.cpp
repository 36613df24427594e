#include "compare/moves.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

struct Candidate {
    std::uint64_t key;
    std::uint32_t line;
};

class MoveFinder {
public:
    MoveFinder(const Side& left, const Side& right, const std::vector<FunctionPair>& functions, const Pairs& pairs,
               Pairs& moved)
        : m_left(left), m_right(right), m_pairs(pairs), m_moved(moved) {
        m_ofLeft.assign(functionCount(left), none);
        m_ofRight.assign(functionCount(right), none);
        for (std::uint32_t i = 0; i < functions.size(); ++i) {
            m_ofLeft[functions[i].left] = i;
            m_ofRight[functions[i].right] = i;
        }
    }

    void run() {
        const auto left = candidates(m_left, m_pairs.rightOf, m_ofLeft);
        const auto right = candidates(m_right, m_pairs.leftOf, m_ofRight);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> seeds;
        for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
            if (left[i].key < right[j].key) {
                ++i;
            } else if (right[j].key < left[i].key) {
                ++j;
            } else {
                const std::uint64_t key = left[i].key;
                const std::size_t startI = i, startJ = j;
                while (i < left.size() && left[i].key == key) ++i;
                while (j < right.size() && right[j].key == key) ++j;
                if (i == startI + 1 && j == startJ + 1) seeds.emplace_back(left[startI].line, right[startJ].line);
            }
        }
        std::ranges::sort(seeds);
        for (const auto& [l, r] : seeds) {
            if (!isFree(l, r)) continue;
            m_moved.connect(l, r);
            extend(l, r, 1);
            extend(l, r, -1);
        }
    }

private:
    static std::size_t functionCount(const Side& side) {
        return side.document->module != nullptr ? side.document->module->functions.size() : 0;
    }

    static std::vector<Candidate> candidates(const Side& side, const std::vector<std::uint32_t>& partner,
                                             const std::vector<std::uint32_t>& pairOf) {
        std::vector<Candidate> result;
        for (std::uint32_t i = 0; i < partner.size(); ++i) {
            const Line& line = side.document->lines[i];
            if (partner[i] != none || side.excluded[i]) continue;
            const bool canLead =
                line.kind == LineKind::instruction || line.kind == LineKind::directive || line.kind == LineKind::label;
            const bool isCode = line.kind == LineKind::other && line.tokenCount > 3;
            if (!canLead && !isCode) continue;
            const std::uint32_t pair = line.function == none ? none : pairOf[line.function];
            result.push_back({mix(side.keys[KeyLevel::mapped][i], pair), i});
        }
        std::ranges::sort(result, {}, &Candidate::key);
        return result;
    }

    bool isFree(std::uint32_t l, std::uint32_t r) const {
        return m_pairs.rightOf[l] == none && m_pairs.leftOf[r] == none && m_moved.rightOf[l] == none &&
               m_moved.leftOf[r] == none && !m_left.excluded[l] && !m_right.excluded[r];
    }

    /// What goes with a moved line; blank lines and comments only where code follows.
    void extend(std::uint32_t l, std::uint32_t r, int step) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pending;
        while (true) {
            l += static_cast<std::uint32_t>(step);
            r += static_cast<std::uint32_t>(step);
            // Below line 0 the index wraps to one behind the end.
            if (l >= m_pairs.rightOf.size() || r >= m_pairs.leftOf.size() || !isFree(l, r)) return;
            if (m_left.keys[KeyLevel::mapped][l] != m_right.keys[KeyLevel::mapped][r]) return;
            pending.emplace_back(l, r);
            if (m_left.document->isTrivia(m_left.document->lines[l])) continue;
            for (const auto& [x, y] : pending) m_moved.connect(x, y);
            pending.clear();
        }
    }

    const Side& m_left;
    const Side& m_right;
    const Pairs& m_pairs;
    Pairs& m_moved;
    std::vector<std::uint32_t> m_ofLeft, m_ofRight;
};

/// More lines than this on the wrong side of a label are a block in another place.
constexpr std::size_t fewLines = 16;

} // namespace

void pinLabels(const Side& left, const Side& right, const std::vector<FunctionPair>& functions, const SymbolMap& map,
               Pairs& pairs) {
    const Document &a = *left.document, &b = *right.document;
    for (std::uint32_t symbol = 0; symbol < a.labels.size(); ++symbol) {
        if (map.rightLabel[symbol] == none) continue;
        const std::uint32_t l = a.labels[symbol].line, r = b.labels[map.rightLabel[symbol]].line;
        if (l == none || r == none || pairs.rightOf[l] != none || pairs.leftOf[r] != none) continue;
        if (a.lines[l].kind != LineKind::label || b.lines[r].kind != LineKind::label) continue;
        const bool facing = std::ranges::any_of(functions, [&](const FunctionPair& pair) {
            return pair.inOrder && pair.left == a.lines[l].function && pair.right == b.lines[r].function;
        });
        if (!facing) continue;
        std::vector<std::uint32_t> crossing;
        for (std::uint32_t i = l + 1; i < a.lines.size() && crossing.size() <= fewLines; ++i) {
            if (pairs.rightOf[i] == none) continue;
            if (pairs.rightOf[i] > r) break;
            crossing.push_back(i);
        }
        for (std::uint32_t i = l; i-- > 0 && crossing.size() <= fewLines;) {
            if (pairs.rightOf[i] == none) continue;
            if (pairs.rightOf[i] < r) break;
            crossing.push_back(i);
        }
        if (crossing.size() > fewLines) continue;
        for (const std::uint32_t i : crossing) {
            pairs.leftOf[pairs.rightOf[i]] = none;
            pairs.rightOf[i] = none;
        }
        pairs.connect(l, r);
    }
}

void findMoves(const Side& left, const Side& right, const std::vector<FunctionPair>& functions, const Pairs& pairs,
               Pairs& moved) {
    MoveFinder(left, right, functions, pairs, moved).run();
}

} // namespace ptxwb::compare
