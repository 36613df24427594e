// What every comparison must satisfy, and short ways to make one.
// Used by the tests of the comparison.
#pragma once

#include "compare/compare.h"
#include "ptx/parse.h"

#include <QTest>

#include <algorithm>
#include <string>

namespace ptxwb::compare::test {

inline Comparison compareTexts(const std::string& left, const std::string& right, const CompareOptions& options = {}) {
    const auto a = ptx::parse(left, "left.ptx"), b = ptx::parse(right, "right.ptx");
    return compare(*a, *b, options);
}

inline std::uint32_t lineCount(const std::string& text) {
    const auto breaks = static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
    return breaks + (text.empty() || text.back() == '\n' ? 0 : 1);
}

/// Empty where the rows tile both texts, the counts and hunks agree with the rows, and the spans lie in their lines.
inline std::string whatIsWrong(const Comparison& c, const std::string& left, const std::string& right) {
    std::uint32_t l = 0, r = 0;
    Counts counts;
    const auto lengths = [](const std::string& text) {
        std::vector<std::size_t> result;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            result.push_back(end - at);
            at = end + 1;
        }
        return result;
    };
    const auto leftLengths = lengths(left), rightLengths = lengths(right);
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
        const Row& row = c.rows[i];
        const std::string where = "row " + std::to_string(i) + ": ";
        if (row.leftLine == 0 && row.rightLine == 0) return where + "no line on either side";
        if (row.leftLine != 0 && row.leftLine != ++l) return where + "left line out of order";
        if (row.rightLine != 0 && row.rightLine != ++r) return where + "right line out of order";
        const bool both = row.leftLine != 0 && row.rightLine != 0;
        if (both && (row.cls == RowClass::added || row.cls == RowClass::removed || row.cls == RowClass::moved))
            return where + "two lines in a row that has one side";
        if (row.cls == RowClass::added && row.leftLine != 0) return where + "added on the left";
        if (row.cls == RowClass::removed && row.rightLine != 0) return where + "removed on the right";
        if ((row.cls == RowClass::moved) != (row.otherLine != 0)) return where + "a move without its other line";
        if (!row.trivia && !(row.cls == RowClass::moved && row.leftLine == 0))
            ++counts.rows[static_cast<std::size_t>(row.cls)];
        for (const auto& [spans, length] :
             {std::pair(&row.leftSpans, row.leftLine ? leftLengths[row.leftLine - 1] : 0),
              std::pair(&row.rightSpans, row.rightLine ? rightLengths[row.rightLine - 1] : 0)}) {
            std::size_t end = 0;
            for (const ColumnSpan& span : *spans) {
                if (span.column == 0 || span.length == 0 || span.column - 1 < end) return where + "span out of order";
                end = span.column - 1 + span.length;
                if (end > length) return where + "span beyond its line";
            }
        }
        if (row.cls == RowClass::renamed && both && row.leftSpans.empty() && row.rightSpans.empty())
            return where + "renamed without a span";
    }
    if (l != lineCount(left) || r != lineCount(right)) return "not every line has a row";
    if (counts != c.counts) return "counts do not agree with the rows";
    if (c.same != (c.counts.changes() == 0)) return "same does not agree with the counts";
    std::uint32_t end = 0;
    for (const KernelPair& kernel : c.kernels) {
        if (kernel.firstRow < end || kernel.rowCount == 0) return "kernels overlap";
        end = kernel.firstRow + kernel.rowCount;
    }
    if (end > c.rows.size()) return "a kernel reaches beyond the rows";
    std::size_t covered = 0, changed = 0;
    for (const Hunk& hunk : hunks(c, Level::changed)) {
        for (std::uint32_t i = 0; i < hunk.rowCount; ++i) {
            const Row& row = c.rows[hunk.firstRow + i];
            if (!isChange(row.cls)) return "a hunk with an unchanged row";
            covered += !row.trivia;
        }
    }
    for (const Row& row : c.rows) changed += isChange(row.cls) && !row.trivia;
    if (covered != changed) return "a changed row outside of the hunks";
    return {};
}

inline std::string summary(const Comparison& c) {
    std::string result;
    for (std::size_t i = 0; i < rowClassCount; ++i)
        if (c.counts.rows[i] > 0)
            result += std::string(name(static_cast<RowClass>(i))) + " " + std::to_string(c.counts.rows[i]) + " ";
    return result + (c.same ? "same" : "different") + (c.approximate ? " approximate" : "");
}

} // namespace ptxwb::compare::test

#define COMPARE_IS_SOUND(comparison, left, right)                                                                      \
    do {                                                                                                               \
        const std::string wrong = ptxwb::compare::test::whatIsWrong(comparison, left, right);                          \
        QVERIFY2(wrong.empty(), wrong.c_str());                                                                        \
    } while (false)
