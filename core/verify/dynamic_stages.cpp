#include "verify/dynamic_stages.h"

#include "kernel/sizes.h"
#include "verify/findings.h"
#include "verify/judge_outputs.h"
#include "verify/stage_findings.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::verify {

namespace {

constexpr std::size_t drawnSizesOfStress = 2; ///< sizes that no prompt showed
constexpr unsigned failingRunsLimit = 8;      ///< more of the same tells nothing new
constexpr std::uint64_t repeatSchedule = 0x5EED;
/// A candidate may need this many times the baseline's thread instructions before it counts as hanging.
constexpr std::uint64_t hangFactor = 64;
constexpr std::uint64_t hangFloor = std::uint64_t{1} << 24;

std::unexpected<Diagnostic> cancelled() {
    return failure(Cause::cancelled, "cancelled");
}

class StageRun {
public:
    StageRun(const Context& context, Stage stage, const Judged& judged)
        : m_context(context), m_stage(stage), m_judged(judged), m_findings(context.input.plan.findingLimit) {}

    Expected<StageResult> all() {
        const auto start = std::chrono::steady_clock::now();
        auto runs = plannedRuns();
        if (!runs) {
            // With requirements of its own the candidate may have left no size; without, the spec is wrong.
            if (m_judged.kernel.header.require.empty()) return std::unexpected(std::move(runs.error()));
            add(findingFrom(runs.error(), FindingKind::launch, "require"), {});
            runs.emplace();
        }
        for (std::size_t i = 0; i < runs->size(); ++i) {
            if (m_context.stop.stop_requested()) return cancelled();
            const PlannedRun& run = (*runs)[i];
            m_context.progress(m_stage, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(runs->size()),
                               describeRun(run));
            if (auto done = one(run); !done) return std::unexpected(std::move(done.error()));
            if (m_failingRuns >= failingRunsLimit || m_findings.has(FindingKind::unsupported) ||
                m_judged.executor.isLost())
                break;
        }
        StageResult result{m_stage, Status::pass, std::string(m_judged.executor.backend()), {}, 0, {}, m_launches};
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        conclude(result);
        return result;
    }

private:
    bool compares() const { return m_stage != Stage::sanitize; }

    std::string describeRun(const PlannedRun& run) const {
        return describeSizes(run.sizes) + (run.fill ? fmt::format(", {}", kernel::name(*run.fill)) : "");
    }

    Expected<std::vector<kernel::Symbols>> sizesFor(kernel::Use use) const {
        kernel::SizesOptions options;
        options.require = m_judged.kernel.header.require;
        options.builtins = m_judged.executor.builtins();
        return kernel::sizes(m_context.spec(), use, options);
    }

    Expected<std::vector<PlannedRun>> plannedRuns() const {
        const auto function = sizesFor(kernel::Use::function);
        if (!function) return std::unexpected(function.error());
        if (m_stage == Stage::function) return functionRuns(*function, m_context.seed);
        auto stress = sizesFor(kernel::Use::stress);
        if (!stress) return std::unexpected(stress.error());
        if (m_stage == Stage::sanitize) return sanitizeRuns(*function, *stress, m_context.seed);
        kernel::SizesOptions options;
        options.require = m_judged.kernel.header.require;
        options.builtins = m_judged.executor.builtins();
        const auto drawn = kernel::drawnSizes(m_context.spec(), m_context.seed, drawnSizesOfStress, options);
        if (!drawn) return std::unexpected(drawn.error());
        stress->insert(stress->end(), drawn->begin(), drawn->end());
        return stressRuns(m_context.spec(), *stress, m_context.seed);
    }

    ExecuteOptions optionsFor(const PlannedRun& run, const OracleRun& expected) const {
        ExecuteOptions options;
        options.poison = run.poison;
        options.emulator.initialisation = m_stage == Stage::sanitize;
        options.emulator.races = m_stage == Stage::sanitize;
        options.emulator.seed = run.schedule;
        options.emulator.instructionLimit = m_context.input.plan.instructionLimit;
        if (expected.baselineInstructions > 0 && !m_judged.isBaseline)
            options.emulator.instructionLimit = std::min(
                options.emulator.instructionLimit, std::max(hangFloor, hangFactor * expected.baselineInstructions));
        return options;
    }

    void leaveOut(const std::string& why) {
        if (std::ranges::find(m_leftOut, why) == m_leftOut.end()) m_leftOut.push_back(why);
    }

    Expected<void> one(const PlannedRun& run) {
        const auto* launch = m_judged.kernel.header.launch ? &*m_judged.kernel.header.launch : nullptr;
        const auto data = kernel::buildLaunch(m_context.input.kernel, run.sizes, buildOptions(run, launch));
        if (!data) {
            if (data.error().cause != Cause::rejected) return std::unexpected(data.error());
            add(findingFrom(data.error(), FindingKind::launch, "launch"), run);
            return {};
        }
        if (auto finding = checkLaunch(m_judged.kernel, *data)) {
            add(std::move(*finding), run);
            return {};
        }
        const auto expected = m_judged.oracle.at(run);
        if (!expected) return std::unexpected(expected.error());
        if ((*expected)->tooLarge) {
            leaveOut(fmt::format("{}: the baseline needs more than {} thread instructions, too many for the emulator",
                                 describeRun(run), m_context.input.plan.instructionLimit));
            return {};
        }
        return launchAndJudge(run, *data, **expected);
    }

    Expected<void> launchAndJudge(const PlannedRun& run, const kernel::LaunchData& data, const OracleRun& expected) {
        const ExecuteOptions options = optionsFor(run, expected);
        auto outcome = m_judged.executor.run(m_judged.kernel, data, options, m_context.stop);
        ++m_launches;
        if (!outcome) {
            if (outcome.error().cause != Cause::rejected) return std::unexpected(std::move(outcome.error()));
            add(findingFrom(outcome.error(), FindingKind::launch, "launch"), run);
            return {};
        }
        if (outcome->ended == emulator::Ended::cancelled) return cancelled();
        const bool clean = outcome->completed() && outcome->findings.empty();
        if (!clean) ++m_failingRuns;
        if (compares() && clean) {
            if (!expected.problem.empty()) leaveOut(fmt::format("{}: {}", describeRun(run), expected.problem));
            OutputJudgement judged =
                judgeOutputs(m_context, data, *outcome, m_judged.oracle, expected, m_judged.isBaseline);
            if (!judged.doubt.empty()) doubt(run, judged.doubt);
            if (!judged.findings.empty()) ++m_failingRuns;
            m_judged.executor.explain(judged.findings, m_judged.kernel, data, options, m_context.stop);
            m_findings.add(std::move(judged.findings), m_context.spec(), run);
            if (run.repeat && m_context.spec().deterministic && !data.isEmpty())
                if (auto repeated = repeat(run, data, *outcome, options); !repeated) return repeated;
        }
        m_findings.add(std::move(outcome->findings), m_context.spec(), run);
        return {};
    }

    Expected<void> repeat(const PlannedRun& run, const kernel::LaunchData& data, const LaunchOutcome& first,
                          ExecuteOptions options) {
        options.emulator.seed = repeatSchedule;
        auto second = m_judged.executor.run(m_judged.kernel, data, options, m_context.stop);
        ++m_launches;
        if (!second) return std::unexpected(std::move(second.error()));
        if (second->ended == emulator::Ended::cancelled) return cancelled();
        if (second->completed()) {
            auto differences = compareRepeats(data, first, *second);
            m_judged.executor.explain(differences, m_judged.kernel, data, options, m_context.stop);
            m_findings.add(std::move(differences), m_context.spec(), run);
        }
        m_findings.add(std::move(second->findings), m_context.spec(), run);
        return {};
    }

    /// Under one of the further distributions a doubtful baseline says something about the distribution, not about the
    /// candidate.
    void doubt(const PlannedRun& run, const std::string& why) {
        if (run.fill)
            m_notes.push_back(fmt::format("{} left out: {}", kernel::name(*run.fill), why));
        else
            leaveOut(fmt::format("{}: {}", describeRun(run), why));
    }

    void add(Finding finding, const PlannedRun& run) {
        ++m_failingRuns;
        m_findings.add(std::move(finding), m_context.spec(), run);
    }

    void conclude(StageResult& result) {
        const Oracle& oracle = m_judged.oracle;
        const bool againstItself = m_judged.isBaseline && oracle.kind() == Oracle::Kind::baseline;
        std::vector<std::string> reasons;
        if (m_findings.anyFault())
            result.status = Status::fail;
        else if (m_findings.has(FindingKind::unsupported) || !m_leftOut.empty())
            result.status = Status::inconclusive;
        else if (compares() && (againstItself || oracle.kind() == Oracle::Kind::none))
            result.status = Status::inconclusive;
        if (m_findings.has(FindingKind::unsupported))
            reasons.push_back("the emulator does not support what the kernel uses");
        if (compares() && againstItself)
            reasons.push_back(fmt::format("nothing to compare the baseline with: {}", oracle.why()));
        else if (compares() && oracle.kind() == Oracle::Kind::none)
            reasons.push_back(fmt::format("no baseline and no reference: {}", oracle.why()));
        else if (compares() && oracle.kind() == Oracle::Kind::baseline)
            reasons.push_back(fmt::format("reference: baseline ({})", oracle.why()));
        reasons.insert(reasons.end(), m_leftOut.begin(), m_leftOut.end());
        reasons.insert(reasons.end(), m_notes.begin(), m_notes.end());
        result.reason = fmt::format("{}", fmt::join(reasons, "; "));
        result.findings = m_findings.take();
    }

    const Context& m_context;
    Stage m_stage;
    const Judged& m_judged;
    StageFindings m_findings;
    std::vector<std::string> m_leftOut; ///< runs that could not be judged: the stage cannot pass
    std::vector<std::string> m_notes;
    std::uint32_t m_launches = 0;
    unsigned m_failingRuns = 0;
};

} // namespace

Expected<StageResult> runStage(const Context& context, Stage stage, const Judged& judged) {
    return StageRun(context, stage, judged).all();
}

} // namespace ptxwb::verify
