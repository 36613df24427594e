// Help > About: the versions that a report of a fault needs, the worker's among them.
// Made by the main window.
#pragma once

#include <QJsonObject>
#include <QObject>

namespace ptxwb::ui {

class VerifyRunner;

class About : public QObject {
    Q_OBJECT

public:
    About(VerifyRunner* runner, QWidget* window);

    void show();

private:
    QString workerWords() const;

    QWidget* m_window;
    QJsonObject m_worker; ///< what it said of itself; empty until then
};

} // namespace ptxwb::ui
