// A wrapped text of a panel that a person can select.
// Used by the panels of timing and of counters.
#pragma once

#include <QString>

class QLabel;

namespace ptxwb::ui {

QLabel* paragraph();
/// Hidden where it says nothing.
void say(QLabel* label, const QString& text);

} // namespace ptxwb::ui
