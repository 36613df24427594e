#include "compare/align_steps.h"

#include <algorithm>
#include <span>

namespace ptxwb::compare {
namespace {

/// One search: furthest-reaching paths, kept for each number of differences so that the path can be walked back.
class Search {
public:
    Search(std::span<const std::uint64_t> left, std::span<const std::uint64_t> right, int giveUp)
        : m_left(left), m_right(right), m_n(static_cast<int>(left.size())), m_m(static_cast<int>(right.size())),
          m_giveUp(giveUp) {}

    /// Pairs relative to the spans; `m_endX`, `m_endY` tell how far they reach.
    std::vector<LinePair> run() {
        std::vector<int> furthest(static_cast<std::size_t>(2 * m_giveUp) + 3, 0);
        const int middle = m_giveUp + 1;
        const auto at = [&](int diagonal) -> int& { return furthest[static_cast<std::size_t>(middle + diagonal)]; };
        int bestDiagonal = 0, bestRound = 0;
        for (int d = 0; d <= m_giveUp; ++d) {
            int best = -1;
            for (int k = -d; k <= d; k += 2) {
                int x = d == 0 ? 0 : k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
                int y = x - k;
                if (x <= m_n && y <= m_m && y >= 0)
                    while (x < m_n && y < m_m && m_left[std::size_t(x)] == m_right[std::size_t(y)]) ++x, ++y;
                at(k) = x;
                if (x <= m_n && y <= m_m && x + y > best) {
                    best = x + y;
                    bestDiagonal = k;
                    bestRound = d;
                }
            }
            m_trace.push_back(std::vector<int>(furthest.begin() + (middle - d), furthest.begin() + (middle + d) + 1));
            if (best == m_n + m_m) break;
        }
        m_finished = traced(bestRound, bestDiagonal) == m_n && m_n - bestDiagonal == m_m;
        return walkBack(bestRound, bestDiagonal);
    }

    bool finished() const { return m_finished; }
    std::uint32_t endX() const { return static_cast<std::uint32_t>(m_endX); }
    std::uint32_t endY() const { return static_cast<std::uint32_t>(m_endY); }

private:
    int traced(int d, int k) const { return m_trace[std::size_t(d)][std::size_t(k + d)]; }

    std::vector<LinePair> walkBack(int d, int k) {
        std::vector<LinePair> pairs;
        int x = traced(d, k), y = x - k;
        m_endX = x;
        m_endY = y;
        for (; d >= 0; --d) {
            int startX = 0, previousK = 0;
            if (d > 0) {
                const bool down = k == -d || (k != d && inner(d, k - 1) < inner(d, k + 1));
                previousK = down ? k + 1 : k - 1;
                startX = inner(d, previousK) + (down ? 0 : 1);
            }
            for (; x > startX; --x, --y)
                pairs.push_back({static_cast<std::uint32_t>(x - 1), static_cast<std::uint32_t>(y - 1)});
            if (d == 0) break;
            k = previousK;
            x = inner(d, k);
            y = x - k;
        }
        std::ranges::reverse(pairs);
        return pairs;
    }

    /// What the round `d` found on a diagonal of the round before.
    int inner(int d, int k) const { return k < -(d - 1) || k > d - 1 ? 0 : traced(d - 1, k); }

    std::span<const std::uint64_t> m_left, m_right;
    int m_n, m_m, m_giveUp;
    int m_endX = 0, m_endY = 0;
    bool m_finished = false;
    std::vector<std::vector<int>> m_trace;
};

} // namespace

std::vector<LinePair> shortestEdit(const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right,
                                   LineRange leftRange, LineRange rightRange, Budget& budget, int giveUp) {
    std::vector<LinePair> result;
    while (leftRange.size() > 0 && rightRange.size() > 0 && !budget.isSpent()) {
        Search search({left.data() + leftRange.begin, leftRange.size()},
                      {right.data() + rightRange.begin, rightRange.size()}, giveUp);
        for (const LinePair& pair : search.run())
            result.push_back({leftRange.begin + pair.left, rightRange.begin + pair.right});
        if (search.finished()) break;
        budget.approximate = true;
        leftRange.begin += search.endX();
        rightRange.begin += search.endY();
    }
    return result;
}

} // namespace ptxwb::compare
