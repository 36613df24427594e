#include "verify/funnel.h"

#include "gpu/device.h"
#include "gpu/occupancy.h"
#include "kernel/launch_shape.h"
#include "kernel/reference.h"
#include "kernel/sizes.h"
#include "support/environment.h"
#include "support/sha256.h"
#include "verify/baseline.h"
#include "verify/checks.h"
#include "verify/coverage.h"
#include "verify/deep_checks.h"
#include "verify/dynamic_stages.h"
#include "verify/emulated_device.h"
#include "verify/entry.h"
#include "verify/findings.h"
#include "verify/gpu_benchmark.h"
#include "verify/gpu_holder.h"
#include "verify/mutants.h"
#include "verify/result_cache.h"
#include "verify/spec_fits.h"
#include "verify/static_stages.h"

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
        if (auto opened = openGpu(); !opened) return std::unexpected(std::move(opened.error()));
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
        m_result.verdict = foldVerdict(m_result.stages);
        m_result.checks = foldChecks(m_result);
        // What the stages knew of single checks is not kept with them.
        for (CheckOutcome& outcome : m_result.checks) {
            const Check* const check = findCheck(outcome.check);
            if (check && names(check->stages, name(Stage::benchmark))) continue;
            for (const CheckOutcome& before : checks)
                if (before.check == outcome.check) outcome = before;
        }
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

    /// A text that computes with too little precision has failed the stage too, but it runs.
    bool doesNotParse(const PtxKernel& kernel) const {
        const StageResult* parse = find(m_result.stages, Stage::parse);
        if (!parse || parse->status != Status::fail) return false;
        return !kernel.entry || std::ranges::any_of(parse->findings, [](const Finding& finding) {
            return finding.check != "precision";
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
        addOccupancy(kernel);
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
        const StageResult& stage = emit(std::move(assembled.stage));
        return stage.status != Status::fail || !m_result.textSha256.empty();
    }

    void addOccupancy(const PtxKernel& kernel) {
        if (!kernel.entry) return;
        kernel::SizesOptions options;
        options.require = kernel.header.require;
        options.builtins = withDevice({});
        const auto sizes = kernel::sizes(m_context.spec(), kernel::Use::function, options);
        if (!sizes || sizes->empty()) return;
        const auto data = kernel::buildLaunch(
            m_context.input.kernel, sizes->back(),
            {.seed = m_context.seed, .fill = {}, .launch = kernel.header.launch ? &*kernel.header.launch : nullptr});
        if (!data) return;
        const std::uint32_t block = data->block[0] * data->block[1] * data->block[2];
        for (const EntryResources& r : m_result.resources) {
            const auto arch = gpu::architecture(r.arch);
            if (!arch || r.entry != kernel.entry->name) continue;
            const auto figure =
                gpu::occupancy(*arch, {.block = block,
                                       .registers = r.registers,
                                       .sharedStatic = r.staticSharedBytes,
                                       .sharedDynamic = data->sharedBytes,
                                       .barriers = r.barriers,
                                       .cluster = data->cluster[0] * data->cluster[1] * data->cluster[2]});
            if (figure)
                m_result.occupancy.push_back({r.arch, block, figure->blocksPerSm, figure->warpsPerSm, figure->percent,
                                              std::string(name(figure->limiter))});
        }
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

    /// What keeps the kernel from being run at all. True where something was found and emitted.
    bool isUnfit(PtxKernel& kernel, const PtxKernel* baseline) {
        if (const auto features = kernel::unsupportedFeatures(m_context.spec()); !features.empty()) {
            Finding finding = findingFrom(features.front(), FindingKind::unsupported, "spec");
            finding.line = finding.column = finding.length = 0; // that place is in the spec, not in the PTX
            cannotRun(std::move(finding), Status::inconclusive, "the spec asks for what is not supported yet");
            return true;
        }
        if (m_context.spec().inputs && m_context.input.plan.reference == ReferenceTrust::refused) {
            Finding finding;
            finding.kind = FindingKind::unsupported;
            finding.check = "spec";
            finding.message =
                fmt::format("{} makes the inputs, and it was not trusted to run", m_context.spec().inputs->file);
            finding.hint = "read it, then say --trust";
            cannotRun(std::move(finding), Status::inconclusive, "there are no inputs without the spec's host function");
            return true;
        }
        if (!kernel.entry) {
            cannotRun(findingFrom(resolveEntries(kernel, m_context.spec()).error(), FindingKind::launch, "entry"),
                      Status::fail, "it has no such entry");
            return true;
        }
        if (baseline && baseline->entry && baseline != &kernel)
            if (auto finding = compareParameters(*kernel.module, *kernel.entry, parameterPlaces(*baseline->entry),
                                                 "the baseline")) {
                cannotRun(std::move(*finding), Status::fail, "its parameters are not the baseline's");
                return true;
            }
        return false;
    }

    /// What keeps the emulator from running it, as a finding; nothing where it can.
    std::optional<Finding> beyondEmulator(PtxKernel& kernel) const {
        const auto decoded = decodeEntry(kernel);
        if (decoded) return std::nullopt;
        return findingFrom(decoded.error(), FindingKind::unsupported, "emulator");
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
            return {};
        }
        m_noGpu = opened.error().message;
        // Device 0 is what nobody chose; another one was named, and must be there.
        if (plan.backend == Backend::gpu || plan.device != 0) return std::unexpected(std::move(opened.error()));
        return {};
    }

    /// Function and stress where the plan says, sanitize on the emulator, which sees every access.
    Expected<void> run(PtxKernel& kernel, PtxKernel* baseline, bool isBaseline) {
        if (isUnfit(kernel, baseline)) return {};
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
        return strengthen(kernel, baseline, isBaseline);
    }

    /// How much the runs would have noticed; only of what they did not find wrong.
    Expected<void> strengthen(PtxKernel& kernel, PtxKernel* baseline, bool isBaseline) {
        if (m_result.stages.empty() || m_result.stages.back().stage != Stage::sanitize) return {};
        std::vector<CheckOutcome>& checks = m_result.stages.back().checks;
        const auto outcome = [&checks](const char* check, CheckStatus status, std::string reason) {
            checks.push_back({check, status, std::move(reason)});
        };
        if (m_result.stages.back().status != Status::pass || foldVerdict(m_result.stages) == Verdict::fail) {
            for (const auto* check : {"coverage", "mutants"})
                outcome(check, CheckStatus::notRun, "only of what the other checks find right");
            return {};
        }
        auto strength = measureCoverage(m_context, kernel);
        if (!strength) {
            if (strength.error().cause == Cause::cancelled) return std::unexpected(std::move(strength.error()));
            outcome("coverage", CheckStatus::notRun, strength.error().message);
            return {};
        }
        const auto figures =
            fmt::format("{} of {} instructions reached, {} of {} ways of branches taken", strength->reached,
                        strength->instructions, strength->waysTaken, strength->branchWays);
        if (strength->unreached.empty())
            outcome("coverage", CheckStatus::passed, figures);
        else
            outcome("coverage", CheckStatus::failed,
                    fmt::format("{}; line {}: {}", figures, strength->unreached.front().line,
                                strength->unreached.front().what));
        if (!m_context.input.plan.deep) {
            outcome("mutants", CheckStatus::notRun, "deep checks were not asked for");
        } else if (isBaseline) {
            outcome("mutants", CheckStatus::notRun, "mutants are made of candidates, not of the baseline");
        } else {
            auto oracle = Oracle::make(m_context, baseline, emulatorExecutor());
            if (!oracle) return std::unexpected(std::move(oracle.error()));
            if (auto done = killMutants(m_context, Judged{kernel, *oracle, emulatorExecutor(), false}, *strength);
                !done)
                return done;
            const auto killed = fmt::format("{} of {} mutants were noticed", strength->killed, strength->mutants);
            if (strength->survivors.empty())
                outcome("mutants", CheckStatus::passed, killed);
            else
                outcome("mutants", CheckStatus::failed,
                        fmt::format("{}; not line {}: {}", killed, strength->survivors.front().line,
                                    strength->survivors.front().what));
        }
        m_result.strength = std::move(*strength);
        return {};
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
            if (auto done = alsoByDriver(*result, kernel, *oracle, isBaseline); !done) return done;
            addCudaPlaces(result->findings, *kernel.module);
            emit(std::move(*result));
        }
        return {};
    }

    /// What ships as PTX is compiled by the driver where it runs: how that runs counts too. It has been seen that one
    /// compiler made a right program of a text and another a wrong one.
    Expected<void> alsoByDriver(StageResult& result, PtxKernel& kernel, Oracle& oracle, bool isBaseline) {
        if (m_context.spec().shipsAs != kernel::ShipsAs::ptx || result.stage == Stage::sanitize) return {};
        const auto note = [&result](const std::string& text) {
            result.reason += (result.reason.empty() ? "" : "; ") + text;
        };
        if (!m_gpu) {
            note("it ships as PTX, and the compiler of the driver was not tried: " + m_noGpu);
            return {};
        }
        if (result.status == Status::fail || m_gpu->isLost()) return {}; // judged already
        if (!m_byDriver)
            m_byDriver = std::make_unique<GpuExecutor>(m_context, m_gpu->gpu(), GpuExecutor::Compiler::driver);
        const std::string release = gpu::driverRelease();
        if (auto ready = m_byDriver->prepare(kernel); !ready) {
            Finding finding = findingFrom(ready.error(), FindingKind::assembler, "driver");
            finding.message = fmt::format("the driver ({}) does not take the PTX: {}", release, finding.message);
            finding.hint = "ship a cubin, or write for the PTX version that this driver knows";
            result.status = Status::fail;
            result.findings.push_back(std::move(finding));
            return {};
        }
        auto again = runStage(m_context, result.stage, Judged{kernel, oracle, *m_byDriver, isBaseline});
        if (!again) return std::unexpected(std::move(again.error()));
        if (again->status == Status::fail || result.status == Status::pass) result.status = again->status;
        result.runs += again->runs;
        result.seconds += again->seconds;
        for (Finding& finding : again->findings) {
            finding.message = "as the driver compiles it: " + finding.message;
            result.findings.push_back(std::move(finding));
        }
        note(fmt::format("also as the driver compiles it ({})", release));
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
    std::unique_ptr<GpuExecutor> m_gpu, m_byDriver;
    std::string m_noGpu; ///< why there is none
    std::string m_toolkit;
};

/// Where earlier results are; empty where the plan or the person wants none (PTXWB_RESULT_CACHE=off).
std::filesystem::path resultFolder(const Plan& plan, const Machine& machine) {
    if (!plan.useCache || environmentVariable("PTXWB_RESULT_CACHE") == "off") return {};
    return machine.cacheFolder.empty() ? kernel::defaultCacheFolder() : std::filesystem::path(machine.cacheFolder);
}

} // namespace

Expected<VerifyReport> verifyCandidate(const VerifyInput& input, const Machine& machine, OracleCache& cache,
                                       const FunnelCallbacks& callbacks, std::stop_token stop) {
    const auto progress = [&callbacks](Stage stage, std::uint32_t done, std::uint32_t of, const std::string& what) {
        if (callbacks.onProgress) callbacks.onProgress(stage, done, of, what);
    };
    const Context context{input, machine, cache, input.plan.seed.value_or(defaultSeed(input.kernel)), progress, stop};
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
