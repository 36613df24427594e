#include "window/side_windows.h"

#include "dialogs/change_list.h"
#include "dialogs/history_dialog.h"
#include "models/document.h"
#include "theme/theme_source.h"
#include "window/assembler_log.h"
#include "window/session_comparison.h"

#include <QFileDialog>

namespace ptxwb::ui {

SideWindows::SideWindows(Document* document, ComparisonView* view, VerifyRunner* runner, ThemeSource* theme,
                         QWidget* window, std::function<void()> flush)
    : QObject(window), m_document(document), m_view(view), m_theme(theme), m_window(window), m_flush(std::move(flush)),
      m_log(new AssemblerLog(document, runner, this)) {
    connect(m_log, &AssemblerLog::message, this, &SideWindows::message);
}

void SideWindows::showUntilClosed(QDialog* dialog) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->addActions(everywhere);
    dialog->show();
}

void SideWindows::showChanges() {
    auto* list = new ChangeList(m_view->changeList(), m_view->summary(), m_window);
    connect(list, &ChangeList::lineWanted, m_view, [this](PaneId pane, int line) { m_view->showPtxLine(pane, line); });
    showUntilClosed(list);
}

void SideWindows::showHistory() {
    if (m_document->current() == Document::baselineId())
        return emit message(tr("The baseline has no history: choose a candidate."));
    m_flush();
    showUntilClosed(new HistoryDialog(m_document, m_document->current(), m_theme->current(), m_window));
}

void SideWindows::showAssemblerLog() {
    m_flush();
    if (QDialog* dialog = m_log->made(m_window)) showUntilClosed(dialog);
}

void SideWindows::compareSessions() {
    m_flush();
    const QString file =
        QFileDialog::getOpenFileName(m_window, tr("Compare with the session"), {}, tr("Session (*.ptxwb)"));
    if (file.isEmpty()) return;
    auto other = session::load(file.toStdString());
    if (!other) return emit message(QString::fromStdString(other.error().message));
    showUntilClosed(new SessionComparison(m_document->session(), m_document->current().toStdString(),
                                          std::move(other->session), m_theme->current(), m_window));
}

} // namespace ptxwb::ui
