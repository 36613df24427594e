// Which line of the baseline stands beside which line of the candidate, and where a side needs filler lines.
// Plain values: made from a comparison, kept right through edits until the next one; used by the comparison view.
#pragma once

#include "compare/compare.h"

#include <cstdint>
#include <vector>

namespace ptxwb::ui {

enum class Side : unsigned char { left, right };

/// One row on the screen: the lines of both sides, from 1; 0 is a filler.
struct DisplayRow {
    std::uint32_t left = 0, right = 0;
    bool operator==(const DisplayRow&) const = default;
};

/// `count` filler lines below `line`.
struct Filler {
    std::uint32_t line = 1, count = 0;
    bool operator==(const Filler&) const = default;
};

class RowLayout {
public:
    RowLayout() = default;
    /// `leftLines` and `rightLines` as an editor counts them (at least 1; a newline at the end opens one more): lines
    /// that the comparison does not have stand at the end.
    /// A filler is an annotation, which can only stand below a line: so line 1 of both sides always shares row 0, also
    /// where the comparison has them apart.
    RowLayout(const std::vector<compare::Row>& rows, std::uint32_t leftLines, std::uint32_t rightLines);

    const std::vector<DisplayRow>& rows() const { return m_rows; }
    bool empty() const { return m_rows.empty(); }
    std::uint32_t lineCount(Side side) const;
    /// Row of a line; the last row where the line is beyond the end.
    std::uint32_t rowOf(Side side, std::uint32_t line) const;
    /// The line at a row, or the nearest one above it (at least 1).
    std::uint32_t lineAt(Side side, std::uint32_t row) const;
    /// Rows marked in `hiddenRows` take no place; row 0 is never hidden.
    std::vector<Filler> fillers(Side side, const std::vector<bool>& hiddenRows = {}) const;

    /// An edit put `count` lines below `line` (0: above the first): they face fillers until the next comparison.
    void insertLines(Side side, std::uint32_t line, std::uint32_t count);
    /// An edit took lines [first, first + count) away: what they faced faces a filler.
    void removeLines(Side side, std::uint32_t first, std::uint32_t count);

private:
    void index();
    void pairFirst();

    std::vector<DisplayRow> m_rows;
    std::vector<std::uint32_t> m_rowOfLeft, m_rowOfRight; ///< at line - 1
};

} // namespace ptxwb::ui
