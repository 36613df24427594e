// F5: sends candidates to a worker, one after another, and tells on the window's thread what it answers.
// Owned by the main window; connected to the document, the stage model and the status bar.
#pragma once

#include "verify/plan.h"

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <chrono>
#include <memory>

namespace ptxwb::ui {

struct VerifyRequest {
    QString candidate;         ///< id in the document, session::baselineId for the baseline
    verify::VerifyInput input; ///< the texts as they are now
};

/// Survives whatever a worker does: a crash, a hang, rubbish or a missing program ends one request with `failed`, and
/// the next one starts another worker. Every request that `started` ends with exactly one of `finished`, `failed`,
/// `cancelled`; one that was queued and never started ends with `cancelled`.
class VerifyRunner : public QObject {
    Q_OBJECT

public:
    explicit VerifyRunner(QObject* parent = nullptr);
    ~VerifyRunner() override; ///< ends the worker and its children

    /// "ptxwb worker" with the program beside this executable where there is one, else along PATH. PTXWB_WORKER
    /// overrides.
    static QString defaultCommandLine();
    /// As a person types it in the settings ("ssh gpu-box ptxwb worker"); empty for the default. Takes effect with the
    /// next request; a running one ends as it began. A line that cannot be read (an open quote) makes requests fail and
    /// say so.
    void setCommandLine(const QString& commandLine);
    QString commandLine() const;
    QString effectiveCommandLine() const; ///< the default where none was set
    /// Of one request as a whole; the worker is ended after it. Default 10 minutes; 0 for none.
    void setDeadline(std::chrono::milliseconds deadline);

    /// Starts a worker ahead of the first request. A spare is kept from then on.
    void warm();
    /// Asks the worker what it has; answers with `described` or `describeFailed`. Waits behind a running request.
    void describe();

    /// Verifies at once: a running request and the queue are cancelled.
    void verify(VerifyRequest request);
    /// Ctrl+F5: after everything that waits.
    void enqueue(VerifyRequest request);
    /// Shift+F5: the running request and the queue.
    void cancel();

    bool isBusy() const;
    QString running() const; ///< the candidate, empty where none is
    int queued() const;

signals:
    void started(const QString& candidate);
    void stageAnswered(const QString& candidate, const ptxwb::verify::StageResult& stage);
    void progress(const QString& candidate, int done, int of, const QString& what);
    /// `report` has one result, whose `sha256` is that of the PTX that was sent.
    void finished(const QString& candidate, const ptxwb::verify::VerifyReport& report);
    /// Where a stage was running when the worker failed, `stageAnswered` said so before (inconclusive, with the
    /// message). `judged`: the stages until then; none where it never began.
    void failed(const QString& candidate, const QString& message, const QString& hint,
                const ptxwb::verify::CandidateResult& judged);
    void cancelled(const QString& candidate);
    void busyChanged(bool busy);
    void described(const QJsonObject& hello);
    void describeFailed(const QString& message, const QString& hint);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace ptxwb::ui
