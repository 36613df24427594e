#include "window/preferences.h"

#include "dialogs/settings_dialog.h"
#include "jobs/verify_runner.h"
#include "models/document.h"
#include "window/shortcuts.h"
#include "window/verification.h"

#include <chrono>

namespace ptxwb::ui {

Preferences::Preferences(Document* document, VerifyRunner* runner, Verification* verification, Actions* actions,
                         QWidget* window)
    : QObject(window), m_document(document), m_runner(runner), m_verification(verification), m_actions(actions),
      m_window(window) {
    apply();
    loadShortcuts(*actions);
}

void Preferences::ask() {
    SettingsDialog dialog(Settings::load(), VerifyRunner::defaultCommandLine(), shortcutRows(*m_actions), m_window);
    if (dialog.exec() != QDialog::Accepted) return;
    dialog.settings().store();
    setShortcuts(*m_actions, dialog.shortcuts());
    apply();
}

void Preferences::apply() {
    const Settings settings = Settings::load();
    m_verification->device = settings.device;
    m_runner->setCommandLine(settings.commandLine(VerifyRunner::defaultCommandLine()));
    m_runner->setDeadline(std::chrono::minutes(settings.deadlineMinutes));
    m_document->setAutosaveInterval(std::chrono::seconds(settings.autosaveSeconds));
}

} // namespace ptxwb::ui
