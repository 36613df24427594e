// Where the hunks of a comparison stand now, in lines of both sides, through edits of the right one.
// A part of the comparison view: next and previous change, taking a hunk.
#pragma once

#include "compare/compare.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::ui {

/// Lines from 1. With count 0 `first` is the line before which the other side's lines would stand (one beyond the last
/// line, at the end).
struct ChangeRange {
    std::uint32_t leftFirst = 1, leftCount = 0;
    std::uint32_t rightFirst = 1, rightCount = 0;
    std::string kernel;
    bool isMove = false; ///< all of it stands elsewhere on the other side
    bool operator==(const ChangeRange&) const = default;
};

std::vector<ChangeRange> changeRanges(const std::vector<compare::Row>& rows, const std::vector<compare::Hunk>& hunks);

/// An edit of the right side: `count` lines below `line` (0: above the first), or lines [first, first + count) away.
void insertLines(std::vector<ChangeRange>& ranges, std::uint32_t line, std::uint32_t count);
void removeLines(std::vector<ChangeRange>& ranges, std::uint32_t first, std::uint32_t count);

} // namespace ptxwb::ui
