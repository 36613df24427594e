#include "jobs/profile_job.h"

#include "jobs/worker_call.h"
#include "worker/requests.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

constexpr std::chrono::minutes deadline{5};

Expected<verify::ProfileReport> profile(const worker::ProfileRequest& request, const std::string& commandLine,
                                        std::stop_token stop) {
    const auto answer = callWorker(commandLine, worker::Job::profile, worker::toJson(request), stop, deadline);
    if (!answer) return std::unexpected(answer.error());
    return verify::profileReportFromJson(*answer);
}

} // namespace

ProfileJob::ProfileJob(QObject* parent) : QObject(parent) {}

void ProfileJob::start(verify::VerifyInput input, const QString& commandLine) {
    const auto request = std::make_shared<const worker::ProfileRequest>(std::move(input), std::vector<std::string>{});
    m_job.start(
        [request, line = commandLine.toStdString()](std::stop_token stop) { return profile(*request, line, stop); },
        [this](const Expected<verify::ProfileReport>& report) {
            if (report)
                emit profiled(*report);
            else
                emit failed(QString::fromStdString(report.error().message),
                            QString::fromStdString(report.error().hint));
        });
}

void ProfileJob::cancel() {
    m_job.cancel();
}

} // namespace ptxwb::ui
