// One job in a worker of its own, which ends afterwards: for what must not share a worker with F5.
// Used by the jobs that compile the baseline and that count.
#pragma once

#include "support/diagnostic.h"
#include "worker/protocol.h"

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

namespace ptxwb::ui {

/// `commandLine`: as a person types it. Blocks: called from a job's thread. Errors: a line that cannot be read, and
/// those of worker::WorkerClient::call.
Expected<nlohmann::json> callWorker(const std::string& commandLine, worker::Job job, const nlohmann::json& body,
                                    std::stop_token stop, std::chrono::milliseconds deadline);

} // namespace ptxwb::ui
