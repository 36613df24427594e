// What stands above the three panes: name, target, flags, state.
// Called by the main window whenever one of them changes.
#pragma once

#include "editors/code_pane.h"

namespace ptxwb::ui {

class Document;
class Verification;

PaneTitle sourceTitle(const Document& document);
PaneTitle baselineTitle(const Document& document, const Verification& verification);
/// Of the current candidate; an empty name while that is the baseline.
PaneTitle candidateTitle(const Document& document, const Verification& verification);

} // namespace ptxwb::ui
