#include "jobs/record_job.h"

#include "jobs/worker_call.h"
#include "ptx/parse.h"
#include "worker/recording_json.h"

#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

constexpr std::chrono::minutes deadline{5};

Expected<RecordedWarp> record(const worker::RunRequest& request, const std::string& commandLine, std::stop_token stop) {
    const auto answer = callWorker(commandLine, worker::Job::run, worker::toJson(request), stop, deadline);
    if (!answer) return std::unexpected(answer.error());
    const auto found = answer->find("recording");
    if (found == answer->end() || found->is_null())
        return failure(Cause::rejected, "the warp executed nothing", "take a warp that the block has");
    auto recording = worker::recordingFromJson(*found);
    if (!recording) return std::unexpected(std::move(recording.error()));
    return prepareWarp(ptx::parse(request.candidate.text, request.candidate.file),
                       std::make_shared<const emulator::Recording>(std::move(*recording)));
}

} // namespace

void RecordJob::start(worker::RunRequest request, const QString& commandLine) {
    const auto shared = std::make_shared<const worker::RunRequest>(std::move(request));
    m_job.start(
        [shared, line = commandLine.toStdString()](std::stop_token stop) { return record(*shared, line, stop); },
        [this](const Expected<RecordedWarp>& warp) {
            if (warp)
                emit recorded(*warp);
            else
                emit failed(QString::fromStdString(warp.error().message), QString::fromStdString(warp.error().hint));
        });
}

} // namespace ptxwb::ui
