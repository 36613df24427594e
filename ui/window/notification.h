// A notification of the desktop, for somebody who works in another window meanwhile.
// Called by the main window when a long verification ends.
#pragma once

#include <QString>

namespace ptxwb::ui {

/// Through org.freedesktop.Notifications; without that service nothing happens. Does not wait.
void notifyDesktop(const QString& title, const QString& text);

} // namespace ptxwb::ui
