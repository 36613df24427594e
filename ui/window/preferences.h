// The settings in the window: asks a person for them, and hands them to those that work by them.
// Made by the main window after its actions, whose keys are among them.
#pragma once

#include <QObject>

namespace ptxwb::ui {

class Actions;
class Document;
class Verification;
class VerifyRunner;

class Preferences : public QObject {
    Q_OBJECT

public:
    /// Those of the last time are in force at once.
    Preferences(Document* document, VerifyRunner* runner, Verification* verification, Actions* actions,
                QWidget* window);

    void ask();

private:
    void apply();

    Document* m_document;
    VerifyRunner* m_runner;
    Verification* m_verification;
    Actions* m_actions;
    QWidget* m_window;
};

} // namespace ptxwb::ui
