// Which worker the commands talk to: this program's own `ptxwb worker`, or another one by --worker or PTXWB_WORKER.
// Called by the commands that compile, assemble, run and verify.
#pragma once

#include "worker/client.h"

namespace ptxwb::cli {

/// `option`: the value of --worker, empty where it was not given. Errors: a command line that cannot be split.
Expected<std::unique_ptr<worker::WorkerClient>> makeClient(const std::string& option);

/// The text of --help for --worker.
inline constexpr const char* workerHelp =
    "the worker's command line, for instance 'ssh gpu-box ptxwb worker' (also PTXWB_WORKER)";

} // namespace ptxwb::cli
