// The comparison view's changes: next and previous, taking a hunk, the plain list.
#include "editors/comparison_bar.h"
#include "editors/comparison_view.h"
#include "editors/editor.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace ptxwb::ui {

std::uint32_t ComparisonView::firstRowOf(const ChangeRange& range) const {
    if (range.leftCount == 0) return m_layout.rowOf(Side::right, range.rightFirst);
    const std::uint32_t left = m_layout.rowOf(Side::left, range.leftFirst);
    return range.rightCount == 0 ? left : std::min(left, m_layout.rowOf(Side::right, range.rightFirst));
}

std::uint32_t ComparisonView::lastRowOf(const ChangeRange& range) const {
    const std::uint32_t left =
        range.leftCount == 0 ? 0 : m_layout.rowOf(Side::left, range.leftFirst + range.leftCount - 1);
    const std::uint32_t right =
        range.rightCount == 0 ? 0 : m_layout.rowOf(Side::right, range.rightFirst + range.rightCount - 1);
    return std::max({left, right, firstRowOf(range)});
}

std::uint32_t ComparisonView::caretRow() const {
    return m_current == PaneId::baseline ? m_layout.rowOf(Side::left, std::uint32_t(m_baseline->currentLine()))
                                         : m_layout.rowOf(Side::right, std::uint32_t(m_candidate->currentLine()));
}

int ComparisonView::changeGoneTo() const {
    const bool there = m_at.index < int(m_changes.size()) && m_at.left == m_baseline->currentLine() &&
                       m_at.right == m_candidate->currentLine();
    return there ? m_at.index : -1;
}

int ComparisonView::hunkAtCaret() const {
    if (const int index = changeGoneTo(); index >= 0) return index;
    const std::uint32_t row = caretRow();
    for (std::size_t i = 0; i < m_changes.size(); ++i)
        if (row >= firstRowOf(m_changes[i]) && row <= lastRowOf(m_changes[i])) return int(i);
    return -1;
}

void ComparisonView::nextChange() {
    int next = 0;
    if (const int at = changeGoneTo(); at >= 0)
        next = at + 1;
    else
        while (next < int(m_changes.size()) && firstRowOf(m_changes[std::size_t(next)]) <= caretRow()) ++next;
    if (next >= int(m_changes.size()))
        emit message(m_changes.empty() ? tr("No change to go to.") : tr("No further change below."));
    else
        goToHunk(next);
}

void ComparisonView::previousChange() {
    int previous = int(m_changes.size()) - 1;
    if (const int at = changeGoneTo(); at >= 0)
        previous = at - 1;
    else
        while (previous >= 0 && firstRowOf(m_changes[std::size_t(previous)]) >= caretRow()) --previous;
    if (previous < 0)
        emit message(m_changes.empty() ? tr("No change to go to.") : tr("No further change above."));
    else
        goToHunk(previous);
}

void ComparisonView::goToHunk(int index) {
    const ChangeRange& range = m_changes[std::size_t(index)];
    {
        const QScopedValueRollback guard(m_syncing, true);
        // Where a side has no line of the change, its caret stands on the line above the filler.
        m_baseline->goToLine(int(range.leftCount ? range.leftFirst : range.leftFirst - 1));
        m_candidate->goToLine(int(range.rightCount ? range.rightFirst : range.rightFirst - 1));
    }
    m_at = {index, m_baseline->currentLine(), m_candidate->currentLine()};
    showRow(firstRowOf(range));
    const QString kernel = QString::fromStdString(range.kernel);
    emit message(kernel.isEmpty() ? tr("Change %1 of %2").arg(index + 1).arg(m_changes.size())
                                  : tr("Change %1 of %2, in %3").arg(index + 1).arg(m_changes.size()).arg(kernel));
}

void ComparisonView::takeHunkFromBaseline() {
    const int index = hunkAtCaret();
    if (index < 0) {
        emit message(tr("The caret stands on no change. F7 goes to the next one."));
        return;
    }
    const ChangeRange range = m_changes[std::size_t(index)];
    const Editor& left = m_baseline->editor();
    QByteArray taken;
    for (std::uint32_t i = 0; i < range.leftCount; ++i) {
        const int line = int(range.leftFirst + i);
        taken += m_baseline->line(line);
        const long end = left.lineEnd(line - 1);
        taken += QByteArray(left.bytes(end, left.lineStart(line) - end), left.lineStart(line) - end);
    }
    m_candidate->replaceLines(int(range.rightFirst), int(range.rightCount), taken);
    m_candidate->goToLine(int(range.rightFirst));
    emit message(tr("Took %n line(s) from the left. Ctrl+Z undoes it.", nullptr, int(range.leftCount)));
}

std::pair<int, int> ComparisonView::changedLines() const {
    const int index = m_current == PaneId::source ? -1 : hunkAtCaret();
    if (index < 0) return {0, 0};
    const ChangeRange& range = m_changes[std::size_t(index)];
    return m_current == PaneId::baseline ? std::pair(int(range.leftFirst), int(range.leftCount))
                                         : std::pair(int(range.rightFirst), int(range.rightCount));
}

namespace {

QString sentence(const std::string& note) {
    QString text = QString::fromStdString(note);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

} // namespace

/// What the comparison says of a line: "Possibly equivalent: commuted operands", "Moved to line 12". Empty for nothing,
/// and once a text was edited: its lines are other ones then.
QString ComparisonView::noteAt(PaneId id, std::uint32_t line) const {
    if (!m_compared || m_comparedRevisions != std::pair(m_baseline->revision(), m_candidate->revision())) return {};
    const auto row = std::ranges::find(m_comparison.rows, line,
                                       id == PaneId::baseline ? &compare::Row::leftLine : &compare::Row::rightLine);
    return row == m_comparison.rows.end() ? QString() : sentence(row->note);
}

/// Of a line from 0, below which some are hidden: how many, and the kernel of the change that follows.
QString ComparisonView::hiddenText(PaneId id, int line) const {
    const Editor& editor = (id == PaneId::baseline ? m_baseline : m_candidate)->editor();
    if (m_level == compare::Level::all || editor.send(QsciScintillaBase::SCI_GETALLLINESVISIBLE) != 0) return {};
    const long below = editor.rowOfLine(line) + 1 +
                       editor.send(QsciScintillaBase::SCI_ANNOTATIONGETLINES, std::uintptr_t(line));
    const int shown = static_cast<int>(editor.send(QsciScintillaBase::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(below)));
    const int next = shown > line ? shown : editor.lineTotal(); // the last shown line has itself below
    if (next <= line + 1) return {};
    const int lines = next - line - 1;
    const QString count = lines == 1 ? tr("\u22EF 1 line") : tr("\u22EF %1 lines").arg(lines);
    const auto change = std::ranges::find_if(m_changes, [&](const ChangeRange& range) {
        return int(id == PaneId::baseline ? range.leftFirst : range.rightFirst) > line + 1;
    });
    return change == m_changes.end() || change->kernel.empty()
               ? count
               : tr("%1, %2").arg(count, QString::fromStdString(change->kernel));
}

std::vector<ListedChange> ComparisonView::changeList() const {
    std::vector<ListedChange> result;
    for (const compare::Hunk& hunk : compare::hunks(m_comparison, compare::Level::changed)) {
        compare::Comparison part;
        std::uint32_t left = 0, right = 0;
        QStringList notes;
        for (std::uint32_t i = hunk.firstRow; i < hunk.firstRow + hunk.rowCount; ++i) {
            const compare::Row& row = m_comparison.rows[i];
            if (left == 0) left = row.leftLine;
            if (right == 0) right = row.rightLine;
            if (!row.trivia) ++part.counts.rows[std::size_t(row.cls)];
            if (const QString note = sentence(row.note); !note.isEmpty() && !notes.contains(note)) notes << note;
        }
        QStringList where;
        if (!hunk.kernel.empty()) where << QString::fromStdString(hunk.kernel);
        if (left) where << tr("baseline line %1").arg(left);
        if (right) where << tr("candidate line %1").arg(right);
        QString text = tr("%1: %2").arg(where.join(QStringLiteral(", ")), countsText(part));
        if (!notes.isEmpty()) text += QStringLiteral(". ") + notes.join(QStringLiteral(". "));
        result.push_back({text, int(left), int(right)});
    }
    return result;
}

} // namespace ptxwb::ui
