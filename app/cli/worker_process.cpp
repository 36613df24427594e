#include "worker_process.h"

#include "support/environment.h"
#include "support/resources.h"
#include "worker/requests.h"

namespace ptxwb::cli {

Expected<std::unique_ptr<worker::WorkerClient>> makeClient(const std::string& option) {
    worker::WorkerCommand command;
    const std::string given = option.empty() ? environmentVariable("PTXWB_WORKER").value_or(std::string{}) : option;
    if (given.empty()) {
        command.arguments = {programFile().string(), "worker"};
    } else {
        auto words = worker::splitCommandLine(given);
        if (!words) return std::unexpected(std::move(words.error()));
        command.arguments = std::move(*words);
    }
    return std::make_unique<worker::WorkerClient>(std::move(command));
}

} // namespace ptxwb::cli
