// The few things a person sets once: the worker's command line, its deadline, the autosave.
// Shown by the main window, which reads the values back.
#pragma once

#include <QDialog>
#include <QString>

class QLineEdit;
class QSpinBox;

namespace ptxwb::ui {

struct Settings {
    QString workerCommandLine; ///< empty: `ptxwb worker` beside the window
    int deadlineMinutes = 10;  ///< of one candidate; 0: none
    int autosaveSeconds = 30;  ///< 0: never

    static Settings load(); ///< from QSettings
    void store() const;
};

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// `defaultCommandLine`: shown where none is set.
    SettingsDialog(const Settings& settings, const QString& defaultCommandLine, QWidget* parent = nullptr);

    Settings settings() const;

private:
    QLineEdit* m_worker;
    QSpinBox *m_deadline, *m_autosave;
};

} // namespace ptxwb::ui
