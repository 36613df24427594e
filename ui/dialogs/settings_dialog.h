// The few things a person sets once: the worker with its tools, its deadline, the autosave, the keys.
// Shown by Preferences, which reads the values back.
#pragma once

#include "dialogs/shortcut_table.h"

#include <QDialog>
#include <QString>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace ptxwb::ui {

struct Settings {
    QString workerCommandLine; ///< empty: `ptxwb worker` beside the window
    QString toolkitFolder;     ///< of our own worker: CUDA_HOME; empty: what is found
    QString hostCompiler;      ///< of our own worker: CXX; empty: what is found
    int device = 0;            ///< ordinal of the GPU that judges and times
    int deadlineMinutes = 10;  ///< of one candidate; 0: none
    int autosaveSeconds = 30;  ///< 0: never

    static Settings load(); ///< from QSettings
    void store() const;
    /// Of the worker, empty for `standard`. Toolkit and host compiler go to our own worker; one elsewhere has its own.
    QString commandLine(const QString& standard) const;
};

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// `defaultCommandLine`: shown where none is set.
    SettingsDialog(const Settings& settings, const QString& defaultCommandLine, std::vector<ShortcutRow> shortcuts,
                   QWidget* parent = nullptr);

    Settings settings() const;
    const std::vector<ShortcutRow>& shortcuts() const { return m_shortcuts->rows(); }
    ShortcutTable& shortcutTable() { return *m_shortcuts; }
    QTabWidget& tabs() { return *m_tabs; }

private:
    QWidget* makeGeneral(const Settings& settings, const QString& defaultCommandLine);
    void checkInput();

    QTabWidget* m_tabs;
    QLineEdit *m_worker, *m_toolkit, *m_compiler;
    QLabel* m_problem;
    QSpinBox *m_deadline, *m_autosave, *m_device;
    ShortcutTable* m_shortcuts;
    QPushButton* m_ok = nullptr;
};

} // namespace ptxwb::ui
