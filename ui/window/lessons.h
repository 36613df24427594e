// Lessons in the window: the dock, opening a lesson's kernel with its starting state, the check by a worker.
// Made by the main window.
#pragma once

#include "jobs/latest_job.h"
#include "lesson/judge.h"
#include "panels/lesson_panel.h"

#include <QObject>

#include <functional>
#include <memory>

namespace ptxwb::ui {

class Document;
class SessionFiles;
class VerifyRunner;

class Lessons : public QObject {
    Q_OBJECT

public:
    Lessons(Document* document, SessionFiles* files, VerifyRunner* runner, QObject* parent = nullptr);

    LessonPanel* panel() { return m_panel; } ///< belongs to the dock that takes it
    void setTheme(const Theme& theme) { m_panel->setTheme(theme); }
    bool isBusy() const { return m_job.isRunning(); }

    std::function<void()> flush; ///< brings what is being typed into the document

signals:
    void message(const QString& text);
    void lineWanted(int line);
    void countsWanted(const QString& kind); ///< "sectors": the figures that the lesson is about
    void started();

private:
    void start(std::shared_ptr<const lesson::Lesson> wanted);
    void opened();
    void check();

    Document* m_document;
    SessionFiles* m_files;
    VerifyRunner* m_runner; ///< knows the worker's command line
    LessonPanel* m_panel;
    std::shared_ptr<const lesson::Lesson> m_opening;
    LatestJob<Expected<lesson::Judgement>> m_job;
};

} // namespace ptxwb::ui
