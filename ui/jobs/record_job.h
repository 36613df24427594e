// What one warp of a candidate does, recorded by a worker that ends afterwards and made ready to be walked through.
// Used by WarpStepping.
#pragma once

#include "jobs/latest_job.h"
#include "models/warp_replay.h"
#include "worker/requests.h"

#include <QObject>
#include <QString>

namespace ptxwb::ui {

class RecordJob : public QObject {
    Q_OBJECT

public:
    explicit RecordJob(QObject* parent = nullptr) : QObject(parent) {}

    /// `request.record` is set. One of the two signals follows, unless a newer `start` or `cancel` comes first.
    void start(worker::RunRequest request, const QString& commandLine);
    void cancel() { m_job.cancel(); }
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void recorded(const ptxwb::ui::RecordedWarp& warp);
    void failed(const QString& message, const QString& hint);

private:
    LatestJob<Expected<RecordedWarp>> m_job;
};

} // namespace ptxwb::ui
