// File > Open example and File > Open recent: filled each time that they open.
// Called once by the main window.
#pragma once

class QMenu;

namespace ptxwb::ui {

class SessionFiles;

void fillExamplesMenu(QMenu& menu, SessionFiles& files);
void fillRecentMenu(QMenu& menu, SessionFiles& files);

} // namespace ptxwb::ui
