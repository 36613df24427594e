#include "compare/align.h"

#include "compare/align_steps.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

/// One pass over a gap: lines whose key (or whose key and the next two) is unique on both sides are anchors.
struct Step {
    KeyLevel level;
    unsigned lines;
};
constexpr Step stepsWithMap[] = {{KeyLevel::mapped, 3},    {KeyLevel::mapped, 1}, {KeyLevel::definition, 1},
                                 {KeyLevel::neighbour, 1}, {KeyLevel::exact, 3},  {KeyLevel::exact, 1},
                                 {KeyLevel::shape, 3},     {KeyLevel::shape, 1},  {KeyLevel::opcode, 3}};
constexpr std::span<const Step> allSteps(stepsWithMap);
constexpr std::span<const Step> stepsWithoutMap = allSteps.subspan(2);

/// Below this many pairs of lines a gap is solved exactly at once; up to `exactCells` after anchors were looked for.
constexpr std::uint64_t smallCells = 10'000, exactCells = 250'000;

struct Gap {
    LineRange left, right;
    std::size_t step = 0;
    std::uint64_t cells() const { return std::uint64_t{left.size()} * right.size(); }
};

class Aligner {
public:
    Aligner(const Side& left, const Side& right, bool withMap, Budget& budget, Pairs& pairs)
        : m_left(left), m_right(right), m_withMap(withMap), m_steps(withMap ? allSteps : stepsWithoutMap),
          m_budget(budget), m_pairs(pairs) {}

    void run(LineRange left, LineRange right) {
        m_open.push_back({left, right});
        while (!m_open.empty()) {
            const Gap gap = m_open.back();
            m_open.pop_back();
            fill(gap);
        }
    }

private:
    void fill(Gap gap) {
        if (gap.step < m_steps.size() && m_steps[gap.step].level <= KeyLevel::exact) trim(gap, m_steps[gap.step].level);
        if (gap.cells() == 0 || m_budget.isSpent()) return;
        if (gap.cells() <= smallCells) return alignBest(m_left, m_right, gap.left, gap.right, m_withMap, m_pairs);
        if (gap.step < m_steps.size()) {
            const Step step = m_steps[gap.step];
            const auto anchors =
                uniqueAnchors(m_left.keys[step.level], m_right.keys[step.level], gap.left, gap.right, step.lines);
            if (anchors.empty())
                m_open.push_back({gap.left, gap.right, gap.step + 1});
            else
                split(gap, anchors, gap.step);
            return;
        }
        if (gap.cells() <= exactCells) return alignBest(m_left, m_right, gap.left, gap.right, m_withMap, m_pairs);
        // Nothing is unique in a long stretch: the shortest edit script, at one level after the other.
        constexpr KeyLevel levels[] = {KeyLevel::exact, KeyLevel::shape, KeyLevel::opcode};
        const std::size_t turn = gap.step - m_steps.size();
        if (turn >= std::size(levels)) {
            m_budget.approximate = true;
            return;
        }
        const auto script =
            shortestEdit(m_left.keys[levels[turn]], m_right.keys[levels[turn]], gap.left, gap.right, m_budget);
        split(gap, script, gap.step + 1);
    }

    /// Anchors are pairs; what lies between two of them is a gap of its own.
    void split(const Gap& gap, const std::vector<LinePair>& anchors, std::size_t step) {
        LineRange left{gap.left.begin, 0}, right{gap.right.begin, 0};
        for (const LinePair& anchor : anchors) {
            left.end = anchor.left;
            right.end = anchor.right;
            if (left.size() > 0 && right.size() > 0) m_open.push_back({left, right, step});
            m_pairs.connect(anchor.left, anchor.right);
            left.begin = anchor.left + 1;
            right.begin = anchor.right + 1;
        }
        left.end = gap.left.end;
        right.end = gap.right.end;
        if (left.size() > 0 && right.size() > 0) m_open.push_back({left, right, step});
    }

    void trim(Gap& gap, KeyLevel level) {
        const auto &left = m_left.keys[level], &right = m_right.keys[level];
        while (gap.cells() > 0 && left[gap.left.begin] == right[gap.right.begin])
            m_pairs.connect(gap.left.begin++, gap.right.begin++);
        while (gap.cells() > 0 && left[gap.left.end - 1] == right[gap.right.end - 1])
            m_pairs.connect(--gap.left.end, --gap.right.end);
    }

    const Side& m_left;
    const Side& m_right;
    bool m_withMap;
    std::span<const Step> m_steps;
    Budget& m_budget;
    Pairs& m_pairs;
    std::vector<Gap> m_open;
};

} // namespace

bool Budget::isSpent() {
    if (!m_spent) m_spent = stop.stop_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline);
    approximate = approximate || m_spent;
    return m_spent;
}

void align(const Side& left, const Side& right, LineRange leftRange, LineRange rightRange, bool withMap, Budget& budget,
           Pairs& pairs) {
    Aligner(left, right, withMap, budget, pairs).run(leftRange, rightRange);
}

} // namespace ptxwb::compare
