#include "editors/row_layout.h"

#include <algorithm>

namespace ptxwb::ui {
namespace {

std::uint32_t& lineOf(DisplayRow& row, Side side) {
    return side == Side::left ? row.left : row.right;
}

std::uint32_t lineOf(const DisplayRow& row, Side side) {
    return side == Side::left ? row.left : row.right;
}

} // namespace

RowLayout::RowLayout(const std::vector<compare::Row>& rows, std::uint32_t leftLines, std::uint32_t rightLines) {
    m_rows.reserve(rows.size() + 1);
    std::uint32_t left = 0, right = 0;
    for (const compare::Row& row : rows) {
        const DisplayRow shown{row.leftLine <= leftLines ? row.leftLine : 0,
                               row.rightLine <= rightLines ? row.rightLine : 0};
        if (shown == DisplayRow{}) continue;
        m_rows.push_back(shown);
        left = std::max(left, shown.left);
        right = std::max(right, shown.right);
    }
    while (left < leftLines || right < rightLines) {
        m_rows.push_back({left < leftLines ? left + 1 : 0, right < rightLines ? right + 1 : 0});
        left = std::min(left + 1, leftLines);
        right = std::min(right + 1, rightLines);
    }
    pairFirst();
    index();
}

/// Line 1 of the side that begins with fillers moves up to row 0; what it leaves behind empty goes.
void RowLayout::pairFirst() {
    for (const Side side : {Side::left, Side::right}) {
        const auto first =
            std::ranges::find_if(m_rows, [side](const DisplayRow& row) { return lineOf(row, side) != 0; });
        if (first == m_rows.end() || first == m_rows.begin()) continue;
        lineOf(m_rows.front(), side) = lineOf(*first, side);
        lineOf(*first, side) = 0;
        if (*first == DisplayRow{}) m_rows.erase(first);
    }
}

void RowLayout::index() {
    m_rowOfLeft.clear();
    m_rowOfRight.clear();
    for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row].left != 0) m_rowOfLeft.push_back(row);
        if (m_rows[row].right != 0) m_rowOfRight.push_back(row);
    }
}

std::uint32_t RowLayout::lineCount(Side side) const {
    return static_cast<std::uint32_t>((side == Side::left ? m_rowOfLeft : m_rowOfRight).size());
}

std::uint32_t RowLayout::rowOf(Side side, std::uint32_t line) const {
    const std::vector<std::uint32_t>& rows = side == Side::left ? m_rowOfLeft : m_rowOfRight;
    if (rows.empty() || line == 0) return 0;
    return rows[std::min<std::size_t>(line, rows.size()) - 1];
}

std::uint32_t RowLayout::lineAt(Side side, std::uint32_t row) const {
    const std::vector<std::uint32_t>& rows = side == Side::left ? m_rowOfLeft : m_rowOfRight;
    const auto after = std::ranges::upper_bound(rows, row);
    return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(after - rows.begin()));
}

std::vector<Filler> RowLayout::fillers(Side side, const std::vector<bool>& hiddenRows) const {
    std::vector<Filler> result;
    std::uint32_t line = 1;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (row < hiddenRows.size() && hiddenRows[row]) continue;
        if (const std::uint32_t own = lineOf(m_rows[row], side); own != 0) {
            line = own;
        } else if (!result.empty() && result.back().line == line) {
            ++result.back().count;
        } else {
            result.push_back({line, 1});
        }
    }
    return result;
}

void RowLayout::insertLines(Side side, std::uint32_t line, std::uint32_t count) {
    if (count == 0) return;
    line = std::min(line, lineCount(side));
    const std::size_t at = line == 0 ? 0 : rowOf(side, line) + 1;
    for (std::size_t row = at; row < m_rows.size(); ++row)
        if (std::uint32_t& own = lineOf(m_rows[row], side); own != 0) own += count;
    std::vector<DisplayRow> added(count);
    for (std::uint32_t i = 0; i < count; ++i) lineOf(added[i], side) = line + 1 + i;
    m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(at), added.begin(), added.end());
    pairFirst();
    index();
}

void RowLayout::removeLines(Side side, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t end = std::min(first + count, lineCount(side) + 1);
    if (first == 0 || first >= end) return;
    for (DisplayRow& row : m_rows) {
        std::uint32_t& own = lineOf(row, side);
        if (own >= end)
            own -= end - first;
        else if (own >= first)
            own = 0;
    }
    std::erase(m_rows, DisplayRow{});
    pairFirst();
    index();
}

} // namespace ptxwb::ui
