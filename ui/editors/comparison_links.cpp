// The comparison view's movements: scrolling together, hovering, revealing a line in the other panes.
#include "editors/comparison_paint.h"
#include "editors/comparison_view.h"
#include "editors/editor.h"
#include "editors/overview_ruler.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace ptxwb::ui {
namespace {

/// Shows `line` (from 1) a third down, but never scrolls beyond the text for it.
void showSourceLine(Editor& editor, int line) {
    const int shown = editor.rowsOnScreen();
    const int most = std::max(0, editor.lineTotal() - shown);
    editor.setFirstVisibleRow(std::clamp(line - 1 - shown / 3, 0, most));
}

} // namespace

void ComparisonView::scrolled(PaneId from) {
    if (m_syncing) return;
    const QScopedValueRollback guard(m_syncing, true);
    Editor& own = pane(from).editor();
    if (from == PaneId::source) {
        const int third = own.firstVisibleRow() + own.rowsOnScreen() / 3;
        for (int line = third + 1; line <= std::min(own.lineTotal(), third + own.rowsOnScreen()); ++line) {
            const std::vector<int> lines = ptxLinesOf(PaneId::baseline, line);
            if (lines.empty()) continue;
            Editor& left = m_baseline->editor();
            const int row = left.rowOfLine(lines.front() - 1) - left.rowsOnScreen() / 3;
            for (CodePane* each : {m_baseline, m_candidate}) each->editor().setFirstVisibleRow(row);
            break;
        }
    } else {
        pane(from == PaneId::baseline ? PaneId::candidate : PaneId::baseline)
            .editor()
            .setFirstVisibleRow(own.firstVisibleRow());
        followSource(from);
    }
    m_ruler->setView(m_candidate->editor().firstVisibleRow(), m_candidate->editor().rowsOnScreen());
}

/// The CUDA pane follows the line a third down the PTX pane, or the first one below that came from a CUDA line.
void ComparisonView::followSource(PaneId from) {
    const Editor& own = pane(from).editor();
    const int count = own.rowsOnScreen(), first = own.firstVisibleRow();
    for (int row = first + count / 3; row < first + count; ++row) {
        const int line = static_cast<int>(own.send(QsciScintillaBase::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(row)));
        if (const int source = sourceLineOf(from, line + 1); source > 0) {
            showSourceLine(m_source->editor(), source);
            return;
        }
    }
}

int ComparisonView::sourceLineOf(PaneId id, int line) const {
    if (line < 1) return 0;
    const auto number = std::uint32_t(line);
    if (id == PaneId::source) return line;
    if (id == PaneId::baseline) return int(m_baselineLinks.sourceOf(number));
    if (!m_candidateLinks.empty()) return int(m_candidateLinks.sourceOf(number));
    if (m_layout.empty() || number > m_layout.lineCount(Side::right)) return 0;
    return int(m_baselineLinks.sourceOf(m_layout.rows()[m_layout.rowOf(Side::right, number)].left));
}

std::vector<int> ComparisonView::ptxLinesOf(PaneId id, int sourceLine) const {
    std::vector<int> result;
    const bool own = id == PaneId::candidate && !m_candidateLinks.empty();
    const SourceLinks& links = own ? m_candidateLinks : m_baselineLinks;
    for (const std::uint32_t line : links.linesOf(std::uint32_t(sourceLine))) {
        if (id == PaneId::baseline || own) {
            result.push_back(int(line));
        } else if (!m_layout.empty() && line <= m_layout.lineCount(Side::left)) {
            const std::uint32_t right = m_layout.rows()[m_layout.rowOf(Side::left, line)].right;
            if (right != 0) result.push_back(int(right));
        }
    }
    return result;
}

void ComparisonView::hovered(PaneId id, int line) {
    const int source = sourceLineOf(id, line);
    // A CUDA line without code has nothing to show beside it.
    const bool linked = source > 0 && !ptxLinesOf(PaneId::baseline, source).empty();
    paintLinked(m_source->editor(), linked ? std::vector{source} : std::vector<int>{});
    for (const PaneId each : {PaneId::baseline, PaneId::candidate})
        paintLinked(pane(each).editor(), linked ? ptxLinesOf(each, source) : std::vector<int>{});
}

void ComparisonView::applyStripes() {
    std::vector<std::uint32_t> source(std::size_t(m_source->lineCount()));
    for (const auto& [line, ptx] : m_baselineLinks.ptxLines)
        if (line >= 1 && line <= source.size()) source[line - 1] = line;
    std::vector<std::uint32_t> candidate(std::size_t(m_candidate->lineCount()));
    for (std::size_t i = 0; i < candidate.size(); ++i)
        candidate[i] = std::uint32_t(sourceLineOf(PaneId::candidate, int(i) + 1));
    m_stripes = {std::move(source), m_baselineLinks.sourceLines, std::move(candidate)};
    // What is on the screen now, the rest in the event loop's spare time.
    for (const PaneId id : {PaneId::source, PaneId::baseline, PaneId::candidate}) {
        const Editor& editor = pane(id).editor();
        const auto top = std::size_t(
            editor.send(QsciScintillaBase::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(editor.firstVisibleRow())));
        paintStripes(pane(id).editor(), m_stripes[std::size_t(id)], top, top + std::size_t(editor.rowsOnScreen()) + 1);
    }
    m_stripedTo = 0;
    if (!paintMoreStripes()) return;
    m_painter->start(0);
}

void ComparisonView::paintStripesOf(std::size_t firstLine, std::size_t endLine) {
    for (const PaneId id : {PaneId::source, PaneId::baseline, PaneId::candidate})
        paintStripes(pane(id).editor(), m_stripes[std::size_t(id)], firstLine, endLine);
}

void ComparisonView::showRow(std::uint32_t row) {
    // Rows of the layout that are hidden take no place on the screen: the line at the row tells where it is now.
    Editor& right = m_candidate->editor();
    const std::uint32_t line = m_layout.lineAt(Side::right, row);
    const int below = m_level == compare::Level::all ? int(row - m_layout.rowOf(Side::right, line)) : 0;
    right.showRow(right.rowOfLine(int(line) - 1) + below);
    const QScopedValueRollback guard(m_syncing, true);
    m_baseline->editor().setFirstVisibleRow(right.firstVisibleRow());
    followSource(PaneId::candidate);
    m_ruler->setView(right.firstVisibleRow(), right.rowsOnScreen());
}

void ComparisonView::showPtxLine(PaneId id, int line, int column) {
    if (id == PaneId::source) {
        m_source->goToLine(line, column);
        return;
    }
    pane(id).goToLine(line, column);
    if (const int source = sourceLineOf(id, line); source > 0) {
        const QScopedValueRollback guard(m_syncing, true);
        m_source->goToLine(source);
    }
}

void ComparisonView::revealInOtherPanes() {
    const int line = pane(m_current).currentLine();
    const QScopedValueRollback guard(m_syncing, true);
    if (m_current == PaneId::source) {
        const std::vector<int> left = ptxLinesOf(PaneId::baseline, line), right = ptxLinesOf(PaneId::candidate, line);
        if (left.empty() && right.empty()) {
            emit message(tr("No PTX came from CUDA line %1.").arg(line));
            return;
        }
        if (!left.empty()) m_baseline->goToLine(left.front());
        if (!right.empty()) m_candidate->goToLine(right.front());
        const PaneId lead = left.empty() ? PaneId::candidate : PaneId::baseline;
        const int first = pane(lead).editor().firstVisibleRow();
        for (CodePane* each : {m_baseline, m_candidate}) each->editor().setFirstVisibleRow(first);
        return;
    }
    const int source = sourceLineOf(m_current, line);
    if (source > 0) m_source->goToLine(source);
    if (!m_layout.empty()) {
        const bool left = m_current == PaneId::baseline;
        const std::uint32_t row = m_layout.rowOf(left ? Side::left : Side::right, std::uint32_t(line));
        CodePane& other = left ? *m_candidate : *m_baseline;
        other.goToLine(int(m_layout.lineAt(left ? Side::right : Side::left, row)));
        pane(m_current).editor().showRow(pane(m_current).editor().rowOfLine(line - 1));
        other.editor().setFirstVisibleRow(pane(m_current).editor().firstVisibleRow());
    }
    if (source == 0) emit message(tr("No CUDA line is known for this PTX line."));
}

} // namespace ptxwb::ui
