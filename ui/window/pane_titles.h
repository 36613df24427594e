// What stands above the three panes: name, target, flags, state.
// Called by the main window whenever one of them changes.
#pragma once

namespace ptxwb::ui {

class ComparisonView;
class Document;
class Verification;

void showPaneTitles(ComparisonView& view, const Document& document, const Verification& verification);

} // namespace ptxwb::ui
