// The client side of the worker protocol: one worker process at a time, replaced whenever it crashes, hangs or talks
// rubbish. Called by the command line and by the window's jobs.
#pragma once

#include "worker/protocol.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace ptxwb::worker {

struct WorkerCommand {
    /// The program and its arguments, never a shell line: {"/usr/bin/ptxwb", "worker"}, {"ssh", "gpu-box", "ptxwb",
    /// "worker"}.
    std::vector<std::string> arguments;
    std::chrono::milliseconds helloDeadline{20'000}; ///< from the start of the process to its first line
};

/// Called from within `call`, on its thread.
struct Callbacks {
    std::function<void(const verify::StageResult&)> onStage;
    std::function<void(const Progress&)> onProgress;
};

/// Thread-safe; calls wait for one another. Blocks: the window calls it from a job's thread.
class WorkerClient {
public:
    explicit WorkerClient(WorkerCommand command);
    /// Ends the worker and the spare with all their children.
    ~WorkerClient();
    WorkerClient(const WorkerClient&) = delete;
    WorkerClient& operator=(const WorkerClient&) = delete;

    /// Sends one job and waits for its `done`. A worker that fails is ended, and the next call starts another.
    /// `deadline` is for the whole job, 0 for none. Errors: the worker's own answer; Cause::missing where it cannot be
    /// started; Cause::internal where it crashed, hung, wrote something else or speaks another version (the message
    /// names the stage that was running and the last line it wrote to stderr); Cause::cancelled.
    Expected<nlohmann::json> call(Job job, const nlohmann::json& body, const Callbacks& callbacks = {},
                                  std::stop_token stop = {}, std::chrono::milliseconds deadline = {});

    /// What the worker says it has: `protocol`, `version`, `toolkits`, `devices`, `emulator`. Starts one if none runs.
    Expected<nlohmann::json> hello(std::stop_token stop = {});

    /// Starts a spare, so that the next start costs nothing. Does not wait for its hello.
    void warm();

    /// For messages: the command as a person would type it.
    const std::string& commandText() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace ptxwb::worker
