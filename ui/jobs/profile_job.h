// Hardware counters of a candidate and of the baseline, by a worker of its own: one that counts measures no time.
// Used by the main window; what it answers is kept by CounterStore.
#pragma once

#include "jobs/latest_job.h"
#include "verify/plan.h"
#include "verify/profile_report.h"

#include <QObject>
#include <QString>

namespace ptxwb::ui {

class ProfileJob : public QObject {
    Q_OBJECT

public:
    explicit ProfileJob(QObject* parent = nullptr);

    /// One of the two signals follows, unless a newer `start` or `cancel` comes first. `commandLine`: of a worker.
    void start(verify::VerifyInput input, const QString& commandLine);
    void cancel();
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void profiled(const ptxwb::verify::ProfileReport& report);
    void failed(const QString& message, const QString& hint);

private:
    LatestJob<Expected<verify::ProfileReport>> m_job;
};

} // namespace ptxwb::ui
