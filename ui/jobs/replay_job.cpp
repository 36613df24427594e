#include "jobs/replay_job.h"

#include "jobs/worker_call.h"
#include "worker/requests.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

constexpr std::chrono::minutes deadline{5};

} // namespace

ReplayJob::ReplayJob(QObject* parent) : QObject(parent) {}

void ReplayJob::start(verify::VerifyInput input, const verify::RunCase& run, const QString& commandLine) {
    const auto request = std::make_shared<const worker::ReplayRequest>(std::move(input), run);
    m_job.start(
        [request, line = commandLine.toStdString()](std::stop_token stop) -> Expected<verify::ReplayReport> {
            const auto answer = callWorker(line, worker::Job::replay, worker::toJson(*request), stop, deadline);
            if (!answer) return std::unexpected(answer.error());
            return verify::replayReportFromJson(*answer);
        },
        [this](const Expected<verify::ReplayReport>& report) {
            if (report)
                emit replayed(*report);
            else
                emit failed(QString::fromStdString(report.error().message),
                            QString::fromStdString(report.error().hint));
        });
}

void ReplayJob::cancel() {
    m_job.cancel();
}

} // namespace ptxwb::ui
