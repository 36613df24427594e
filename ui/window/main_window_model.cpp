// The main window's Model panel: what it is joined to.
#include "window/main_window.h"

#include "panels/candidate_panel.h"
#include "panels/model_panel.h"
#include "window/actions.h"
#include "window/live_analysis.h"
#include "window/model_chat.h"
#include "window/verification.h"

#include <QDockWidget>

namespace ptxwb::ui {

void MainWindow::makeModel() {
    m_chat = new ModelChat({&m_document, &m_counters, m_view, &m_candidates->model(), &m_runner, m_modelPanel}, this);
    m_chat->flush = [this] { m_analysis->flush(); };
    m_chat->trust = m_verification->trust;
    connect(m_chat, &ModelChat::message, this, &MainWindow::say);
    connect(m_actions->askModel, &QAction::triggered, this, [this] {
        auto* dock = qobject_cast<QDockWidget*>(m_modelPanel->parentWidget());
        if (!dock) return;
        dock->show();
        dock->raise();
        m_modelPanel->focusWish();
    });
}

} // namespace ptxwb::ui
