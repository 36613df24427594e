#include "editors/checker_marks.h"

#include "editors/editor.h"
#include "editors/scintilla_numbers.h"

#include <algorithm>
#include <optional>

namespace ptxwb::ui {
namespace {

using S = QsciScintillaBase;

QString toQString(const std::string& text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

int indicatorOf(Severity severity) {
    switch (severity) {
    case Severity::error: return indicator::error;
    case Severity::warning: return indicator::warning;
    case Severity::note: break;
    }
    return indicator::note;
}

int markerOf(Severity severity) {
    switch (severity) {
    case Severity::error: return marker::error;
    case Severity::warning: return marker::warning;
    case Severity::note: break;
    }
    return marker::note;
}

QString severityText(Severity severity) {
    switch (severity) {
    case Severity::error: return QObject::tr("Error");
    case Severity::warning: return QObject::tr("Warning");
    case Severity::note: break;
    }
    return QObject::tr("Note");
}

struct Range {
    long from, to;
};

/// The marked bytes; the line's text where the place has no column or its column is beyond what is shown.
Range rangeOf(const Editor& editor, const Place& place) {
    const int line = static_cast<int>(place.line) - 1;
    const long start = editor.lineStart(line), end = editor.lineEnd(line);
    long from = start + long(place.column) - 1;
    if (place.column == 0 || from >= end) {
        const long indented = editor.send(S::SCI_GETLINEINDENTPOSITION, std::uintptr_t(line));
        return {std::min(indented, end), end};
    }
    from = std::max(from, start);
    return {from, std::min(from + std::max(1L, long(place.length)), end)};
}

void removeMarks(Editor& editor, std::initializer_list<int> markers, std::initializer_list<int> indicators) {
    for (const int each : markers) editor.send(S::SCI_MARKERDELETEALL, std::uintptr_t(each));
    for (const int each : indicators) {
        editor.send(S::SCI_SETINDICATORCURRENT, std::uintptr_t(each));
        editor.send(S::SCI_INDICATORCLEARRANGE, 0, editor.length());
    }
}

bool isMarked(const Editor& editor, int line, unsigned mask) {
    return (unsigned(editor.send(S::SCI_MARKERGET, std::uintptr_t(line))) & mask) != 0;
}

int lineOf(const Editor& editor, int handle) {
    return static_cast<int>(editor.send(S::SCI_MARKERLINEFROMHANDLE, std::uintptr_t(handle)));
}

constexpr std::size_t fewMarks = 50;
constexpr unsigned findingMask = 1u << marker::finding | 1u << marker::relatedFinding;

} // namespace

void CheckerMarks::setDiagnostics(Editor& editor, std::span<const Diagnostic> diagnostics) {
    // A painting for each of a few marks costs less than one of the whole pane, which most answers would not need.
    std::optional<BatchUpdate> batch;
    if (std::max(diagnostics.size(), m_diagnostics.size()) > fewMarks) batch.emplace(editor);
    removeMarks(editor, {marker::error, marker::warning, marker::note},
                {indicator::error, indicator::warning, indicator::note});
    m_diagnostics.clear();
    for (const Diagnostic& each : diagnostics) {
        if (each.place.line == 0 || int(each.place.line) > editor.lineTotal()) continue;
        const auto [from, to] = rangeOf(editor, each.place);
        const int number = indicatorOf(each.severity);
        editor.send(S::SCI_SETINDICATORCURRENT, std::uintptr_t(number));
        if (to > from) editor.send(S::SCI_INDICATORFILLRANGE, std::uintptr_t(from), to - from);
        QString message = QObject::tr("%1: %2").arg(severityText(each.severity), toQString(each.message));
        if (!each.hint.empty()) message += QLatin1Char('\n') + toQString(each.hint);
        for (const RelatedPlace& other : each.related)
            message += QObject::tr("\nline %1: %2").arg(other.place.line).arg(toQString(other.message));
        const long handle = editor.send(S::SCI_MARKERADD, each.place.line - 1, long(markerOf(each.severity)));
        m_diagnostics.push_back({static_cast<int>(handle), number, std::move(message)});
    }
}

void CheckerMarks::setFindings(Editor& editor, std::vector<FindingMark> marks) {
    const BatchUpdate batch(editor);
    removeMarks(editor, {marker::finding, marker::relatedFinding}, {indicator::finding});
    m_findings = std::move(marks);
    std::erase_if(m_findings, [&](const FindingMark& each) { return each.line < 1 || each.line > editor.lineTotal(); });
    m_findingHandles.clear();
    editor.send(S::SCI_SETINDICATORCURRENT, indicator::finding);
    for (const FindingMark& each : m_findings) {
        const int number = each.side == FindingMark::Side::primary ? marker::finding : marker::relatedFinding;
        m_findingHandles.push_back(
            static_cast<int>(editor.send(S::SCI_MARKERADD, std::uintptr_t(each.line - 1), long(number))));
        const auto [from, to] = rangeOf(editor, {{}, std::uint32_t(each.line), 0, 0});
        if (to > from) editor.send(S::SCI_INDICATORFILLRANGE, std::uintptr_t(from), to - from);
    }
}

void CheckerMarks::clear(Editor& editor) {
    setDiagnostics(editor, {});
    setFindings(editor, {});
}

QString CheckerMarks::toolTip(const Editor& editor, long position, int line) const {
    if (!isMarked(editor, line, marker::checksMask)) return {};
    QStringList lines;
    for (std::size_t i = 0; i < m_findings.size(); ++i)
        if (lineOf(editor, m_findingHandles[i]) == line) lines << m_findings[i].message;
    for (const Marked& each : m_diagnostics) {
        if (lineOf(editor, each.handle) != line) continue;
        if (position < 0 || editor.send(S::SCI_INDICATORVALUEAT, std::uintptr_t(each.indicator), position) != 0)
            lines << each.message;
    }
    lines.removeDuplicates();
    return lines.join(QLatin1Char('\n'));
}

int CheckerMarks::findingAt(const Editor& editor, int line) const {
    if (!isMarked(editor, line, findingMask)) return -1;
    for (std::size_t i = 0; i < m_findings.size(); ++i)
        if (lineOf(editor, m_findingHandles[i]) == line) return m_findings[i].finding;
    return -1;
}

} // namespace ptxwb::ui
