#include "window/docks.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

namespace ptxwb::ui {

QDockWidget* addDock(QMainWindow& window, QMenu& panels, const QString& name, const QString& title, QWidget* panel) {
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(name);
    dock->setWidget(panel);
    window.addDockWidget(Qt::RightDockWidgetArea, dock);
    panels.addAction(dock->toggleViewAction());
    return dock;
}

void raiseDockOf(QWidget* panel) {
    auto* dock = qobject_cast<QDockWidget*>(panel->parentWidget());
    if (!dock) return;
    dock->show();
    dock->raise();
}

} // namespace ptxwb::ui
