// View > Theme: the desktop's, or one that a person chooses and finds again at the next start.
// Called once by the main window.
#pragma once

class QMenu;

namespace ptxwb::ui {

class ThemeSource;

/// Fills the menu, and sets the theme that was chosen last.
void fillThemeMenu(QMenu& menu, ThemeSource& theme);

} // namespace ptxwb::ui
