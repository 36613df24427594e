#include "window/navigation.h"

#include "editors/comparison_view.h"
#include "models/document.h"

#include <algorithm>
#include <utility>

namespace ptxwb::ui {

Navigation::Navigation(Document* document, ComparisonView* view, ProblemModel* problems, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_problems(problems) {
    // A problem of one candidate, still told above another one, would be a wrong word.
    connect(document, &Document::currentChanged, this, [this] {
        if (!m_told.isEmpty()) emit messageOver(std::exchange(m_told, {}));
    });
}

/// Findings about the baseline stand in its own pane.
PaneId Navigation::currentPane() const {
    return m_document->current() == Document::baselineId() ? PaneId::baseline : PaneId::candidate;
}

void Navigation::mark(const std::vector<FindingMark>& findings) {
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        m_view->pane(id).setFindings(id == currentPane() ? findings : std::vector<FindingMark>{});
}

void Navigation::showPlace(ProblemModel::Pane pane, const QString& file, int line, int column) {
    pane == ProblemModel::Pane::cuda ? showCuda(file, line, column) : showPtx(line, column);
}

void Navigation::showPtx(int line, int column) {
    if (line <= 0) return sayThereIsNoPlace();
    m_view->showPtxLine(currentPane(), line, std::max(1, column));
    m_view->pane(currentPane()).setFocus();
}

void Navigation::showBaselineLine(int line) {
    m_view->showPtxLine(PaneId::baseline, line, 1);
    m_view->pane(PaneId::baseline).setFocus();
}

void Navigation::showCuda(const QString& file, int line, int column) {
    if (line <= 0) return sayThereIsNoPlace();
    CodePane& pane = m_view->source();
    if (pane.lineCount() < line) return emit message(tr("%1 is not the file that is shown.").arg(file));
    pane.goToLine(line, std::max(1, column));
    pane.setFocus();
}

void Navigation::sayThereIsNoPlace() {
    emit message(tr("This one has no place in the text."));
}

void Navigation::goToProblem(ProblemModel::Direction direction) {
    const QModelIndex index = m_problems->neighbour(m_view->pane(currentPane()).currentLine(), direction);
    if (!index.isValid()) return emit message(tr("There is no problem with a place."));
    showPtx(index.data(ProblemModel::LineRole).toInt(), index.data(ProblemModel::ColumnRole).toInt());
    m_told = index.siblingAtColumn(ProblemModel::Message).data().toString();
    emit message(m_told);
}

} // namespace ptxwb::ui
