#include "window/status_line.h"

#include "editors/comparison_view.h"

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>

namespace ptxwb::ui {

namespace {
constexpr int messageMilliseconds = 15000;
}

StatusLine::StatusLine(QStatusBar* bar, ComparisonView* view)
    : QObject(bar), m_bar(bar), m_view(view), m_progressText(new QLabel(bar)), m_position(new QLabel(bar)),
      m_progress(new QProgressBar(bar)) {
    m_progress->setMaximumWidth(160);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the stage"));
    m_progressText->setAccessibleName(tr("What is being done"));
    m_position->setAccessibleName(tr("Place of the caret"));
    m_position->setMinimumWidth(
        m_position->fontMetrics().horizontalAdvance(tr("Line %1, column %2").arg(88888).arg(888)));
    for (QWidget* each :
         {static_cast<QWidget*>(m_progressText), static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_position)})
        bar->addPermanentWidget(each);
    m_progress->hide();
    connect(view, &ComparisonView::currentPaneChanged, this, &StatusLine::updatePosition);
    for (const PaneId id : {PaneId::source, PaneId::baseline, PaneId::candidate})
        connect(&view->pane(id), &CodePane::cursorLineChanged, this, &StatusLine::updatePosition);
}

void StatusLine::say(const QString& text) {
    text.isEmpty() ? m_bar->clearMessage() : m_bar->showMessage(text, messageMilliseconds);
}

void StatusLine::takeBack(const QString& text) {
    if (m_bar->currentMessage() == text) m_bar->clearMessage();
}

void StatusLine::setProgress(int done, int of, const QString& what) {
    m_progress->setRange(0, of);
    m_progress->setValue(done);
    m_progressText->setText(what);
}

void StatusLine::setBusy(bool busy) {
    m_progress->setVisible(busy);
    if (!busy) m_progressText->clear();
}

void StatusLine::updatePosition() {
    const CodePane& pane = m_view->pane(m_view->currentPane());
    m_position->setText(tr("Line %1, column %2").arg(pane.currentLine()).arg(pane.currentColumn()));
}

} // namespace ptxwb::ui
