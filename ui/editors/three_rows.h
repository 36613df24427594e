// Which lines of three texts stand beside one another: baseline, an earlier version, the candidate.
// Plain values, made from two comparisons that share the text in the middle; used by the history.
#pragma once

#include "editors/row_layout.h"

namespace ptxwb::ui {

/// Lines from 1; 0 is a filler.
struct ThreeRow {
    std::uint32_t left = 0, middle = 0, right = 0;
    bool operator==(const ThreeRow&) const = default;
};

/// The lines that each text has as an editor counts them: at least 1.
struct ThreeCounts {
    std::uint32_t left = 1, middle = 1, right = 1;
};

/// `first`: left and middle; `second`: middle and right. Every line stands in one row, and numbers grow from row to
/// row. Line 1 of all three stands in row 0: a filler can only stand below a line.
std::vector<ThreeRow> threeRows(const std::vector<compare::Row>& first, const std::vector<compare::Row>& second,
                                const ThreeCounts& lines);

/// Where a column needs filler lines.
std::vector<Filler> fillersOf(const std::vector<ThreeRow>& rows, std::uint32_t ThreeRow::* column);

} // namespace ptxwb::ui
