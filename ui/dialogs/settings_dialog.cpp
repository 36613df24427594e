#include "dialogs/settings_dialog.h"

#include "worker/requests.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTabWidget>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

const QString workerKey = QStringLiteral("worker/commandLine"), deadlineKey = QStringLiteral("worker/deadlineMinutes"),
              autosaveKey = QStringLiteral("autosaveSeconds"), toolkitKey = QStringLiteral("worker/toolkit"),
              compilerKey = QStringLiteral("worker/hostCompiler"), deviceKey = QStringLiteral("worker/device");

} // namespace

Settings Settings::load() {
    const QSettings stored;
    Settings settings;
    settings.workerCommandLine = stored.value(workerKey).toString();
    settings.toolkitFolder = stored.value(toolkitKey).toString();
    settings.hostCompiler = stored.value(compilerKey).toString();
    settings.device = stored.value(deviceKey, 0).toInt();
    settings.deadlineMinutes = stored.value(deadlineKey, settings.deadlineMinutes).toInt();
    settings.autosaveSeconds = stored.value(autosaveKey, settings.autosaveSeconds).toInt();
    return settings;
}

void Settings::store() const {
    QSettings stored;
    stored.setValue(workerKey, workerCommandLine);
    stored.setValue(toolkitKey, toolkitFolder);
    stored.setValue(compilerKey, hostCompiler);
    stored.setValue(deviceKey, device);
    stored.setValue(deadlineKey, deadlineMinutes);
    stored.setValue(autosaveKey, autosaveSeconds);
}

QString Settings::commandLine(const QString& standard) const {
    if (!workerCommandLine.isEmpty()) return workerCommandLine;
    QString variables;
    const auto add = [&](const char* name, QString value) {
        if (value.isEmpty()) return;
        value.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
        variables += QStringLiteral("'%1=%2' ").arg(QLatin1String(name), value);
    };
    add("CUDA_HOME", toolkitFolder);
    // What the path holds is taken first.
    if (!toolkitFolder.isEmpty()) add("PATH", toolkitFolder + QStringLiteral("/bin:") + qEnvironmentVariable("PATH"));
    add("CXX", hostCompiler);
    return variables.isEmpty() ? QString() : QStringLiteral("env ") + variables + standard;
}

SettingsDialog::SettingsDialog(const Settings& settings, const QString& defaultCommandLine,
                               std::vector<ShortcutRow> shortcuts, QWidget* parent)
    : QDialog(parent), m_tabs(new QTabWidget), m_worker(new QLineEdit(settings.workerCommandLine)),
      m_toolkit(new QLineEdit(settings.toolkitFolder)), m_compiler(new QLineEdit(settings.hostCompiler)),
      m_problem(new QLabel), m_deadline(new QSpinBox), m_autosave(new QSpinBox), m_device(new QSpinBox),
      m_shortcuts(new ShortcutTable(std::move(shortcuts))) {
    setWindowTitle(tr("Settings"));
    setMinimumWidth(560);
    m_tabs->setAccessibleName(tr("Kinds of settings"));
    m_tabs->addTab(makeGeneral(settings, defaultCommandLine), tr("&General"));
    m_tabs->addTab(m_shortcuts, tr("&Keys"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_tabs, 1);
    column->addWidget(buttons);
    connect(m_worker, &QLineEdit::textChanged, this, &SettingsDialog::checkInput);
    connect(m_shortcuts, &ShortcutTable::changed, this, &SettingsDialog::checkInput);
}

QWidget* SettingsDialog::makeGeneral(const Settings& settings, const QString& defaultCommandLine) {
    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    m_worker->setPlaceholderText(defaultCommandLine);
    m_worker->setToolTip(tr("The program that compiles, runs and judges. Elsewhere: ssh gpu-box ptxwb worker"));
    form->addRow(tr("&Worker:"), m_worker);
    m_problem->setWordWrap(true);
    m_problem->hide();
    form->addRow(QString(), m_problem);
    m_toolkit->setPlaceholderText(tr("what is found on this machine"));
    m_toolkit->setToolTip(tr("Folder of the CUDA toolkit whose nvcc and ptxas a worker on this machine uses first"));
    form->addRow(tr("CUDA &toolkit:"), m_toolkit);
    m_compiler->setPlaceholderText(tr("what is found on this machine"));
    m_compiler->setToolTip(tr("C++ compiler for references, for a worker on this machine"));
    form->addRow(tr("&Host compiler:"), m_compiler);
    m_device->setRange(0, 63);
    m_device->setValue(settings.device);
    m_device->setToolTip(tr("Number of the GPU that judges and times, where the worker has several"));
    form->addRow(tr("G&PU:"), m_device);
    m_deadline->setRange(0, 24 * 60);
    m_deadline->setSuffix(tr(" min"));
    m_deadline->setSpecialValueText(tr("none"));
    m_deadline->setValue(settings.deadlineMinutes);
    m_deadline->setToolTip(tr("A worker that has not judged a candidate by then is ended"));
    form->addRow(tr("&Deadline of a candidate:"), m_deadline);
    m_autosave->setRange(0, 3600);
    m_autosave->setSuffix(tr(" s"));
    m_autosave->setSpecialValueText(tr("never"));
    m_autosave->setValue(settings.autosaveSeconds);
    form->addRow(tr("&Autosave every:"), m_autosave);
    return page;
}

/// What cannot be right is told before it is taken.
void SettingsDialog::checkInput() {
    const QString line = m_worker->text();
    const auto words = worker::splitCommandLine(line.toStdString());
    const bool bad = !line.trimmed().isEmpty() && !words;
    m_problem->setText(bad ? QString::fromStdString(words.error().message) : QString());
    m_problem->setVisible(bad);
    m_ok->setEnabled(!bad && m_shortcuts->problem().isEmpty());
}

Settings SettingsDialog::settings() const {
    return {m_worker->text().trimmed(), m_toolkit->text().trimmed(), m_compiler->text().trimmed(),
            m_device->value(),          m_deadline->value(),         m_autosave->value()};
}

} // namespace ptxwb::ui
