// F5, Ctrl+F5, Shift+F5: asks the runner, keeps what is said about each candidate, and shows that of the current one.
// Made by the main window, between the document, the runner and the models of stages and problems.
#pragma once

#include "editors/checker_marks.h"
#include "editors/code_pane.h"
#include "jobs/verify_runner.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ptxwb::ui {

class Document;
class ProblemModel;
class StageModel;

class Verification : public QObject {
    Q_OBJECT

public:
    Verification(Document* document, VerifyRunner* runner, StageModel* stages, ProblemModel* problems,
                 QObject* parent = nullptr);

    /// Whether the reference may run; asked before each start, and may ask the person. Without it: refused.
    std::function<verify::ReferenceTrust()> trust;
    /// Whether Ctrl+F5 adds compute-sanitizer's tools: where the worker has a GPU.
    bool deepWithAll = false;
    int device = 0; ///< ordinal of the GPU that judges
    /// Called first: what was typed must be in the document.
    std::function<void()> flush;

    void verifyCurrent();
    void verifyAll(); ///< the baseline, then every candidate
    void stop();
    bool isBusy() const;
    QString running() const; ///< id, empty where none is

    /// For a pane's chip.
    PaneState state(const QString& id) const;
    QString evidence(const QString& id) const;
    /// One line for the current candidate: "fail (emulator): stress fail: ...".
    QString verdictLine() const;
    /// Where the findings about the current candidate stand in its text; none while that has changed since.
    std::vector<FindingMark> findingMarks() const;

signals:
    void message(const QString& text);
    void stateChanged(const QString& id);
    void findingsChanged();
    void progressed(int done, int of, const QString& what);
    /// The queue is empty again. `summary`: "3 passed, 2 failed" or the verdict of the one.
    void ended(const QString& summary, double seconds);

private:
    /// Of a run that is going on, or that broke off: not in the document.
    struct Run {
        std::vector<verify::StageResult> stages;
        QString message; ///< why it broke off
    };
    verify::ReferenceTrust begin();
    /// Empty, and a message, where it cannot be verified.
    enum class Depth : unsigned char { usual, deep };
    std::optional<VerifyRequest> request(const QString& id, verify::ReferenceTrust allowed, Depth depth);
    void show();
    void started(const QString& id);
    void stageAnswered(const QString& id, const verify::StageResult& stage);
    void finished(const QString& id, const verify::VerifyReport& report);
    void failed(const QString& id, const QString& text, const QString& hint);
    void cancelled(const QString& id);
    void textChanged(const QString& id);
    void endIfIdle();
    bool isCurrent(const QString& id) const;
    bool isStale(const QString& id) const;
    const std::vector<verify::StageResult>* stagesOf(const QString& id) const;
    QString nameOf(const QString& id) const;

    Document* m_document;
    VerifyRunner* m_runner;
    StageModel* m_stages;
    ProblemModel* m_problems;
    std::map<QString, Run> m_runs;      ///< by candidate
    std::map<QString, QString> m_tally; ///< of this F5: candidate to "pass", "fail", "incomplete", "broken off"
    QElapsedTimer m_since;
};

} // namespace ptxwb::ui
