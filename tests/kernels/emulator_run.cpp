#include "emulator_run.h"

#include "ptx/parse.h"
#include "verify/entry.h"
#include "verify/execute.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::kernels {

EmulatorRun runOnEmulator(const Case& one, const std::string& ptx, std::uint64_t schedule, std::uint64_t limit) {
    EmulatorRun run;
    verify::PtxKernel kernel;
    kernel.module = ptx::parse(ptx, one.ptxFile);
    const auto entry = verify::findEntry(*kernel.module, one.data.entry);
    if (!entry) {
        run.error = format(entry.error());
        return run;
    }
    kernel.entry = *entry;
    if (const auto finding = verify::checkLaunch(kernel, one.data)) run.error = finding->message;
    if (const auto decoded = verify::decodeEntry(kernel); !decoded) run.error = format(decoded.error());
    if (!run.error.empty()) return run;
    verify::ExecuteOptions options;
    options.emulator.seed = schedule;
    options.emulator.instructionLimit = limit;
    auto outcome = verify::execute(kernel, one.data, options, {});
    if (!outcome) {
        run.error = format(outcome.error());
        return run;
    }
    std::vector<std::vector<std::uint8_t>> buffers;
    for (std::size_t i = 0; i < outcome->buffers.size(); ++i) {
        const auto& written = outcome->buffers[i].written;
        if (const auto missing = std::ranges::find(written, std::uint8_t{0}); missing != written.end())
            run.unwritten.push_back(fmt::format("{}[{}]", one.data.buffers[i].name, missing - written.begin()));
        buffers.push_back(outcome->buffers[i].bytes);
    }
    run.answer = answerOf(one, buffers, outcome->printed);
    run.completed = outcome->completed();
    run.findings = std::move(outcome->findings);
    run.threadInstructions = outcome->counters.threadInstructions;
    return run;
}

} // namespace ptxwb::kernels
