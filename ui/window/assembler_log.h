// What ptxas writes about the current text, word for word, for each target.
// Made by the main window.
#pragma once

#include "jobs/latest_job.h"
#include "support/diagnostic.h"

#include <QObject>
#include <QString>

#include <functional>

namespace ptxwb::ui {

class Document;
class VerifyRunner;

class AssemblerLog : public QObject {
    Q_OBJECT

public:
    /// `flush`: brings what is being typed into the document.
    AssemblerLog(Document* document, VerifyRunner* runner, QWidget* window, std::function<void()> flush);

    /// A window of its own that is filled once ptxas has answered; said in the status bar where there is no text.
    void show();

signals:
    void message(const QString& text);

private:
    Document* m_document;
    VerifyRunner* m_runner;
    QWidget* m_window;
    std::function<void()> m_flush;
    LatestJob<Expected<QString>> m_job;
};

} // namespace ptxwb::ui
