#include "verify/gpu_profile.h"

#include "gpu/pc_sampler.h"
#include "gpu/profiler.h"
#include "ptx/line_map.h"
#include "verify/baseline.h"
#include "verify/benchmark_launch.h"
#include "verify/entry.h"
#include "verify/gpu_holder.h"
#include "verify/oracle.h"
#include "verify/own_lines.h"

namespace ptxwb::verify {

namespace {

constexpr double lockSeconds = 120; ///< a benchmark is over by then

/// Samples of machine instructions, by the PTX line that each came from.
PcSampling byLine(const gpu::SampleResult& result, const ptx::Module& module) {
    std::map<std::uint32_t, SampledLine> lines;
    for (const gpu::SampledInstruction& instruction : result.instructions) {
        SampledLine& line = lines[instruction.line];
        line.samples += instruction.samples;
        for (const auto& [reason, samples] : instruction.reasons) line.stalls[reason] += samples;
        line.instructions.emplace_back(instruction.offset, instruction.samples);
    }
    const ptx::LineMap sources(module);
    PcSampling sampling{result.samples, result.dropped, result.launches, {}};
    for (auto& [number, line] : lines) {
        line.line = number;
        if (const auto places = sources.sourceOf(number); !places.empty()) {
            line.cudaFile = places.front().file;
            line.cudaLine = places.front().line;
        }
        sampling.lines.push_back(std::move(line));
    }
    return sampling;
}

Expected<PcSampling> sampleLines(const Context& context, const GpuExecutor& executor, const PtxKernel& kernel,
                                 const gpu::LaunchRequest& shape, const std::vector<gpu::BenchBuffer>& buffers) {
    std::vector<std::string> entries{std::string(kernel.entry->name)};
    for (const FollowingEntry& next : kernel.following) entries.emplace_back(next.entry->name);
    const auto cubin =
        cubinWithOwnLines(*kernel.module, archFor(*kernel.module, executor.device()), context.machine, context.stop);
    if (!cubin) return std::unexpected(cubin.error());
    const auto result = gpu::samplePcs(executor.gpu(), *cubin, entries, shape, buffers, context.stop);
    if (!result) return std::unexpected(result.error());
    return byLine(*result, *kernel.module);
}

/// The entries of the launches that are not empty.
std::vector<std::string> launchedEntries(const PtxKernel& kernel, const gpu::BenchSubject& subject) {
    std::vector<std::string> entries;
    if (!subject.shape.launchesNothing()) entries.emplace_back(kernel.entry->name);
    for (std::size_t i = 0; i < subject.shape.following.size(); ++i)
        if (!subject.shape.following[i].target.launchesNothing())
            entries.emplace_back(kernel.following.at(i).entry->name);
    return entries;
}

Expected<void> profileOne(const Context& context, GpuExecutor& executor, PtxKernel& kernel,
                          const std::vector<std::string>& metrics, ProfileReport& report) {
    if (auto entry = resolveEntries(kernel, context.spec()); !entry) return entry;
    if (auto ready = executor.prepare(kernel); !ready) return ready;
    const auto launch = benchmarkLaunch(context, executor, kernel, kernel::Contents::shapeOnly);
    if (!launch) return std::unexpected(launch.error());
    const auto inputs = benchmarkInputs(context, executor, kernel);
    if (!inputs) return std::unexpected(inputs.error());
    const auto buffers = benchmarkBuffers(context.spec(), **inputs);
    const gpu::BenchSubject subject = executor.subject(kernel, *launch);
    const auto profiled = gpu::profile(executor.gpu(), subject, buffers, metrics, context.stop);
    if (!profiled) return std::unexpected(profiled.error());
    report.size = describeSizes(launch->symbols);
    report.unknown = profiled->unknown;
    const auto entries = launchedEntries(kernel, subject);
    for (std::size_t i = 0; i < profiled->launches.size(); ++i) {
        ProfiledKernel& each = report.kernels.emplace_back();
        each.name = kernel.name;
        if (profiled->launches.size() > 1) each.launch = entries.at(i);
        each.passes = profiled->passes;
        for (const gpu::Metric& metric : profiled->launches[i]) each.metrics.emplace_back(metric.name, metric.value);
    }
    if (profiled->launches.empty()) return failure(Cause::missing, "the benchmark size makes an empty launch");
    // Samples are by line of the text, whichever of its launches they are of.
    ProfiledKernel& one = report.kernels[report.kernels.size() - profiled->launches.size()];
    auto sampling = sampleLines(context, executor, kernel, subject.shape, buffers);
    if (sampling)
        one.sampling = std::move(*sampling);
    else if (executor.isLost() || sampling.error().cause == Cause::cancelled)
        return std::unexpected(std::move(sampling.error()));
    else
        one.samplingProblem = sampling.error().message;
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
    const auto lock = gpu::DeviceLock::take(executor.device().uuid, gpu::DeviceLock::Use::measures, lockSeconds);
    if (!lock) return std::unexpected(lock.error());
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
