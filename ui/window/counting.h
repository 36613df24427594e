// Ctrl+Shift+F5: has a GPU count what the current candidate does, and keeps the answer.
// Made by the main window.
#pragma once

#include "jobs/profile_job.h"

#include <QObject>

#include <functional>

namespace ptxwb::ui {

class CounterStore;
class Document;
class VerifyRunner;

class Counting : public QObject {
    Q_OBJECT

public:
    Counting(Document* document, CounterStore* counters, VerifyRunner* runner, QObject* parent = nullptr);

    void countCurrent();
    void stop();
    bool isBusy() const { return m_job.isRunning(); }

    std::function<void()> flush; ///< brings what is being typed into the document

signals:
    void message(const QString& text);
    void busyChanged();

private:
    Document* m_document;
    CounterStore* m_counters;
    VerifyRunner* m_runner; ///< knows the worker's command line
    ProfileJob m_job;
};

} // namespace ptxwb::ui
