#include "verify/funnel.h"

#include "gpu/device.h"
#include "support/sha256.h"
#include "verify/baseline.h"
#include "verify/checks.h"
#include "verify/deep_checks.h"
#include "verify/dynamic_stages.h"
#include "verify/earlier_results.h"
#include "verify/entry.h"
#include "verify/findings.h"
#include "verify/fitness.h"
#include "verify/gpu_benchmark.h"
#include "verify/gpu_holder.h"
#include "verify/other_assemblers.h"
#include "verify/spec_fits.h"
#include "verify/static_stages.h"
#include "verify/strengthen.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace ptxwb::verify {

namespace {

constexpr std::string_view whyNotEmulated = "the emulator cannot run it";
constexpr std::array runningStages = {Stage::function, Stage::stress, Stage::sanitize};

std::string backendOf(Stage stage) {
    if (stage == Stage::parse) return "host";
    return stage == Stage::assemble ? "ptxas" : stage == Stage::benchmark ? "" : "emulator";
}

StageResult without(Stage stage, Status status, std::string reason) {
    return {stage, status, backendOf(stage), std::move(reason), 0, {}, 0};
}

/// What one verification gathers, stage by stage.
class Funnel {
public:
    Funnel(const Context& context, const FunnelCallbacks& callbacks) : m_context(context), m_callbacks(callbacks) {}

    Expected<CandidateResult> judge(PtxKernel& kernel, PtxKernel* baseline, bool isBaseline) {
        m_result.candidate = kernel.name;
        m_result.sha256 = sha256Hex(*kernel.module->text);
        m_result.program = PTXWB_VERSION;
        if (auto opened = openGpu(); !opened) return std::unexpected(std::move(opened.error()));
        m_others.emplace(m_context, m_gpu.get(), m_noGpu);
        if (asks(Stage::parse)) emit(parseStage(m_context, kernel, isBaseline ? &kernel : baseline));
        if (doesNotParse(kernel)) {
            skip({Stage::assemble, Stage::function, Stage::stress, Stage::sanitize}, "it does not parse");
        } else {
            if (!kernel.entry) // the parse stage was not asked for, or has passed
                if (auto entry = resolveEntries(kernel, m_context.spec()); !entry) kernel.entry = nullptr;
            if (!assembles(kernel, isBaseline ? nullptr : baseline))
                skip({Stage::function, Stage::stress, Stage::sanitize}, "ptxas refuses it");
            else if (auto ran = run(kernel, baseline, isBaseline); !ran)
                return std::unexpected(std::move(ran.error()));
        }
        if (auto timed = benchmark(kernel, baseline); !timed) return std::unexpected(std::move(timed.error()));
        m_result.assemblers = std::move(*m_others).take();
        m_result.verdict = foldVerdict(m_result.stages);
        m_result.checks = foldChecks(m_result);
        return std::move(m_result);
    }

    /// The stages of an earlier verification of the same, and the benchmark made anew.
    Expected<CandidateResult> takeOver(CandidateResult known, PtxKernel& kernel, PtxKernel* baseline) {
        m_result = std::move(known);
        m_result.fromCache = true;
        const std::vector<CheckOutcome> checks = std::exchange(m_result.checks, {});
        if (m_callbacks.onStage)
            for (const StageResult& stage : m_result.stages) m_callbacks.onStage(stage);
        if (auto opened = openGpu(); !opened) return std::unexpected(std::move(opened.error()));
        if (auto entry = resolveEntries(kernel, m_context.spec()); !entry) kernel.entry = nullptr;
        if (auto timed = benchmark(kernel, baseline); !timed) return std::unexpected(std::move(timed.error()));
        foldAgain(m_result, checks);
        return std::move(m_result);
    }

    const std::string& toolkit() const { return m_toolkit; }

private:
    /// Emits "not asked for" where the plan leaves the stage out.
    bool asks(Stage stage) {
        if (verify::asks(m_context.input.plan, stage)) return true;
        emit(without(stage, Status::skipped, "not asked for"));
        return false;
    }

    const StageResult& emit(StageResult result) {
        m_result.stages.push_back(std::move(result));
        if (m_callbacks.onStage) m_callbacks.onStage(m_result.stages.back());
        return m_result.stages.back();
    }

    void skip(std::initializer_list<Stage> stages, const std::string& reason) {
        for (const Stage stage : stages)
            if (asks(stage)) emit(without(stage, Status::skipped, reason));
    }

    /// A text that computes with too little precision or reads a clock has failed the stage too, but it runs.
    bool doesNotParse(const PtxKernel& kernel) const {
        const StageResult* parse = find(m_result.stages, Stage::parse);
        if (!parse || parse->status != Status::fail) return false;
        return !kernel.entry || std::ranges::any_of(parse->findings, [](const Finding& finding) {
            return finding.check != "precision" && finding.check != "environment";
        });
    }

    /// False where ptxas refuses the text; over the spec's limits is a failure, but it runs.
    bool assembles(const PtxKernel& kernel, const PtxKernel* baseline) {
        if (!asks(Stage::assemble)) return true;
        m_context.progress(Stage::assemble, 0, 1, "");
        Assembled assembled = assembleStage(m_context, kernel);
        m_result.textSha256 = assembled.textSha256;
        m_result.resources = std::move(assembled.resources);
        m_toolkit = assembled.toolkit;
        m_result.occupancy = occupancyOf(m_context, kernel, m_result.resources);
        if (baseline && !m_result.textSha256.empty()) {
            constexpr auto check = "same_machine_code";
            const std::string theirs = machineCodeHash(m_context, *baseline);
            if (theirs == m_result.textSha256 && kernel.header.launch) {
                assembled.stage.checks.push_back(
                    {check, CheckStatus::passed, "the baseline's machine code, launched in another shape"});
            } else if (theirs == m_result.textSha256) {
                m_result.sameMachineCodeAs = baseline->name;
                assembled.stage.checks.push_back(
                    {check, CheckStatus::failed, "ptxas makes the same machine code of it as of the baseline"});
            } else if (!theirs.empty()) {
                assembled.stage.checks.push_back({check, CheckStatus::passed, {}});
            }
        }
        if (m_others && !m_result.textSha256.empty()) m_others->assemble(assembled, kernel);
        const StageResult& stage = emit(std::move(assembled.stage));
        return stage.status != Status::fail || !m_result.textSha256.empty();
    }

    /// A finding that ends function, stress and sanitize before they begin; the first of them that is asked for carries
    /// it.
    void cannotRun(Finding finding, Status status, const std::string& reason) {
        bool carried = false;
        for (const Stage stage : runningStages) {
            if (!asks(stage)) continue;
            StageResult result = without(stage, carried && status == Status::fail ? Status::skipped : status, reason);
            if (!carried) result.findings.push_back(finding);
            carried = true;
            emit(std::move(result));
        }
    }

    /// The GPU, where the plan wants one and there is one. Without one: an error where it must be a GPU, otherwise the
    /// reason is kept.
    Expected<void> openGpu() {
        const Plan& plan = m_context.input.plan;
        m_noGpu = "the emulator was asked for";
        if (plan.backend == Backend::emulator) return {};
        auto opened = m_context.machine.gpu ? m_context.machine.gpu->open(plan.device, m_context.machine.cupti())
                                            : Expected<gpu::Gpu*>(failure(Cause::missing, "this process uses no GPU"));
        if (opened) {
            m_gpu = std::make_unique<GpuExecutor>(m_context, **opened);
            m_result.device = m_gpu->device().name;
            m_result.deviceArch = m_gpu->device().arch();
            m_result.driver = gpu::driverRelease();
            return {};
        }
        m_noGpu = opened.error().message;
        // Device 0 is what nobody chose; another one was named, and must be there.
        if (plan.backend == Backend::gpu || plan.device != 0) return std::unexpected(std::move(opened.error()));
        return {};
    }

    /// Function and stress where the plan says, sanitize on the emulator, which sees every access.
    Expected<void> run(PtxKernel& kernel, PtxKernel* baseline, bool isBaseline) {
        if (auto unfit = whyUnfit(m_context, kernel, baseline)) {
            cannotRun(std::move(unfit->finding), unfit->status, unfit->reason);
            return {};
        }
        const auto unsupported = beyondEmulator(kernel);
        if (!m_gpu && unsupported) {
            cannotRun(*unsupported, Status::inconclusive, std::string(whyNotEmulated));
            return {};
        }
        Executor& executor = m_gpu ? static_cast<Executor&>(*m_gpu) : emulatorExecutor();
        if (auto done = runStages({Stage::function, Stage::stress}, kernel, baseline, isBaseline, executor); !done)
            return done;
        if (unsupported && verify::asks(m_context.input.plan, Stage::sanitize)) {
            StageResult result = without(Stage::sanitize, Status::inconclusive, std::string(whyNotEmulated));
            result.findings.push_back(*unsupported);
            if (auto done = deepen(result, kernel); !done) return done;
            emit(std::move(result));
            return {};
        }
        if (auto done = runStages({Stage::sanitize}, kernel, baseline, isBaseline, emulatorExecutor()); !done)
            return done;
        return strengthen(m_context, kernel, baseline, isBaseline, m_result);
    }

    /// Where the kernel cannot be made ready, its stages say why.
    Expected<void> runStages(std::initializer_list<Stage> stages, PtxKernel& kernel, PtxKernel* baseline,
                             bool isBaseline, Executor& executor) {
        const std::string backend(executor.backend());
        std::optional<Oracle> oracle;
        for (const Stage stage : stages) {
            if (!asks(stage)) continue;
            if (auto ready = executor.prepare(kernel); !ready) {
                emit({stage, Status::inconclusive, backend, ready.error().message, 0, {}, 0});
                continue;
            }
            if (executor.isLost()) {
                emit({stage,
                      Status::skipped,
                      backend,
                      "an earlier launch has taken the device's context down",
                      0,
                      {},
                      0});
                continue;
            }
            if (!oracle) {
                auto made = Oracle::make(m_context, baseline, executor);
                if (!made) return std::unexpected(std::move(made.error()));
                oracle.emplace(std::move(*made));
            }
            auto result = runStage(m_context, stage, Judged{kernel, *oracle, executor, isBaseline});
            if (!result) return std::unexpected(std::move(result.error()));
            if (result->work) m_result.work = std::exchange(result->work, std::nullopt);
            if (stage == Stage::sanitize)
                if (auto done = deepen(*result, kernel); !done) return done;
            if (auto done = m_others->runToo(*result, kernel, *oracle, isBaseline); !done) return done;
            addCudaPlaces(result->findings, *kernel.module);
            emit(std::move(*result));
        }
        return {};
    }

    /// Adds what compute-sanitizer finds; where the emulator could not judge, its word is what the stage rests on.
    Expected<void> deepen(StageResult& result, const PtxKernel& kernel) {
        if (!m_context.input.plan.deep) return {};
        std::vector<std::string> notes;
        if (!m_gpu) {
            notes.push_back("deep checks need a GPU: " + m_noGpu);
        } else {
            auto checks = deepChecks(m_context, kernel);
            if (!checks) return std::unexpected(std::move(checks.error()));
            if (result.status == Status::inconclusive) result.backend = "gpu";
            if (!checks->findings.empty())
                result.status = Status::fail;
            else if (result.status == Status::inconclusive && checks->notes.empty())
                result.status = Status::pass;
            std::ranges::move(checks->findings, std::back_inserter(result.findings));
            notes = std::move(checks->notes);
            notes.push_back(fmt::format("{} of compute-sanitizer's tools on {}", checks->toolsRun, m_result.device));
        }
        for (std::string& note : notes) result.reason += (result.reason.empty() ? "" : "; ") + note;
        return {};
    }

    /// Only what is right is timed.
    Expected<void> benchmark(PtxKernel& kernel, PtxKernel* baseline) {
        if (!asks(Stage::benchmark)) return {};
        const auto skipped = [&](std::string why) {
            emit({Stage::benchmark, Status::skipped, m_gpu ? "gpu" : "", std::move(why), 0, {}, 0});
            return Expected<void>{};
        };
        if (!m_gpu) return skipped("time is only measured on a GPU: " + m_noGpu);
        if (foldVerdict(m_result.stages) == Verdict::fail) return skipped("only what is right is timed");
        if (m_gpu->isLost()) return skipped("an earlier launch has taken the device's context down");
        if (!kernel.entry) return skipped("it has no such entry");
        if (!m_result.sameMachineCodeAs.empty())
            return skipped(
                fmt::format("the same machine code as {}: it takes the same time", m_result.sameMachineCodeAs));
        auto measured = benchmarkStage(m_context, *m_gpu, kernel, baseline && baseline->entry ? baseline : nullptr);
        if (!measured) return std::unexpected(std::move(measured.error()));
        m_result.timing = std::move(measured->timing);
        m_result.speedup = std::move(measured->speedup);
        emit(std::move(measured->stage));
        return {};
    }

    const Context& m_context;
    const FunnelCallbacks& m_callbacks;
    CandidateResult m_result;
    std::unique_ptr<GpuExecutor> m_gpu;
    std::optional<OtherAssemblers> m_others;
    std::string m_noGpu; ///< why there is none
    std::string m_toolkit;
};

} // namespace

Expected<VerifyReport> verifyCandidate(const VerifyInput& input, const Machine& machine, OracleCache& cache,
                                       const FunnelCallbacks& callbacks, std::stop_token stop) {
    const auto progress = [&callbacks](Stage stage, std::uint32_t done, std::uint32_t of, const std::string& what) {
        if (callbacks.onProgress) callbacks.onProgress(stage, done, of, what);
    };
    auto others = otherToolkits(input.plan, stop);
    if (!others) return std::unexpected(std::move(others.error()));
    const Context context{
        input, machine, cache, input.plan.seed.value_or(defaultSeed(input.kernel)), progress, stop, std::move(*others)};
    progress(Stage::parse, 0, 1, "");
    auto baseline = loadBaseline(context);
    if (!baseline) return std::unexpected(std::move(baseline.error()));
    if (!input.candidate && !*baseline)
        return failure(Cause::badRequest, fmt::format("{} has no baseline to verify", input.kernel.spec.name),
                       "name a candidate, or give the spec a `source` or a `baseline`");
    std::optional<PtxKernel> candidate;
    if (input.candidate) {
        candidate = loadPtx(input.kernel.spec, input.candidate->name, input.candidate->file, input.candidate->text);
        if (*baseline)
            if (auto entry = resolveEntries(**baseline, input.kernel.spec); !entry) (*baseline)->entry = nullptr;
    }
    PtxKernel* judgedBaseline = *baseline ? &**baseline : nullptr;
    if (judgedBaseline)
        if (auto fits = specFitsBaseline(context, *judgedBaseline); !fits)
            return std::unexpected(std::move(fits.error()));
    PtxKernel& judged = candidate ? *candidate : *judgedBaseline;
    Funnel funnel(context, callbacks);
    const ResultCache earlier(resultFolder(input.plan, machine));
    const std::string key = resultKey(context);
    if (auto known = earlier.find(key)) {
        auto result = funnel.takeOver(std::move(known->results.front()), judged, judgedBaseline);
        if (!result) return std::unexpected(std::move(result.error()));
        known->results.front() = std::move(*result);
        return std::move(*known);
    }
    auto result = funnel.judge(judged, judgedBaseline, !candidate);
    if (!result) return std::unexpected(std::move(result.error()));
    VerifyReport report;
    report.kernel = input.kernel.spec.name;
    report.arch = architectures(context, *judged.module).front();
    report.toolkit = funnel.toolkit();
    report.seed = context.seed;
    report.results.push_back(std::move(*result));
    earlier.keep(key, report);
    return report;
}

} // namespace ptxwb::verify
