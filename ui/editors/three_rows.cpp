#include "editors/three_rows.h"

#include <algorithm>

namespace ptxwb::ui {

namespace {

/// What one comparison says of the middle text's lines: the line beside each, and those of the outer text before it.
struct Beside {
    std::vector<std::uint32_t> of;                  ///< at middle line; 0: none
    std::vector<std::vector<std::uint32_t>> before; ///< at middle line, the last entry: behind all of them

    Beside(std::uint32_t middleLines, std::uint32_t outerLines) : of(middleLines + 2), before(middleLines + 2) {
        m_middle = middleLines;
        m_outer = outerLines;
    }
    void add(std::uint32_t outer, std::uint32_t middle) {
        if (outer > m_outer) outer = 0;
        if (middle > m_middle) middle = 0;
        if (middle != 0) {
            of[middle] = outer;
            m_next = middle + 1;
        } else if (outer != 0) {
            before[m_next].push_back(outer);
        }
        m_last = std::max(m_last, outer);
    }
    /// What the comparison does not have (the empty line that a newline at the end opens) stands at the end.
    void finish() {
        while (m_last < m_outer) {
            if (m_next <= m_middle && of[m_next] == 0)
                of[m_next++] = ++m_last;
            else
                before[m_middle + 1].push_back(++m_last);
        }
    }

private:
    std::uint32_t m_middle = 0, m_outer = 0, m_next = 1, m_last = 0;
};

void pairFirst(std::vector<ThreeRow>& rows, std::uint32_t ThreeRow::* column) {
    const auto first = std::ranges::find_if(rows, [column](const ThreeRow& row) { return row.*column != 0; });
    if (first == rows.end() || first == rows.begin()) return;
    rows.front().*column = (*first).*column;
    (*first).*column = 0;
    if (*first == ThreeRow{}) rows.erase(first);
}

} // namespace

std::vector<ThreeRow> threeRows(const std::vector<compare::Row>& first, const std::vector<compare::Row>& second,
                                const ThreeCounts& lines) {
    Beside left(lines.middle, lines.left), right(lines.middle, lines.right);
    for (const compare::Row& row : first) left.add(row.leftLine, row.rightLine);
    for (const compare::Row& row : second) right.add(row.rightLine, row.leftLine);
    left.finish();
    right.finish();
    std::vector<ThreeRow> rows;
    for (std::uint32_t middle = 1; middle <= lines.middle + 1; ++middle) {
        const auto &above = left.before[middle], &below = right.before[middle];
        for (std::size_t i = 0; i < std::max(above.size(), below.size()); ++i)
            rows.push_back({i < above.size() ? above[i] : 0, 0, i < below.size() ? below[i] : 0});
        if (middle <= lines.middle) rows.push_back({left.of[middle], middle, right.of[middle]});
    }
    for (const auto column : {&ThreeRow::left, &ThreeRow::middle, &ThreeRow::right}) pairFirst(rows, column);
    return rows;
}

std::vector<Filler> fillersOf(const std::vector<ThreeRow>& rows, std::uint32_t ThreeRow::* column) {
    std::vector<Filler> result;
    std::uint32_t line = 1;
    for (const ThreeRow& row : rows) {
        if (row.*column != 0)
            line = row.*column;
        else if (!result.empty() && result.back().line == line)
            ++result.back().count;
        else
            result.push_back({line, 1});
    }
    return result;
}

} // namespace ptxwb::ui
