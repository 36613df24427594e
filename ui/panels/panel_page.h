// What the panels of figures are made of: a page that scrolls, with texts that a person can select.
// Used by the panels of resources, timing and counters.
#pragma once

#include <QString>

class QLabel;
class QScrollArea;
class QWidget;

namespace ptxwb::ui {

QLabel* paragraph();
/// Hidden where it says nothing.
void say(QLabel* label, const QString& text);
/// Takes the widget over.
QScrollArea* scrolling(QWidget* page);

} // namespace ptxwb::ui
