// One launch of a verification made again, by a worker of its own.
// Used by the main window's Replaying.
#pragma once

#include "jobs/latest_job.h"
#include "verify/replay.h"

#include <QObject>
#include <QString>

namespace ptxwb::ui {

class ReplayJob : public QObject {
    Q_OBJECT

public:
    explicit ReplayJob(QObject* parent = nullptr);

    /// One of the two signals follows, unless a newer `start` or `cancel` comes first. `commandLine`: of a worker.
    void start(verify::VerifyInput input, const verify::RunCase& run, const QString& commandLine);
    void cancel();
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void replayed(const ptxwb::verify::ReplayReport& report);
    void failed(const QString& message, const QString& hint);

private:
    LatestJob<Expected<verify::ReplayReport>> m_job;
};

} // namespace ptxwb::ui
