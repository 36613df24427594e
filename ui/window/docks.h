// The frames around the panels: each can be moved, closed, and brought back through View > Panels.
// Called by the main window.
#pragma once

#include <QString>

class QDockWidget;
class QMainWindow;
class QMenu;
class QWidget;

namespace ptxwb::ui {

/// `name`: under which a layout keeps its place. `panels`: the menu that brings it back.
QDockWidget* addDock(QMainWindow& window, QMenu& panels, const QString& name, const QString& title, QWidget* panel);
/// To the front, open where it was closed.
void raiseDockOf(QWidget* panel);

} // namespace ptxwb::ui
