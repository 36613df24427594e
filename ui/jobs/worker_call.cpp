#include "jobs/worker_call.h"

#include "worker/client.h"
#include "worker/requests.h"

#include <nlohmann/json.hpp>

namespace ptxwb::ui {

Expected<nlohmann::json> callWorker(const std::string& commandLine, worker::Job job, const nlohmann::json& body,
                                    std::stop_token stop, std::chrono::milliseconds deadline) {
    auto words = worker::splitCommandLine(commandLine);
    if (!words) return std::unexpected(std::move(words.error()));
    worker::WorkerClient client(worker::WorkerCommand{std::move(*words)});
    return client.call(job, body, {}, stop, deadline);
}

} // namespace ptxwb::ui
