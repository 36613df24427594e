#include "verify/gpu_benchmark.h"

#include "gpu/occupancy.h"
#include "verify/benchmark_launch.h"
#include "verify/check_ledger.h"
#include "verify/findings.h"
#include "verify/judge_outputs.h"
#include "verify/roofline.h"
#include "verify/run_plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::verify {

namespace {

constexpr double lockSeconds = 120, microseconds = 1e6;

Timing timingOf(const gpu::BenchResult& result, const gpu::BenchSeries& series, std::string size) {
    Timing timing;
    timing.medianUs = gpu::median(series.cold) * microseconds;
    timing.p10Us = gpu::quantile(series.cold, 0.1) * microseconds;
    timing.p90Us = gpu::quantile(series.cold, 0.9) * microseconds;
    timing.hotUs = gpu::median(series.hot) * microseconds;
    timing.graphUs = series.graph * microseconds;
    timing.method = result.method;
    timing.clockMhz = result.smClockMHz;
    timing.discarded = result.discarded;
    timing.size = std::move(size);
    for (const double seconds : series.cold) timing.samplesUs.push_back(seconds * microseconds);
    return timing;
}

class BenchmarkRun {
public:
    BenchmarkRun(const Context& context, GpuExecutor& executor) : m_context(context), m_executor(executor) {}

    Expected<Benchmarked> measure(PtxKernel& kernel, PtxKernel* baseline) {
        m_result.stage = {Stage::benchmark, Status::pass, "gpu", {}, 0, {}, 0};
        const auto start = std::chrono::steady_clock::now();
        auto done = run(kernel, baseline == &kernel ? nullptr : baseline);
        if (!done) {
            if (done.error().cause == Cause::cancelled || done.error().cause == Cause::badRequest)
                return std::unexpected(std::move(done.error()));
            inconclusive(done.error().message);
            if (done.error().kind == "device_busy")
                m_result.stage.findings.push_back(findingFrom(done.error(), FindingKind::deviceBusy, "device_alone"));
        }
        m_result.stage.checks = m_ledger.outcomes();
        m_result.stage.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(m_result);
    }

private:
    void inconclusive(std::string why) {
        m_result.stage.status = Status::inconclusive;
        m_result.stage.reason = std::move(why);
    }

    Expected<void> run(PtxKernel& kernel, PtxKernel* baseline) {
        for (PtxKernel* each : {&kernel, baseline})
            if (each)
                if (auto prepared = m_executor.prepare(*each); !prepared) return prepared;
        auto own = benchmarkLaunch(m_context, m_executor, kernel, kernel::Contents::shapeOnly);
        if (!own) return std::unexpected(std::move(own.error()));
        if (own->isEmpty()) return failure(Cause::missing, "the benchmark size makes an empty launch");
        // The baseline's has the same inputs and its own shape.
        std::optional<kernel::LaunchData> theirs;
        if (baseline) {
            auto built = benchmarkLaunch(m_context, m_executor, *baseline, kernel::Contents::shapeOnly);
            if (!built) return std::unexpected(std::move(built.error()));
            theirs = std::move(*built);
        }
        m_size = describeSizes(own->symbols);
        const auto inputs = benchmarkInputs(m_context, m_executor, kernel);
        if (!inputs) return std::unexpected(inputs.error());
        auto lock = gpu::DeviceLock::take(m_executor.device().uuid, gpu::DeviceLock::Use::measures, lockSeconds);
        if (!lock) return std::unexpected(std::move(lock.error()));
        if (auto alone = checkAlone(); !alone) return alone;
        m_context.progress(Stage::benchmark, 0, 0, "measuring " + m_size);
        const auto buffers = benchmarkBuffers(m_context.spec(), **inputs);
        const gpu::BenchSubject candidate = m_executor.subject(kernel, *own);
        const gpu::BenchSubject reference = baseline ? m_executor.subject(*baseline, *theirs) : gpu::BenchSubject{};
        gpu::BenchOptions options;
        options.budgetSeconds = m_context.input.plan.benchmarkSeconds;
        options.seed = m_context.seed;
        options.deadline = m_context.input.plan.launchDeadline;
        const gpu::Compare compare = [&](std::size_t buffer, auto expected, auto got) {
            return compareAtSize(*own, buffer, expected, got);
        };
        auto measured =
            baseline ? gpu::benchmark(m_executor.gpu(), reference, candidate, buffers, compare, options, m_context.stop)
                     : gpu::benchmark(m_executor.gpu(), candidate, {}, buffers, compare, options, m_context.stop);
        if (!measured) return std::unexpected(std::move(measured.error()));
        if (auto alone = checkAlone(); !alone) return alone; // somebody may have come meanwhile
        conclude(*measured, baseline);
        if (m_result.timing) judgeByPeaks(kernel, *own);
        checkOccupancy(kernel, *own);
        return {};
    }

    Expected<void> checkAlone() const {
        const auto monitor = gpu::Monitor::open(m_executor.device().uuid);
        const auto others = monitor ? monitor->otherProcesses() : std::vector<std::string>{};
        if (others.empty()) return {};
        auto busy = failure(Cause::missing,
                            fmt::format("{} {} the device too: times would be of both", fmt::join(others, ", "),
                                        others.size() == 1 ? "uses" : "use"),
                            "end it, or choose another device with --device");
        busy.error().kind = "device_busy";
        return busy;
    }

    /// What differs between the verified baseline's outputs and the candidate's, with the error allowed doubled.
    std::string compareAtSize(const kernel::LaunchData& data, std::size_t buffer,
                              std::span<const std::uint8_t> expected, std::span<const std::uint8_t> got) const {
        if (m_context.spec().compare) return {}; // it says what is equal, of all outputs together; see conclude
        const auto findings = judgeAgainst(m_context, data, buffer, expected, got);
        return findings.empty() ? std::string{} : findings.front().message;
    }

    /// Of paired samples in seconds.
    Speedup speedupOf(const std::vector<double>& baseline, const std::vector<double>& candidate,
                      const std::string& against) const {
        const gpu::Ratio ratio = gpu::pairedRatio(baseline, candidate, m_context.seed);
        Speedup speedup{ratio.value, ratio.low,
                        ratio.high,  std::string(gpu::name(gpu::callOf(ratio))),
                        against,     gpu::median(baseline) * microseconds,
                        {}};
        for (const double seconds : baseline) speedup.baselineSamplesUs.push_back(seconds * microseconds);
        return speedup;
    }

    void conclude(const gpu::BenchResult& result, const PtxKernel* baseline) {
        StageResult& stage = m_result.stage;
        const gpu::BenchSeries& own = baseline ? result.candidate : result.baseline;
        stage.runs = static_cast<std::uint32_t>(own.cold.size());
        if (!result.problem.empty()) {
            const bool isOurs = !baseline || result.candidateFailed;
            Finding finding;
            finding.kind = FindingKind::launch;
            finding.check = "benchmark";
            finding.message = (isOurs ? "" : "the baseline: ") + result.problem;
            stage.findings.push_back(std::move(finding));
            if (isOurs)
                stage.status = Status::fail;
            else
                inconclusive(result.problem);
            return;
        }
        if (own.cold.empty())
            return inconclusive(result.throttled.empty() ? "no sample counted"
                                                         : fmt::format("no sample counted: {}", result.throttled));
        m_result.timing = timingOf(result, own, m_size);
        if (baseline) {
            m_result.speedup = speedupOf(result.baseline.cold, result.candidate.cold, baseline->name);
            if (!result.baseline.hot.empty() && result.baseline.hot.size() == result.candidate.hot.size())
                m_result.hot = speedupOf(result.baseline.hot, result.candidate.hot, baseline->name);
            m_result.baselineGraphUs = result.baseline.graph * microseconds;
        }
        std::vector<std::string> notes{fmt::format("{}, {} rounds by {}", m_size, result.rounds, result.method)};
        if (result.discarded > 0)
            notes.push_back(fmt::format("{} rounds discarded{}", result.discarded,
                                        result.throttled.empty() ? "" : " (" + result.throttled + ")"));
        if (result.uncheckedOutputs > 0)
            notes.push_back(
                fmt::format("{} of {} outputs of timed launches were not compared: they are large, and other "
                            "bits each time",
                            result.uncheckedOutputs, result.uncheckedOutputs + result.checkedOutputs));
        if (m_context.spec().compare && baseline) {
            notes.emplace_back("outputs of timed launches were not compared: only the spec's own `compare` can");
            m_ledger.left("timed_outputs", notes.back());
        }
        stage.reason = fmt::format("{}", fmt::join(notes, "; "));
        if (!result.mismatch.empty()) {
            Finding finding;
            finding.kind = FindingKind::mismatch;
            finding.check = "timed_outputs";
            finding.message = "at the benchmark's size, after a timed launch: " + result.mismatch;
            stage.findings.push_back(std::move(finding));
            stage.status = Status::fail;
        }
    }

    double workOf(const std::optional<kernel::Formula>& formula, const kernel::LaunchData& data) const {
        if (!formula) return 0;
        return formula->expression.evaluateReal(data.symbols).value_or(0);
    }

    void judgeByPeaks(const PtxKernel& kernel, const kernel::LaunchData& data) {
        const Work work{workOf(m_context.spec().work.bytes, data), workOf(m_context.spec().work.flops, data)};
        m_ledger.left("memory_floor", "the spec states no `work.bytes`");
        m_ledger.left("arithmetic_floor", "the spec states no `work.flops`");
        if (work.bytes <= 0 && work.operations <= 0) return;
        const auto peaks = peaksOf(m_context, m_executor.gpu());
        if (!peaks) {
            m_ledger.left("arithmetic_floor", peaks.error().message);
            m_result.stage.reason += "; the device's peaks: " + peaks.error().message;
            return;
        }
        const auto arithmetic = arithmeticPeak(*kernel.module, *peaks);
        m_result.timing->roofline = rooflineOf(work, m_result.timing->medianUs / microseconds, *peaks, arithmetic);
        if (work.bytes > 0) checkMemoryFloor(work);
        if (work.operations <= 0) return;
        if (arithmetic)
            checkArithmeticFloor(work, *arithmetic);
        else
            m_ledger.left("arithmetic_floor", "no peak is known for an instruction of the kernel");
    }

    /// The bytes that the spec says must move, less what the L2 may keep, need this long even at the memory's clock and
    /// width: who is faster has left something out.
    void checkMemoryFloor(const Work& work) {
        const double peak = m_executor.device().peakBytesPerSecond();
        if (peak <= 0) return m_ledger.left("memory_floor", "the driver does not tell the memory's clock and width");
        const double cached = static_cast<double>(m_executor.device().l2Bytes);
        fasterThan(std::max(0.0, work.bytes - cached) / peak, "memory_floor",
                   fmt::format("{:.0f} bytes of the spec's work", work.bytes), "at the memory's peak", "work.bytes");
    }

    /// The same for operations. A measured peak may be missed by a little: clocks differ.
    void checkArithmeticFloor(const Work& work, const ArithmeticPeak& peak) {
        constexpr double margin = 1.1;
        fasterThan(
            work.operations / (peak.operationsPerSecond * margin), "arithmetic_floor",
            fmt::format("{:.0f} operations of the spec's work", work.operations),
            fmt::format("at 1.1 times the measured {:.1f} TFLOP/s of {}", peak.operationsPerSecond / 1e12, peak.rate),
            "work.flops");
    }

    void fasterThan(double floorSeconds, std::string check, const std::string& work, const std::string& peak,
                    std::string_view field) {
        const double floorUs = floorSeconds * microseconds;
        m_ledger.made(check);
        if (m_result.timing->medianUs >= floorUs) return;
        Finding finding;
        finding.kind = FindingKind::fasterThanPossible;
        finding.check = std::move(check);
        finding.message = fmt::format("takes {:.1f} us, and the {} need {:.1f} us {}", m_result.timing->medianUs, work,
                                      floorUs, peak);
        finding.hint = fmt::format("it skips work, or the spec's `{}` is too large", field);
        m_result.stage.findings.push_back(std::move(finding));
        m_result.stage.status = Status::fail;
    }

    /// The driver's own calculation beside the offline one: where they differ, somebody should know.
    void checkOccupancy(const PtxKernel& kernel, const kernel::LaunchData& data) {
        const gpu::FunctionInfo& info = m_executor.loaded(kernel).info();
        const auto arch = gpu::architecture(m_executor.device().arch());
        const std::uint32_t block = data.block[0] * data.block[1] * data.block[2];
        const auto driver =
            m_executor.gpu().blocksPerSm(m_executor.loaded(kernel), static_cast<int>(block), data.sharedBytes);
        if (!arch || !driver) return;
        const auto offline = gpu::occupancy(*arch, {.block = block,
                                                    .registers = static_cast<std::uint32_t>(info.registers),
                                                    .sharedStatic = static_cast<std::uint32_t>(info.sharedBytes),
                                                    .sharedDynamic = data.sharedBytes,
                                                    .barriers = 1,
                                                    .cluster = 1});
        if (offline && static_cast<int>(offline->blocksPerSm) != *driver)
            m_result.stage.reason +=
                fmt::format("; the driver fits {} blocks on a multiprocessor, the table of {} says {}", *driver,
                            arch->arch, offline->blocksPerSm);
    }

    const Context& m_context;
    GpuExecutor& m_executor;
    Benchmarked m_result;
    CheckLedger m_ledger;
    std::string m_size;
};

} // namespace

Expected<Benchmarked> benchmarkStage(const Context& context, GpuExecutor& executor, PtxKernel& kernel,
                                     PtxKernel* baseline) {
    return BenchmarkRun(context, executor).measure(kernel, baseline);
}

} // namespace ptxwb::verify
