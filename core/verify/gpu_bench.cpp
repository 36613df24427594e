#include "verify/gpu_bench.h"

#include "gpu/device.h"
#include "verify/baseline.h"
#include "verify/entry.h"
#include "verify/gpu_benchmark.h"
#include "verify/gpu_holder.h"
#include "verify/oracle.h"

#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

/// The figure of one mode; nothing where it was not measured.
std::optional<BenchFigure> figureOf(const Benchmarked& measured, BenchMode mode) {
    if (!measured.timing) return std::nullopt;
    const Timing& timing = *measured.timing;
    const auto& speedup = mode == BenchMode::hot ? measured.hot : measured.speedup;
    BenchFigure figure;
    figure.medianUs = mode == BenchMode::cold  ? timing.medianUs
                      : mode == BenchMode::hot ? timing.hotUs
                                               : timing.graphUs;
    if (figure.medianUs <= 0) return std::nullopt;
    if (!speedup) return figure;
    figure.against = speedup->against;
    if (mode == BenchMode::graph) {
        if (measured.baselineGraphUs <= 0) return std::nullopt;
        figure.againstUs = measured.baselineGraphUs;
        figure.ratio = figure.againstUs / figure.medianUs;
        return figure;
    }
    figure.againstUs = speedup->baselineUs;
    figure.ratio = speedup->ratio;
    figure.low = speedup->low;
    figure.high = speedup->high;
    figure.call = speedup->call;
    return figure;
}

} // namespace

Expected<BenchReport>
benchKernels(const VerifyInput& input, const std::optional<CandidateText>& against, BenchMode mode,
             const Machine& machine, OracleCache& cache,
             const std::function<void(Stage, std::uint32_t, std::uint32_t, const std::string&)>& progress,
             std::stop_token stop) {
    if (!input.candidate) return failure(Cause::badRequest, "there is no candidate to measure");
    const Context context{input, machine, cache, input.plan.seed.value_or(defaultSeed(input.kernel)), progress, stop};
    if (!machine.gpu) return failure(Cause::missing, "this process uses no GPU");
    const auto opened = machine.gpu->open(input.plan.device, machine.cupti());
    if (!opened) return std::unexpected(opened.error());
    GpuExecutor executor(context, **opened);
    const kernel::KernelSpec& spec = context.spec();
    PtxKernel candidate = loadPtx(spec, input.candidate->name, input.candidate->file, input.candidate->text);
    std::optional<PtxKernel> other;
    if (against) {
        other = loadPtx(spec, against->name, against->file, against->text);
    } else {
        auto baseline = loadBaseline(context);
        if (!baseline) return std::unexpected(std::move(baseline.error()));
        other = std::move(*baseline);
    }
    for (PtxKernel* each : {&candidate, other ? &*other : nullptr}) {
        if (!each) continue;
        if (each->headerProblem) return std::unexpected(*each->headerProblem);
        if (auto entry = resolveEntries(*each, spec); !entry) return std::unexpected(std::move(entry.error()));
    }
    auto measured = benchmarkStage(context, executor, candidate, other ? &*other : nullptr);
    if (!measured) return std::unexpected(std::move(measured.error()));
    BenchReport report;
    report.kernel = spec.name;
    report.device = executor.device().name;
    report.driver = gpu::driverRelease();
    report.candidate = candidate.name;
    report.seed = context.seed;
    report.mode = mode;
    report.figure = figureOf(*measured, mode);
    report.timing = std::move(measured->timing);
    if (report.timing) report.size = report.timing->size;
    report.stage = std::move(measured->stage);
    return report;
}

} // namespace ptxwb::verify
