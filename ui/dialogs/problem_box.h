// An error as a message box: what, where, what next.
// Called wherever an action that a person asked for cannot be done.
#pragma once

#include "support/diagnostic.h"

class QWidget;

namespace ptxwb::ui {

void showProblem(QWidget* parent, const Diagnostic& problem);

} // namespace ptxwb::ui
