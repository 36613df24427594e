#include "verify/gpu_profile.h"

#include "gpu/profiler.h"
#include "verify/baseline.h"
#include "verify/benchmark_launch.h"
#include "verify/entry.h"
#include "verify/gpu_holder.h"
#include "verify/oracle.h"

namespace ptxwb::verify {

namespace {

Expected<void> profileOne(const Context& context, GpuExecutor& executor, PtxKernel& kernel,
                          const std::vector<std::string>& metrics, ProfileReport& report) {
    const auto entry = findEntry(*kernel.module, context.spec().entry);
    if (!entry) return std::unexpected(entry.error());
    kernel.entry = *entry;
    if (auto ready = executor.prepare(kernel); !ready) return ready;
    const auto launch = benchmarkLaunch(context, executor, kernel, kernel::Contents::shapeOnly);
    if (!launch) return std::unexpected(launch.error());
    const auto inputs = benchmarkInputs(context, executor, kernel);
    if (!inputs) return std::unexpected(inputs.error());
    const auto profiled = gpu::profile(executor.gpu(), {&executor.loaded(kernel), launchRequest(*launch)},
                                       benchmarkBuffers(context.spec(), **inputs), metrics, context.stop);
    if (!profiled) return std::unexpected(profiled.error());
    report.size = describeSizes(launch->symbols);
    report.unknown = profiled->unknown;
    ProfiledKernel& one = report.kernels.emplace_back();
    one.name = kernel.name;
    one.passes = profiled->passes;
    for (const gpu::Metric& metric : profiled->metrics) one.metrics.emplace_back(metric.name, metric.value);
    return {};
}

} // namespace

Expected<ProfileReport> profileKernels(const VerifyInput& input, const std::vector<std::string>& metrics,
                                       const Machine& machine, OracleCache& cache, std::stop_token stop) {
    const auto quiet = [](Stage, std::uint32_t, std::uint32_t, const std::string&) {};
    const Context context{input, machine, cache, input.plan.seed.value_or(defaultSeed(input.kernel)), quiet, stop};
    if (!machine.gpu) return failure(Cause::missing, "this process uses no GPU");
    const auto opened = machine.gpu->open(input.plan.device, machine.cupti(), gpu::Gpu::Purpose::counters);
    if (!opened) return std::unexpected(opened.error());
    GpuExecutor executor(context, **opened);
    ProfileReport report;
    report.kernel = input.kernel.spec.name;
    report.device = executor.device().name;
    const auto& wanted = metrics.empty() ? gpu::defaultMetrics() : metrics;
    auto baseline = loadBaseline(context);
    if (!baseline) return std::unexpected(std::move(baseline.error()));
    if (*baseline)
        if (auto done = profileOne(context, executor, **baseline, wanted, report); !done)
            return std::unexpected(std::move(done.error()));
    if (input.candidate) {
        PtxKernel candidate =
            loadPtx(input.kernel.spec, input.candidate->name, input.candidate->file, input.candidate->text);
        if (auto done = profileOne(context, executor, candidate, wanted, report); !done)
            return std::unexpected(std::move(done.error()));
    }
    return report;
}

} // namespace ptxwb::verify
