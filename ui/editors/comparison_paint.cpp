#include "editors/comparison_paint.h"

#include "editors/editor.h"
#include "editors/scintilla_numbers.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

namespace ptxwb::ui {
namespace {

using S = QsciScintillaBase;
using compare::RowClass;

/// How a line looks; -1 and nullptr for nothing.
struct Look {
    int tint = -1;
    const char* glyph = nullptr;
    int glyphStyle = 0;
    int span = -1;
};

Look lookOf(const compare::Row& row, Side side) {
    const bool left = side == Side::left;
    // Comments and blank lines are shown as there or not there, without the marks of a change.
    if (row.trivia) return {row.cls == RowClass::identical ? -1 : marker::renamed, nullptr, 0, -1};
    switch (row.cls) {
    case RowClass::identical: return {};
    case RowClass::renamed: return {marker::renamed, nullptr, 0, indicator::renamedSpan};
    case RowClass::moved: return {marker::moved, "\u2195", style::changeMoved, -1};
    case RowClass::added: return {marker::added, "+", style::changeAdded, -1};
    case RowClass::removed: return {marker::removed, "-", style::changeRemoved, -1};
    default: break;
    }
    return left ? Look{marker::removed, "~", style::changeRemoved, indicator::removedSpan}
                : Look{marker::added, "~", style::changeAdded, indicator::addedSpan};
}

constexpr std::array underlines{indicator::renamedSpan, indicator::removedSpan, indicator::addedSpan};

/// Bytes [from, to) of the text.
struct ByteRange {
    long from, to;
    auto operator<=>(const ByteRange&) const = default;
};

void addSpans(const Editor& editor, int line, const std::vector<compare::ColumnSpan>& spans,
              std::vector<ByteRange>& ranges) {
    const long start = editor.lineStart(line), end = editor.lineEnd(line);
    for (const compare::ColumnSpan& span : spans) {
        const long from = start + long(span.column) - 1;
        const long to = std::min(from + long(span.length), end);
        if (to > from) ranges.push_back({from, to});
    }
}

/// In order, what touches made one: as Scintilla tells of them.
void normalise(std::vector<ByteRange>& ranges) {
    std::ranges::sort(ranges);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].from <= ranges[kept].to)
            ranges[kept].to = std::max(ranges[kept].to, ranges[i].to);
        else
            ranges[++kept] = ranges[i];
    if (!ranges.empty()) ranges.resize(kept + 1);
}

std::vector<ByteRange> underlined(const Editor& editor, int which, ByteRange within) {
    std::vector<ByteRange> ranges;
    for (long at = within.from; at < within.to;) {
        const long end = editor.send(S::SCI_INDICATOREND, std::uintptr_t(which), at);
        const long next = end > at ? std::min(end, within.to) : within.to; // 0 where the text has no such mark
        if (editor.send(S::SCI_INDICATORVALUEAT, std::uintptr_t(which), at) != 0) ranges.push_back({at, next});
        at = next;
    }
    return ranges;
}

/// Writes only what differs, since Scintilla paints each line that is written to.
void setUnderlines(Editor& editor, int which, ByteRange within, std::vector<ByteRange> wanted) {
    normalise(wanted);
    const std::vector<ByteRange> present = underlined(editor, which, within);
    std::vector<ByteRange> gone, added;
    std::ranges::set_difference(present, wanted, std::back_inserter(gone));
    std::ranges::set_difference(wanted, present, std::back_inserter(added));
    if (gone.empty() && added.empty()) return;
    editor.send(S::SCI_SETINDICATORCURRENT, std::uintptr_t(which));
    for (const ByteRange& each : gone)
        editor.send(S::SCI_INDICATORCLEARRANGE, std::uintptr_t(each.from), each.to - each.from);
    for (const ByteRange& each : added)
        editor.send(S::SCI_INDICATORFILLRANGE, std::uintptr_t(each.from), each.to - each.from);
}

} // namespace

void clearRows(Editor& editor) {
    for (const int each : {marker::renamed, marker::moved, marker::added, marker::removed})
        editor.send(S::SCI_MARKERDELETEALL, std::uintptr_t(each));
    for (const int each : underlines) {
        editor.send(S::SCI_SETINDICATORCURRENT, std::uintptr_t(each));
        editor.send(S::SCI_INDICATORCLEARRANGE, 0, editor.length());
    }
    editor.send(S::SCI_MARGINTEXTCLEARALL);
}

namespace {

constexpr unsigned tintMask = 1u << marker::renamed | 1u << marker::moved | 1u << marker::added | 1u << marker::removed;

void setTint(Editor& editor, int line, int tint) {
    const unsigned wanted = tint >= 0 ? 1u << tint : 0;
    const unsigned present = unsigned(editor.send(S::SCI_MARKERGET, std::uintptr_t(line))) & tintMask;
    if (present == wanted) return;
    for (const int each : {marker::renamed, marker::moved, marker::added, marker::removed})
        if (present & ~wanted & (1u << each)) editor.send(S::SCI_MARKERDELETE, std::uintptr_t(line), long(each));
    if (wanted & ~present) editor.send(S::SCI_MARKERADD, std::uintptr_t(line), long(tint));
}

void setGlyph(Editor& editor, int line, const char* glyph, int glyphStyle) {
    const auto at = std::uintptr_t(line);
    const auto length = std::size_t(editor.send(S::SCI_MARGINGETTEXT, at, static_cast<const char*>(nullptr)));
    if (!glyph) {
        if (length > 0) editor.send(S::SCI_MARGINSETTEXT, at, static_cast<const char*>(nullptr));
        return;
    }
    std::string present(length + 1, '\0'); // room for a zero that may be written
    if (length > 0) editor.send(S::SCI_MARGINGETTEXT, at, present.data());
    present.resize(length);
    if (present == glyph && editor.send(S::SCI_MARGINGETSTYLE, at) == long(glyphStyle)) return;
    editor.send(S::SCI_MARGINSETTEXT, at, glyph);
    editor.send(S::SCI_MARGINSETSTYLE, at, long(glyphStyle));
}

} // namespace

void paintRows(Editor& editor, std::span<const compare::Row> rows, Side side) {
    const int lines = editor.lineTotal();
    const auto lineOf = [side](const compare::Row& row) {
        return static_cast<int>(side == Side::left ? row.leftLine : row.rightLine) - 1;
    };
    int first = lines, last = -1;
    std::array<std::vector<ByteRange>, underlines.size()> wanted;
    for (const compare::Row& row : rows) {
        const int line = lineOf(row);
        if (line < 0 || line >= lines) continue;
        first = std::min(first, line);
        last = std::max(last, line);
        const Look look = lookOf(row, side);
        setTint(editor, line, look.tint);
        setGlyph(editor, line, look.glyph, look.glyphStyle);
        if (const auto at = std::ranges::find(underlines, look.span); at != underlines.end())
            addSpans(editor, line, side == Side::left ? row.leftSpans : row.rightSpans,
                     wanted[std::size_t(at - underlines.begin())]);
    }
    if (last < 0) return;
    const ByteRange within{editor.lineStart(first), editor.lineEnd(last)};
    for (std::size_t i = 0; i < underlines.size(); ++i)
        setUnderlines(editor, underlines[i], within, std::move(wanted[i]));
}

namespace {

constexpr std::size_t fewFillers = 200;

void setFiller(Editor& editor, const Filler& filler) {
    if (filler.count == 0) {
        editor.send(S::SCI_ANNOTATIONSETTEXT, filler.line - 1, static_cast<const char*>(nullptr));
        return;
    }
    std::string blank(2 * std::size_t(filler.count) - 1, ' '); // n lines of one blank
    for (std::size_t i = 1; i < blank.size(); i += 2) blank[i] = '\n';
    editor.send(S::SCI_ANNOTATIONSETTEXT, filler.line - 1, blank.c_str());
}

void setFillers(Editor& editor, const std::vector<Filler>& wanted) {
    std::vector<Filler> different;
    auto next = wanted.begin();
    const int lines = editor.lineTotal();
    for (int line = 0; line < lines; ++line) {
        const bool here = next != wanted.end() && int(next->line) == line + 1;
        const std::uint32_t count = here ? (next++)->count : 0;
        if (editor.send(S::SCI_ANNOTATIONGETLINES, std::uintptr_t(line)) != long(count))
            different.push_back({std::uint32_t(line + 1), count});
    }
    const bool many = different.size() > fewFillers;
    if (many) editor.send(S::SCI_ANNOTATIONSETVISIBLE, S::ANNOTATION_HIDDEN);
    for (const Filler& filler : different) setFiller(editor, filler);
    if (many || editor.send(S::SCI_ANNOTATIONGETVISIBLE) != S::ANNOTATION_STANDARD)
        editor.send(S::SCI_ANNOTATIONSETVISIBLE, S::ANNOTATION_STANDARD);
}

void showAllLines(Editor& editor) {
    if (editor.send(S::SCI_GETALLLINESVISIBLE) == 0) editor.send(S::SCI_SHOWLINES, 0, long(editor.lineTotal() - 1));
    editor.send(S::SCI_MARKERDELETEALL, marker::hiddenBelow);
}

} // namespace

void clearFillers(Editor& editor) {
    showAllLines(editor);
    setFillers(editor, {});
}

void paintFillers(Editor& editor, const std::vector<Filler>& fillers) {
    showAllLines(editor);
    setFillers(editor, fillers);
}

void paintFillers(Editor& editor, const RowLayout& layout, Side side, const std::vector<bool>& hiddenRows) {
    showAllLines(editor);
    const std::vector<DisplayRow>& rows = layout.rows();
    int hideFrom = -1, hideTo = -1, above = 0; // lines from 0; `above` is the last one shown
    const auto hide = [&] {
        if (hideFrom < 0) return;
        editor.send(S::SCI_HIDELINES, std::uintptr_t(hideFrom), long(hideTo));
        editor.send(S::SCI_MARKERADD, std::uintptr_t(above), long(marker::hiddenBelow));
        hideFrom = -1;
    };
    for (std::size_t row = 0; row < hiddenRows.size(); ++row) {
        const int line = static_cast<int>(side == Side::left ? rows[row].left : rows[row].right) - 1;
        if (line < 0) continue;
        if (hiddenRows[row]) {
            if (hideFrom < 0) hideFrom = line;
            hideTo = line;
        } else {
            hide();
            above = line;
        }
    }
    hide();
    setFillers(editor, layout.fillers(side, hiddenRows));
}

void paintStripes(Editor& editor, const std::vector<std::uint32_t>& sourceLines, std::size_t first, std::size_t end) {
    constexpr int colours = 6;
    constexpr unsigned mask = ((1u << colours) - 1) << marker::firstStripe;
    end = std::min(end, std::size_t(editor.lineTotal()));
    for (std::size_t line = first; line < end; ++line) {
        const std::uint32_t source = line < sourceLines.size() ? sourceLines[line] : 0;
        const int wanted = source != 0 ? marker::firstStripe + int(source % colours) : -1;
        const unsigned present = unsigned(editor.send(S::SCI_MARKERGET, line)) & mask;
        if (present == (wanted >= 0 ? 1u << wanted : 0)) continue;
        for (int i = marker::firstStripe; i < marker::firstStripe + colours; ++i)
            if (present & (1u << i)) editor.send(S::SCI_MARKERDELETE, line, long(i));
        if (wanted >= 0) editor.send(S::SCI_MARKERADD, line, long(wanted));
    }
}

void paintLinked(Editor& editor, const std::vector<int>& lines) {
    editor.send(S::SCI_MARKERDELETEALL, marker::linked);
    for (const int line : lines)
        if (line >= 1) editor.send(S::SCI_MARKERADD, std::uintptr_t(line - 1), long(marker::linked));
}

} // namespace ptxwb::ui
