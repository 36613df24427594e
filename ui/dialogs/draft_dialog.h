// A first kernel spec for a .cu or .ptx file: asks which file and kernel, runs `ptxwb init`, says what is to decide.
// Shown by `draftSpec`, which opens what was drafted.
#pragma once

#include "jobs/tool_call.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace ptxwb::ui {

class DraftDialog : public QDialog {
    Q_OBJECT

public:
    /// `program`: of the command line, on this machine. `file`: what is proposed, may be empty.
    DraftDialog(const QString& program, const QString& file, QWidget* parent = nullptr);

    /// After `accept`: the spec that was written, and what a person must decide in it.
    QString specFile() const { return m_specFile; }
    QStringList notes() const { return m_notes; }

private:
    void run();
    void take(const QJsonObject& answer);
    void say(const QString& text);

    QString m_program, m_specFile;
    QStringList m_notes;
    QLineEdit *m_file, *m_entry, *m_arch, *m_flags;
    QLabel* m_state;
    QDialogButtonBox* m_buttons;
    ToolCall m_call;
};

} // namespace ptxwb::ui
