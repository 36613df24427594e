#include "dialogs/settings_dialog.h"

#include "worker/requests.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>

namespace ptxwb::ui {

namespace {

const QString workerKey = QStringLiteral("worker/commandLine"), deadlineKey = QStringLiteral("worker/deadlineMinutes"),
              autosaveKey = QStringLiteral("autosaveSeconds");

} // namespace

Settings Settings::load() {
    const QSettings stored;
    Settings settings;
    settings.workerCommandLine = stored.value(workerKey).toString();
    settings.deadlineMinutes = stored.value(deadlineKey, settings.deadlineMinutes).toInt();
    settings.autosaveSeconds = stored.value(autosaveKey, settings.autosaveSeconds).toInt();
    return settings;
}

void Settings::store() const {
    QSettings stored;
    stored.setValue(workerKey, workerCommandLine);
    stored.setValue(deadlineKey, deadlineMinutes);
    stored.setValue(autosaveKey, autosaveSeconds);
}

SettingsDialog::SettingsDialog(const Settings& settings, const QString& defaultCommandLine, QWidget* parent)
    : QDialog(parent), m_worker(new QLineEdit(settings.workerCommandLine, this)), m_deadline(new QSpinBox(this)),
      m_autosave(new QSpinBox(this)) {
    setWindowTitle(tr("Settings"));
    setMinimumWidth(560);
    auto* form = new QFormLayout(this);
    m_worker->setPlaceholderText(defaultCommandLine);
    m_worker->setToolTip(tr("The program that compiles, runs and judges. Elsewhere: ssh gpu-box ptxwb worker"));
    form->addRow(tr("&Worker:"), m_worker);
    auto* problem = new QLabel(this);
    problem->setWordWrap(true);
    problem->hide();
    form->addRow(QString(), problem);
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

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    form->addRow(buttons);
    connect(m_worker, &QLineEdit::textChanged, this, [=, this](const QString& line) {
        const auto words = worker::splitCommandLine(line.toStdString());
        const bool bad = !line.trimmed().isEmpty() && !words;
        problem->setText(bad ? QString::fromStdString(words.error().message) : QString());
        problem->setVisible(bad);
        buttons->button(QDialogButtonBox::Ok)->setEnabled(!bad);
    });
}

Settings SettingsDialog::settings() const {
    return {m_worker->text().trimmed(), m_deadline->value(), m_autosave->value()};
}

} // namespace ptxwb::ui
