// F6: from pane to pane, then from panel to panel, so that the keyboard gets out of the editors, which keep Tab.
// Called by the main window.
#pragma once

class QMainWindow;

namespace ptxwb::ui {

class ComparisonView;

/// The panes from left to right, then the docks that can be seen, those at the right first.
void cycleFocus(const QMainWindow& window, ComparisonView& view);

} // namespace ptxwb::ui
