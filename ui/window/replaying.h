// "Replay this case": runs one launch of the current candidate again and shows where it went wrong.
// Made by the main window, for the verification panel.
#pragma once

#include "jobs/replay_job.h"

#include <QObject>

#include <functional>

namespace ptxwb::ui {

class Document;
class VerificationPanel;
class VerifyRunner;

class Replaying : public QObject {
    Q_OBJECT

public:
    Replaying(Document* document, VerifyRunner* runner, VerificationPanel* panel, QObject* parent = nullptr);

    bool isBusy() const { return m_job.isRunning(); }

    std::function<void()> flush;                   ///< brings what is being typed into the document
    std::function<verify::ReferenceTrust()> trust; ///< whether the kernel's reference may run

private:
    void start(const verify::RunCase& run);
    void forget();

    Document* m_document;
    VerifyRunner* m_runner; ///< knows the worker's command line
    VerificationPanel* m_panel;
    ReplayJob m_job;
};

} // namespace ptxwb::ui
