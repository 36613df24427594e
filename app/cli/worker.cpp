// `ptxwb worker`: the process that touches compilers and the emulator, spoken to over stdin and stdout.
#include "command.h"

#include "support/files.h"
#include "support/json.h"
#include "support/resources.h"
#include "verify/context.h"
#include "verify/deep_checks.h"
#include "verify/gpu_holder.h"
#include "worker/handlers.h"
#include "worker/requests.h"
#include "worker/serve.h"

#include <csignal>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

Expected<std::shared_ptr<verify::Machine>> thisMachine(std::stop_token stop) {
    auto tools = toolchain::discover({}, stop);
    if (!tools) return std::unexpected(std::move(tools.error()));
    auto machine = std::make_shared<verify::Machine>();
    machine->tools = std::move(*tools);
    return machine;
}

/// This program again, with the input in a file.
Expected<std::vector<std::string>> launchCommand(const verify::VerifyInput& input,
                                                 const std::filesystem::path& folder) {
    const auto file = folder / "launch.json";
    if (auto written = writeFileAtomically(file, worker::toJson(input).dump()); !written)
        return std::unexpected(std::move(written.error()));
    return std::vector<std::string>{programFile().string(), "launch-for-tools", file.string()};
}

Expected<int> launchForTools(const std::string& file, std::stop_token stop) {
    const auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    const auto body = parseJson(*text, file);
    if (!body) return std::unexpected(body.error());
    const auto input = worker::verifyInputFromJson(*body);
    if (!input) return std::unexpected(input.error());
    const auto machine = thisMachine(stop);
    if (!machine) return std::unexpected(machine.error());
    if (auto done = verify::launchForTools(*input, **machine, stop); !done) return std::unexpected(done.error());
    return passed;
}

Expected<int> serveStandardStreams(std::stop_token stop) {
    // A client that is gone shows as a failed write, not as a signal that leaves compilers behind.
    std::signal(SIGPIPE, SIG_IGN);
    const int output = worker::claimStandardOutput();
    const auto found = thisMachine(stop);
    if (!found) return std::unexpected(found.error());
    const auto machine = *found;
    machine->gpu = std::make_shared<verify::GpuHolder>();
    machine->launchCommand = launchCommand;
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
    const auto file = std::make_shared<std::string>();
    CLI::App* launch = addCommand(invocation, "launch-for-tools", "launch a worker's input under a tool",
                                  "compute-sanitizer ptxwb launch-for-tools launch.json",
                                  [file, &invocation] { return launchForTools(*file, invocation.stop); });
    launch->add_option("FILE", *file, "what the worker wrote")->required();
    launch->group(""); // not for people
}

} // namespace ptxwb::cli
