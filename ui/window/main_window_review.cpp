// The review's dock and menu, and what the window does for it.
#include "window/main_window.h"

#include "editors/comparison_view.h"
#include "panels/model_panel.h"
#include "panels/review_panel.h"
#include "window/actions.h"
#include "window/layouts.h"
#include "window/live_analysis.h"
#include "window/notice_bar.h"
#include "window/reviewing.h"
#include "window/session_comparison.h"
#include "window/session_files.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>

namespace ptxwb::ui {

void MainWindow::makeReview() {
    m_reviewing = new Reviewing(&m_document, m_view, this);
    QDockWidget* dock = addDock(QStringLiteral("review"), tr("Review"), m_reviewing->panel());
    m_layouts->addReview(dock);
    const auto menuBefore = menuBar()->actions().isEmpty() ? nullptr : menuBar()->actions().last(); // Help is the last
    auto* menu = new QMenu(tr("Revie&w"), this);
    m_reviewing->fillMenu(menu);
    menuBar()->insertMenu(menuBefore, menu);
    for (QAction* action : m_reviewing->actions()) m_actions->adopt(action);
    const auto bring = [](QDockWidget* which) {
        which->show();
        which->raise();
    };
    m_reviewing->flush = [this] { m_analysis->flush(); };
    m_reviewing->save = [this] { return m_files->save(); };
    m_reviewing->showDock = [dock, bring] { bring(dock); };
    connect(m_reviewing, &Reviewing::message, this, &MainWindow::say);
    connect(m_reviewing, &Reviewing::withdrawn, m_notices, [this](const QString& text) { m_notices->say(text); });
    connect(m_reviewing, &Reviewing::askModel, this, [this, bring](const QString& wish) {
        m_modelPanel->setWish(wish);
        if (auto* model = qobject_cast<QDockWidget*>(m_modelPanel->parentWidget())) bring(model);
        say(tr("The open comments are what you wish of the model now: look through it, then preview the question."));
    });
    connect(m_reviewing, &Reviewing::compareSessions, this, [this] {
        m_analysis->flush();
        const QString file =
            QFileDialog::getOpenFileName(this, tr("Compare with the session"), {}, tr("Session (*.ptxwb)"));
        if (file.isEmpty()) return;
        auto other = session::load(file.toStdString());
        if (!other) return say(QString::fromStdString(other.error().message));
        auto* window = new SessionComparison(m_document.session(), m_document.current().toStdString(),
                                             std::move(other->session), m_theme.current(), this);
        window->setAttribute(Qt::WA_DeleteOnClose);
        window->show();
    });
    connect(&m_theme, &ThemeSource::changed, m_reviewing, &Reviewing::setTheme);
    m_reviewing->setTheme(m_theme.current());
}

} // namespace ptxwb::ui
