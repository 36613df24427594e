// The warp stepper in the window: its dock, the recording of the warp that is asked for, the arrow beside the line, and
// the way from a finding to the step before it went wrong.
// Made by the main window.
#pragma once

#include "jobs/record_job.h"
#include "models/warp_replay.h"
#include "panels/warp_panel.h"

#include <QObject>

#include <functional>

class QMenu;

namespace ptxwb::ui {

class ComparisonView;
class Document;
class VerifyRunner;

/// "n = 1000, m = 33" as sizes of a run. Errors name the part that cannot be read.
Expected<kernel::Symbols> sizesFromText(const QString& text);

class WarpStepping : public QObject {
    Q_OBJECT

public:
    WarpStepping(Document* document, VerifyRunner* runner, ComparisonView* view, QObject* parent = nullptr);

    WarpPanel* panel() { return m_panel; } ///< belongs to the dock that takes it
    WarpReplay& replay() { return m_replay; }
    void fillMenu(QMenu* menu);
    bool isBusy() const { return m_job.isRunning(); }

    /// Records what the panel's fields say, of the current candidate.
    void record();
    /// Records the case of a finding, and goes to the step before it went wrong.
    void stepInto(const Finding& finding);
    void setTheme(const Theme& theme) { m_panel->setTheme(theme); }

    std::function<void()> flush; ///< brings what is being typed into the document
    /// Whether the host function `inputs` of the spec may run; asked only where there is one.
    std::function<verify::ReferenceTrust()> trust;

signals:
    void message(const QString& text);
    void dockWanted(); ///< there is something to see in it

private:
    struct Wish {
        Finding finding;
        unsigned lane = 0;
    };
    void start(worker::RunRequest request, std::optional<Wish> wish);
    std::optional<worker::RunRequest> request();
    void recorded(const RecordedWarp& warp);
    void updateMark();
    void textChanged(const QString& id);
    void forget();

    Document* m_document;
    VerifyRunner* m_runner;
    ComparisonView* m_view;
    WarpReplay m_replay;
    WarpPanel* m_panel;
    RecordJob m_job;
    std::optional<Wish> m_wish;
    QString m_id;   ///< the candidate that was recorded
    QString m_text; ///< its text then
};

} // namespace ptxwb::ui
