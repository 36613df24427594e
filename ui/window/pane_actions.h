// Connects the actions of text and comparison to the pane that has the focus.
// Called once by the main window.
#pragma once

namespace ptxwb::ui {

class Actions;
class ComparisonView;

void connectPaneActions(Actions& actions, ComparisonView& view);

} // namespace ptxwb::ui
