// `ptxwb worker`: the process that touches compilers and the emulator, spoken to over stdin and stdout.
#include "command.h"

#include "verify/context.h"
#include "verify/gpu_holder.h"
#include "worker/handlers.h"
#include "worker/serve.h"

#include <csignal>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

Expected<int> serveStandardStreams(std::stop_token stop) {
    // A client that is gone shows as a failed write, not as a signal that leaves compilers behind.
    std::signal(SIGPIPE, SIG_IGN);
    const int output = worker::claimStandardOutput();
    auto tools = toolchain::discover({}, stop);
    if (!tools) return std::unexpected(std::move(tools.error()));
    auto machine = std::make_shared<verify::Machine>();
    machine->tools = std::move(*tools);
    machine->gpu = std::make_shared<verify::GpuHolder>();
    const nlohmann::json hello = worker::helloOf(*machine);
    const auto lost = [machine] { return machine->gpu->isLost(); };
    const int status = worker::serve(STDIN_FILENO, output, hello, worker::makeHandler(machine), stop, lost);
    // The driver's own end waits for a kernel that never ends.
    if (lost()) ::_exit(status);
    return status;
}

} // namespace

void addWorker(Invocation& invocation) {
    addCommand(invocation, "worker", "serve the worker protocol on stdin and stdout", "ssh gpu-box ptxwb worker",
               [&invocation] { return serveStandardStreams(invocation.stop); });
}

} // namespace ptxwb::cli
