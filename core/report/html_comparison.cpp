#include "report/html_parts.h"
#include "report/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::report {

namespace {

using compare::Row;
using compare::RowClass;

constexpr std::uint32_t context = 3; ///< unchanged rows that stay open beside a change
constexpr std::uint32_t worthFolding = 4;

std::string_view glyphOf(const Row& row) {
    switch (row.cls) {
    case RowClass::identical: return "";
    case RowClass::renamed: return "=";
    case RowClass::moved: return "\xE2\x86\x95";
    case RowClass::added: return "+";
    case RowClass::removed: return "-";
    default: return "~";
    }
}

/// The line with what differs within it marked.
std::string marked(std::string_view line, const std::vector<compare::ColumnSpan>& spans) {
    std::string out;
    std::size_t at = 0;
    for (const compare::ColumnSpan& span : spans) {
        const std::size_t begin = std::min<std::size_t>(std::max(span.column, 1U) - 1, line.size());
        const std::size_t end = std::min<std::size_t>(begin + span.length, line.size());
        if (begin < at || begin == end) continue;
        out += html(line.substr(at, begin - at)) + "<mark>" + html(line.substr(begin, end - begin)) + "</mark>";
        at = end;
    }
    return out + html(line.substr(at));
}

class Sides {
public:
    Sides(const Subject& baseline, const Subject& subject)
        : m_left(linesOf(baseline.text)), m_right(linesOf(subject.text)), m_comparison(*subject.comparison) {}

    std::string table(std::uint32_t begin, std::uint32_t end) const {
        std::string out = "<table class=\"code sides\"><colgroup><col style=\"width:4.5em\" /><col /><col "
                          "style=\"width:1.8em\" /><col style=\"width:4.5em\" /><col /></colgroup><tbody>\n";
        for (std::uint32_t i = begin; i < end; ++i) out += row(m_comparison.rows[i]);
        return out + "</tbody></table>\n";
    }

private:
    static std::string cells(const std::vector<std::string_view>& lines, std::uint32_t line,
                             const std::vector<compare::ColumnSpan>& spans, std::string_view side) {
        if (line == 0 || line > lines.size()) return fmt::format("<td class=\"at\"></td><td></td>");
        return fmt::format("<td class=\"at\">{}</td><td class=\"{}\">{}</td>", line, side,
                           marked(lines[line - 1], spans));
    }

    std::string row(const Row& row) const {
        std::string out =
            fmt::format("<tr class=\"{}{}\">{}<td class=\"glyph\">{}</td>{}</tr>\n", name(row.cls),
                        row.trivia ? " trivia" : "", cells(m_left, row.leftLine, row.leftSpans, "left"),
                        row.trivia ? "" : glyphOf(row), cells(m_right, row.rightLine, row.rightSpans, "right"));
        if (!row.note.empty())
            out += fmt::format("<tr><td></td><td colspan=\"4\" class=\"remark\">{}</td></tr>\n", html(row.note));
        return out;
    }

    std::vector<std::string_view> m_left, m_right;
    const compare::Comparison& m_comparison;
};

/// For each row whether it is shown open: changed, or near a change.
std::vector<bool> openRows(const compare::Comparison& comparison) {
    std::vector<bool> open(comparison.rows.size(), false);
    for (const compare::Hunk& hunk : compare::hunks(comparison, compare::Level::changed)) {
        const std::size_t first = hunk.firstRow > context ? hunk.firstRow - context : 0;
        const std::size_t last = std::min<std::size_t>(hunk.firstRow + hunk.rowCount + context, open.size());
        for (std::size_t i = first; i < last; ++i) open[i] = true;
    }
    return open;
}

std::string countsText(const compare::Comparison& comparison) {
    if (comparison.same) return "The same program under other names.";
    std::string text = fmt::format("{} changed rows", comparison.counts.changes());
    std::string parts;
    for (std::size_t i = 0; i < compare::rowClassCount; ++i) {
        const auto cls = static_cast<RowClass>(i);
        if (comparison.counts.of(cls) == 0) continue;
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", comparison.counts.of(cls), name(cls));
    }
    return text + ": " + parts + "." + (comparison.approximate ? " The alignment is coarse." : "");
}

} // namespace

std::string comparisonHtml(const Subject& baseline, const Subject& subject) {
    const compare::Comparison& comparison = *subject.comparison;
    const Sides sides(baseline, subject);
    const auto open = openRows(comparison);
    std::string out = fmt::format("<p>{} Baseline on the left, {} on the right; registers and labels that only have "
                                  "other names are no change.</p>\n<div class=\"comparison\">\n",
                                  countsText(comparison), html(subject.name));
    const auto count = static_cast<std::uint32_t>(open.size());
    for (std::uint32_t begin = 0; begin < count;) {
        std::uint32_t end = begin;
        while (end < count && open[end] == open[begin]) ++end;
        if (open[begin] || end - begin < worthFolding)
            out += sides.table(begin, end);
        else
            out += fmt::format("<details class=\"folded\"><summary>{} rows without a change</summary>\n{}</details>\n",
                               end - begin, sides.table(begin, end));
        begin = end;
    }
    return out + "</div>\n";
}

} // namespace ptxwb::report
