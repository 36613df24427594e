#include "compare/print_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::compare {
namespace {

constexpr std::size_t longestLine = 2000;
constexpr std::string_view reset = "\x1b[0m", underline = "\x1b[4m", noUnderline = "\x1b[24m", bold = "\x1b[1m";

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// Orange and blue, as in the window; never the only sign.
std::string_view colorOf(RowClass cls, bool isLeft) {
    switch (cls) {
    case RowClass::identical:
        return "";
    case RowClass::renamed:
        return "\x1b[2m";
    case RowClass::moved:
        return "\x1b[38;5;141m";
    default:
        return isLeft ? "\x1b[38;5;208m" : "\x1b[38;5;75m";
    }
}

/// Rows [begin, end) that are printed together.
struct Region {
    std::uint32_t begin = 0, end = 0;
};

class Printer {
public:
    Printer(const Comparison& comparison, std::string_view left, std::string_view right, const PrintOptions& options)
        : m_comparison(comparison), m_left(linesOf(left)), m_right(linesOf(right)), m_options(options) {
        m_width = std::max<std::size_t>(fmt::formatted_size("{}", std::max(m_left.size(), m_right.size())), 3);
    }

    std::string run(std::string_view leftName, std::string_view rightName) {
        put(bold, fmt::format("--- {}", clean(leftName)));
        put(bold, fmt::format("+++ {}", clean(rightName)));
        for (const Region& region : regions()) {
            put(bold, header(region));
            for (std::uint32_t i = region.begin; i < region.end; ++i) {
                printRow(m_comparison.rows[i]);
                if (!goesOn(i)) printNote(m_comparison.rows[i]);
            }
        }
        summarize();
        return std::move(m_out);
    }

private:
    bool colored() const { return m_options.color == Color::yes; }

    void put(std::string_view color, std::string_view line) {
        if (colored() && !color.empty())
            fmt::format_to(std::back_inserter(m_out), "{}{}{}\n", color, line, reset);
        else
            fmt::format_to(std::back_inserter(m_out), "{}\n", line);
    }

    static std::string clean(std::string_view text) {
        std::string result(text);
        for (char& c : result)
            if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7F) c = '?';
        return result;
    }

    std::vector<Region> regions() const {
        std::vector<Region> result;
        const auto rowCount = static_cast<std::uint32_t>(m_comparison.rows.size());
        if (m_options.level == Level::all) {
            std::uint32_t at = 0;
            const auto add = [&](std::uint32_t end) {
                if (at < end) result.push_back({at, end});
                at = std::max(at, end);
            };
            for (const KernelPair& kernel : m_comparison.kernels) {
                add(kernel.firstRow);
                add(kernel.firstRow + kernel.rowCount);
            }
            add(rowCount);
            return result;
        }
        for (const Hunk& hunk : hunks(m_comparison, m_options.level)) {
            const std::uint32_t begin = hunk.firstRow - std::min(hunk.firstRow, m_options.context);
            const std::uint32_t end = std::min(rowCount, hunk.firstRow + hunk.rowCount + m_options.context);
            if (!result.empty() && begin <= result.back().end)
                result.back().end = end;
            else
                result.push_back({begin, end});
        }
        return result;
    }

    std::string header(const Region& region) const {
        std::uint32_t firstLeft = 0, firstRight = 0, lefts = 0, rights = 0;
        for (std::uint32_t i = region.begin; i < region.end; ++i) {
            const Row& row = m_comparison.rows[i];
            if (row.leftLine != 0 && lefts++ == 0) firstLeft = row.leftLine;
            if (row.rightLine != 0 && rights++ == 0) firstRight = row.rightLine;
        }
        return fmt::format("@@ -{},{} +{},{} @@{}", firstLeft, lefts, firstRight, rights, kernelOf(region));
    }

    /// The function of the first row that is shown for its own sake.
    std::string kernelOf(const Region& region) const {
        std::uint32_t at = region.begin;
        while (m_options.level != Level::all && at + 1 < region.end && !isShown(m_comparison.rows[at])) ++at;
        for (const KernelPair& kernel : m_comparison.kernels) {
            if (kernel.firstRow >= region.end || at >= kernel.firstRow + kernel.rowCount) continue;
            if (kernel.left.empty() || kernel.right.empty() || kernel.left == kernel.right)
                return " " + (kernel.left.empty() ? kernel.right : kernel.left);
            return fmt::format(" {} | {}", kernel.left, kernel.right);
        }
        return {};
    }

    bool isShown(const Row& row) const {
        return m_options.level == Level::changed ? isChange(row.cls) : row.cls != RowClass::identical;
    }

    void printRow(const Row& row) {
        const bool bothLines = row.leftLine != 0 && row.rightLine != 0;
        if (row.cls == RowClass::identical || (row.cls == RowClass::renamed && m_options.level == Level::changed)) {
            const bool useLeft = row.leftLine != 0;
            put("", fmt::format("  {} {} | {}", number(row.leftLine), number(row.rightLine),
                                shown(useLeft ? m_left[row.leftLine - 1] : m_right[row.rightLine - 1])));
            return;
        }
        if (row.leftLine != 0) printSide(row, true, bothLines);
        if (row.rightLine != 0) printSide(row, false, bothLines);
    }

    /// Whether the row before is part of the same moved stretch: its note is enough.
    bool goesOn(std::uint32_t at) const {
        if (at == 0) return false;
        const Row &row = m_comparison.rows[at], &before = m_comparison.rows[at - 1];
        return row.cls == RowClass::moved && before.cls == RowClass::moved && row.otherLine == before.otherLine + 1 &&
               (row.leftLine == 0) == (before.leftLine == 0);
    }

    void printNote(const Row& row) {
        const bool shownAsContext = m_options.level == Level::changed && row.cls == RowClass::renamed;
        if (!row.note.empty() && row.cls != RowClass::identical && !shownAsContext)
            put(colored() ? "\x1b[2m" : "", fmt::format("  {:{}} | ({})", "", 2 * m_width + 1, row.note));
    }

    static std::string_view glyphOf(RowClass cls) {
        switch (cls) {
        case RowClass::identical:
            return " ";
        case RowClass::renamed:
            return "=";
        case RowClass::moved:
            return "↕";
        case RowClass::added:
            return "+";
        case RowClass::removed:
            return "-";
        default:
            return "~";
        }
    }

    std::string number(std::uint32_t line) const {
        return line == 0 ? std::string(m_width, ' ') : fmt::format("{:>{}}", line, m_width);
    }

    void printSide(const Row& row, bool isLeft, bool markSpans) {
        const std::string_view line = isLeft ? m_left[row.leftLine - 1] : m_right[row.rightLine - 1];
        const auto& spans = isLeft ? row.leftSpans : row.rightSpans;
        const std::string gutter = fmt::format("{} {} {} | ", glyphOf(row.cls), number(isLeft ? row.leftLine : 0),
                                               number(isLeft ? 0 : row.rightLine));
        if (colored()) {
            put(colorOf(row.cls, isLeft), gutter + (markSpans ? underlined(line, spans) : shown(line)));
            return;
        }
        put("", gutter + shown(line));
        if (!markSpans || row.cls == RowClass::renamed || spans.empty()) return;
        const std::string carets = caretsBelow(line, spans);
        if (!carets.empty()) put("", fmt::format("  {:{}} | {}", "", 2 * m_width + 1, carets));
    }

    static std::string shown(std::string_view line) {
        if (line.size() <= longestLine) return clean(line);
        return fmt::format("{} ... ({} more bytes)", clean(line.substr(0, longestLine)), line.size() - longestLine);
    }

    static std::string underlined(std::string_view line, const std::vector<ColumnSpan>& spans) {
        std::string result;
        std::size_t at = 0;
        for (const ColumnSpan& span : spans) {
            const std::size_t begin = span.column - 1;
            if (begin < at || begin + span.length > std::min(line.size(), longestLine)) break;
            result += clean(line.substr(at, begin - at));
            result += underline;
            result += clean(line.substr(begin, span.length));
            result += noUnderline;
            at = begin + span.length;
        }
        return result + shown(line.substr(at));
    }

    /// Tabs are kept, so that the carets stand below their bytes; bytes that continue a UTF-8 character take no place.
    static std::string caretsBelow(std::string_view line, const std::vector<ColumnSpan>& spans) {
        std::string result;
        std::size_t at = 0;
        const auto fill = [&](std::size_t end, char mark) {
            for (; at < end; ++at) {
                if ((static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) continue;
                result += mark == '^' ? '^' : line[at] == '\t' ? '\t' : ' ';
            }
        };
        for (const ColumnSpan& span : spans) {
            const std::size_t begin = span.column - 1, end = begin + span.length;
            if (begin < at || end > std::min(line.size(), longestLine)) break;
            fill(begin, ' ');
            fill(end, '^');
        }
        return result;
    }

    void summarize() {
        const Counts& counts = m_comparison.counts;
        std::string kinds;
        for (std::size_t i = 0; i < rowClassCount; ++i) {
            const auto cls = static_cast<RowClass>(i);
            if (isChange(cls) && counts.of(cls) > 0)
                fmt::format_to(std::back_inserter(kinds), "{}{} {}", kinds.empty() ? "" : ", ", counts.of(cls),
                               name(cls));
        }
        const std::uint32_t changes = counts.changes();
        const std::string lines =
            fmt::format("{} renamed, {} identical", counts.of(RowClass::renamed), counts.of(RowClass::identical));
        if (m_comparison.same)
            put(bold, fmt::format("same: {}", lines));
        else
            put(bold, fmt::format("{} {}: {}; {}", changes, changes == 1 ? "change" : "changes", kinds, lines));
        if (m_comparison.approximate)
            put("", "approximate: some lines were not aligned exactly, so there may be fewer differences than shown");
    }

    const Comparison& m_comparison;
    std::vector<std::string_view> m_left, m_right;
    PrintOptions m_options;
    std::size_t m_width = 3;
    std::string m_out;
};

} // namespace

std::string printText(const Comparison& comparison, std::string_view leftName, std::string_view left,
                      std::string_view rightName, std::string_view right, const PrintOptions& options) {
    return Printer(comparison, left, right, options).run(leftName, rightName);
}

} // namespace ptxwb::compare
