#include "window/machine_check.h"

#include "dialogs/machine_card.h"
#include "jobs/verify_runner.h"
#include "theme/theme_source.h"

#include <QSettings>

namespace ptxwb::ui {

namespace {
const QString greetedKey = QStringLiteral("greeted");
}

MachineCheck::MachineCheck(VerifyRunner* runner, ThemeSource* theme, QWidget* window)
    : QObject(window), m_runner(runner), m_theme(theme), m_window(window) {}

void MachineCheck::show() {
    auto* card = new MachineCard(m_theme->current(), m_window);
    card->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_doctor, &ToolCall::answered, card, &MachineCard::setAnswer);
    connect(&m_doctor, &ToolCall::failed, card, &MachineCard::setFailure);
    const QString own = m_runner->commandLine();
    const QStringList line =
        ToolCall::inPlaceOfWorker(own.isEmpty() ? VerifyRunner::defaultCommandLine() : own, {QStringLiteral("doctor")});
    if (line.isEmpty())
        card->setFailure(tr("the worker's command line does not end in \"worker\""), tr("Change it in the settings."));
    else
        m_doctor.start(line.front(), line.mid(1));
    card->show();
}

void MachineCheck::greet() {
    QSettings settings;
    if (settings.value(greetedKey).toBool()) return;
    settings.setValue(greetedKey, true);
    show();
}

} // namespace ptxwb::ui
