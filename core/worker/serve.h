// The serving side of the worker protocol: reads requests, runs one at a time, writes answers.
// Called by `ptxwb worker` with the real handler, by tests with a fake one.
#pragma once

#include "worker/protocol.h"

#include <functional>
#include <stop_token>

namespace ptxwb::worker {

/// What a running job may tell meanwhile. Safe from any thread; after a cancel nothing is sent any more.
struct Reporter {
    std::function<void(const verify::StageResult&)> stage;
    std::function<void(const Progress&)> progress;
};

/// Does one job. The answer becomes `done`, a diagnostic becomes `error`. An exception ends that job with an error of
/// Cause::internal, not the worker.
using Handler =
    std::function<Expected<nlohmann::json>(Job, const nlohmann::json& body, const Reporter&, std::stop_token)>;

/// Serves until `input` ends or `stop` asks; a job that still runs is then cancelled. Requests that arrive while one
/// runs wait in order. A cancel is answered at once, although the job may take a moment to notice. Returns the exit
/// status: 0, or 4 where `output` could not be written.
/// `mustEnd` is asked after each answer: a worker that a kernel has taken down ends, so that the client starts another.
int serve(int input, int output, const nlohmann::json& hello, const Handler& handler, std::stop_token stop = {},
          const std::function<bool()>& mustEnd = {});

/// Moves the protocol away from file descriptor 1, so that whatever a library or a child prints on stdout goes to
/// stderr. Returns the descriptor to hand to `serve`.
int claimStandardOutput();

} // namespace ptxwb::worker
