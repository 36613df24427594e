// The program's own icons, drawn in the colour of the theme's text.
// Called by the actions and the main window.
#pragma once

#include <QIcon>
#include <QString>

namespace ptxwb::ui {

struct Theme;

/// `:/icons/NAME.svg`, with `currentColor` as the theme's text (greyed while disabled), sharp at every scale that the
/// desktop uses. An icon that is not there is our own mistake and ends the program with its name.
QIcon themedIcon(const QString& name, const Theme& theme);

/// The program's icon, in its own colours.
QIcon programIcon();

} // namespace ptxwb::ui
