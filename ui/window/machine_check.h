// Help > This machine: asks the worker's machine what it has and shows the answer as a card, at the first start by
// itself.
// Made by the main window.
#pragma once

#include "jobs/tool_call.h"

#include <QObject>

namespace ptxwb::ui {

class ThemeSource;
class VerifyRunner;

class MachineCheck : public QObject {
    Q_OBJECT

public:
    MachineCheck(VerifyRunner* runner, ThemeSource* theme, QWidget* window);

    void show();
    void greet(); ///< shows it at the first start only

private:
    VerifyRunner* m_runner; ///< knows the worker's command line
    ThemeSource* m_theme;
    QWidget* m_window;
    ToolCall m_doctor;
};

} // namespace ptxwb::ui
