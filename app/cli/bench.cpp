// `ptxwb bench`: a candidate's time against another kernel's, and nothing else.
#include "command.h"

#include "kernel_argument.h"
#include "reference_trust.h"
#include "support/json.h"
#include "verify/plan.h"
#include "verify_table.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

struct BenchOptions {
    std::string kernel, candidate, against, worker;
    bool cold = false, hot = false, graph = false, trust = false;
    int device = 0;
    double seconds = verify::Plan{}.benchmarkSeconds;
};

void printReport(const verify::BenchReport& report, const verify::CandidateText& candidate) {
    fmt::print("{} on {}{}, {}, {}\n", report.kernel, report.device,
               report.driver.empty() ? "" : fmt::format(" (driver {})", report.driver),
               report.size.empty() ? "not measured" : report.size, name(report.mode));
    if (report.figure) {
        const verify::BenchFigure& f = *report.figure;
        const std::size_t width = std::max(report.candidate.size(), f.against.size());
        fmt::print("{:<{}}  {:>10.1f} us", report.candidate, width, f.medianUs);
        if (report.mode == verify::BenchMode::cold && report.timing)
            fmt::print("  (10 to 90 %: {:.1f} to {:.1f})", report.timing->p10Us, report.timing->p90Us);
        fmt::print("\n");
        if (!f.against.empty()) {
            fmt::print("{:<{}}  {:>10.1f} us\n", f.against, width, f.againstUs);
            if (f.low && f.high)
                fmt::print("{:.3f} x [{:.3f}, {:.3f}] {}\n", f.ratio, *f.low, *f.high, f.call);
            else
                fmt::print("{:.3f} x: one figure each, so there is no interval\n", f.ratio);
        }
    } else if (report.timing) {
        fmt::print("not measured {}: {}\n", name(report.mode),
                   report.mode == verify::BenchMode::graph ? "a launch of over a millisecond does not feel the graph"
                                                           : "no launch counted");
    }
    verify::CandidateResult judged;
    judged.candidate = report.candidate;
    judged.stages = {report.stage};
    const std::string findings = findingsText(judged, candidate);
    if (!findings.empty()) fmt::print("\n{}", findings);
    if (!report.stage.reason.empty()) fmt::print("{}\n", report.stage.reason);
}

Expected<int> benchCommand(const BenchOptions& options, const Invocation& invocation) {
    if (options.cold + options.hot + options.graph > 1)
        return failure(Cause::badRequest, "--cold, --hot and --graph are three ways of measuring: name one",
                       "without any it is --cold");
    const auto kernel = loadKernelArgument(options.kernel, invocation.json);
    if (!kernel) return std::unexpected(kernel.error());
    auto candidate = loadCandidate(options.candidate, *kernel);
    if (!candidate) return std::unexpected(std::move(candidate.error()));
    worker::BenchRequest request{{kernel->kernel, *candidate, {}}, std::nullopt, verify::BenchMode::cold};
    if (!options.against.empty()) {
        auto against = loadCandidate(options.against, *kernel);
        if (!against) return std::unexpected(std::move(against.error()));
        request.against = std::move(*against);
    }
    if (options.hot) request.mode = verify::BenchMode::hot;
    if (options.graph) request.mode = verify::BenchMode::graph;
    request.input.plan.device = options.device;
    request.input.plan.benchmarkSeconds = options.seconds;
    // The host function `inputs` may be what makes them.
    request.input.plan.reference = referenceTrust(*kernel, options.trust);
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    const auto answer = (*client)->call(worker::Job::bench, worker::toJson(request), {}, invocation.stop);
    if (!answer) return std::unexpected(answer.error());
    const auto report = verify::benchReportFromJson(*answer);
    if (!report) return std::unexpected(report.error());
    if (invocation.json)
        printJson(*answer);
    else
        printReport(*report, *candidate);
    switch (report->stage.status) {
    case verify::Status::pass: return passed;
    case verify::Status::fail: return failed;
    default: return incomplete;
    }
}

} // namespace

void addBench(Invocation& invocation) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* command = addCommand(invocation, "bench",
                                   "time a candidate against the baseline or another candidate (needs an NVIDIA GPU)",
                                   "ptxwb bench saxpy --candidate vectorized",
                                   [options, &invocation] { return benchCommand(*options, invocation); });
    command->add_option("KERNEL", options->kernel, "a spec file, a folder with one, or the name of an example")
        ->required();
    command->add_option("--candidate", options->candidate, "a PTX file or the name of one of the kernel's candidates")
        ->required();
    command->add_option("--against", options->against,
                        "a PTX file or the name of another candidate (default: the baseline)");
    command->add_flag("--cold", options->cold, "the L2 is flushed before each launch (this is the default)");
    command->add_flag("--hot", options->hot, "each launch follows one over the same data");
    command->add_flag("--graph", options->graph, "many launches in one graph");
    command->add_option("--seconds", options->seconds, "budget of the measurement");
    command->add_option("--device", options->device, "number of the GPU, as `ptxwb doctor` lists them");
    command->add_flag("--trust", options->trust, "run the spec's host function `inputs` without asking (for scripts)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli
