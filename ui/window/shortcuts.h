// The keys of the actions as a person set them, in place of those that they came with.
// Read by Preferences at the start and after the settings; shown by the settings dialog.
#pragma once

#include "dialogs/shortcut_table.h"

namespace ptxwb::ui {

class Actions;

/// Every action of the menus, in their order.
std::vector<ShortcutRow> shortcutRows(const Actions& actions);
/// Takes them and keeps them in the QSettings.
void setShortcuts(Actions& actions, const std::vector<ShortcutRow>& rows);
/// From the QSettings.
void loadShortcuts(Actions& actions);

} // namespace ptxwb::ui
