#include "editors/change_ranges.h"

#include <algorithm>
#include <span>

namespace ptxwb::ui {

std::vector<ChangeRange> changeRanges(const std::vector<compare::Row>& rows, const std::vector<compare::Hunk>& hunks) {
    std::vector<ChangeRange> result;
    result.reserve(hunks.size());
    std::uint32_t left = 0, right = 0; // last lines before `row`
    std::size_t row = 0;
    for (const compare::Hunk& hunk : hunks) {
        for (; row < hunk.firstRow && row < rows.size(); ++row) {
            left = std::max(left, rows[row].leftLine);
            right = std::max(right, rows[row].rightLine);
        }
        ChangeRange range{left + 1, 0, right + 1, 0, hunk.kernel};
        const auto part = std::span(rows).subspan(std::min<std::size_t>(hunk.firstRow, rows.size()));
        range.isMove = std::ranges::all_of(part.first(std::min<std::size_t>(hunk.rowCount, part.size())),
                                           [](const compare::Row& r) { return r.cls == compare::RowClass::moved; });
        for (; row < hunk.firstRow + hunk.rowCount && row < rows.size(); ++row) {
            left = std::max(left, rows[row].leftLine);
            right = std::max(right, rows[row].rightLine);
        }
        range.leftCount = left + 1 - range.leftFirst;
        range.rightCount = right + 1 - range.rightFirst;
        result.push_back(std::move(range));
    }
    return result;
}

void insertLines(std::vector<ChangeRange>& ranges, std::uint32_t line, std::uint32_t count) {
    for (ChangeRange& range : ranges) {
        if (range.rightFirst > line)
            range.rightFirst += count;
        else if (range.rightFirst + range.rightCount > line + 1)
            range.rightCount += count;
    }
}

void removeLines(std::vector<ChangeRange>& ranges, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t end = first + count;
    for (ChangeRange& range : ranges) {
        const std::uint32_t rangeEnd = range.rightFirst + range.rightCount;
        const auto moved = [&](std::uint32_t line) { return line >= end ? line - count : std::min(line, first); };
        range.rightFirst = moved(range.rightFirst);
        range.rightCount = moved(rangeEnd) - range.rightFirst;
    }
}

} // namespace ptxwb::ui
