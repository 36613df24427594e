#include "verify/dynamic_stages.h"

#include "kernel/sizes.h"
#include "verify/check_ledger.h"
#include "verify/findings.h"
#include "verify/fitness.h"
#include "verify/judge_outputs.h"
#include "verify/launch_rows.h"
#include "verify/planned_launch.h"
#include "verify/stage_findings.h"
#include "verify/unmade_checks.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::verify {

namespace {

constexpr unsigned failingRunsLimit = 8; ///< more of the same tells nothing new
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
        auto runs = plannedRuns(m_context, m_stage, m_judged.kernel, m_judged.executor);
        if (!runs) {
            // With requirements of its own the candidate may have left no size; without, the spec is wrong.
            if (m_judged.kernel.header.require.empty()) return std::unexpected(std::move(runs.error()));
            add(findingFrom(runs.error(), FindingKind::launch, "require"), {});
            runs.emplace();
        }
        if (m_stage == Stage::sanitize) m_counted = countedSizes();
        if (m_stage == Stage::function)
            if (auto finding = refusedAtBenchmark(m_context, m_judged.kernel, m_judged.executor.builtins())) {
                m_findings.add(std::move(*finding), m_context.spec(), {});
                ++m_failingRuns;
            }
        for (std::size_t i = 0; i < runs->size(); ++i) {
            if (m_context.stop.stop_requested()) return cancelled();
            const PlannedRun& run = (*runs)[i];
            m_context.progress(m_stage, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(runs->size()),
                               describeRun(run));
            const std::uint64_t faults = m_findings.faults();
            m_isLeftOut = false;
            if (auto done = one(run); !done) return std::unexpected(std::move(done.error()));
            m_cases.push_back(caseOf(m_context.spec(), run));
            m_cases.back().status = m_findings.faults() > faults ? CaseStatus::fail
                                    : m_isLeftOut                ? CaseStatus::leftOut
                                                                 : CaseStatus::pass;
            if (m_failingRuns >= failingRunsLimit || m_findings.has(FindingKind::unsupported) ||
                m_judged.executor.isLost())
                break;
        }
        if (compares() && m_launches > 0 && !m_anyLaunched && !m_findings.anyFault() &&
            !m_judged.kernel.header.require.empty())
            add(nothingLeft(), {});
        if (m_stage == Stage::stress && !m_findings.anyFault() && !m_judged.executor.isLost())
            if (auto done = row(*runs); !done) return std::unexpected(std::move(done.error()));
        StageResult result{m_stage,    Status::pass,     std::string(m_judged.executor.backend()), {}, 0, {},
                           m_launches, std::move(m_work)};
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        conclude(result);
        return result;
    }

private:
    bool compares() const { return m_stage != Stage::sanitize; }

    std::string describeRun(const PlannedRun& run) const {
        return describeSizes(run.sizes) + (run.fill ? fmt::format(", {}", kernel::name(*run.fill)) : "") +
               (run.alias ? fmt::format(", {} in the place of {}", run.alias->buffer, run.alias->of) : "") +
               (run.scalarFactor != 1 ? fmt::format(", numbers of scalars times {}", run.scalarFactor) : "");
    }

    const kernel::LaunchOverride* launch() const { return launchOf(m_judged.kernel); }

    /// Those of the one launch whose work is counted: the same for every candidate that takes them, so that candidates
    /// can be compared.
    std::optional<kernel::Symbols> countedSizes() const {
        kernel::SizesOptions options;
        options.require = m_judged.kernel.header.require;
        options.builtins = m_judged.executor.builtins();
        const auto function = kernel::sizes(m_context.spec(), kernel::Use::function, options);
        if (!function || function->empty()) return std::nullopt;
        return function->back();
    }

    ExecuteOptions optionsFor(const PlannedRun& run, const OracleRun& expected) const {
        ExecuteOptions options;
        options.poison = run.poison;
        options.placement = run.placement;
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

    static Finding nothingLeft() {
        Finding finding;
        finding.kind = FindingKind::launch;
        finding.check = "require";
        finding.message = "its own requirements leave only sizes at which nothing is launched";
        finding.hint = "a candidate that holds for no work is none: narrow the sizes less";
        return finding;
    }

    /// A run that says nothing: the stage cannot pass without it, unless nobody has asked for its size.
    void leaveOut(const PlannedRun& run, const std::string& why) {
        m_ledger.left(run.purpose, why);
        m_isLeftOut = true;
        if (run.isGenerated() || run.isSpecial()) return;
        leaveOut(why);
    }

    Expected<void> one(const PlannedRun& run) {
        const auto data = plannedLaunch(m_context, run, launch());
        if (!data) {
            if (data.error().cause != Cause::rejected) {
                if (!run.isGenerated() && !run.alias) return std::unexpected(data.error());
                m_ledger.left(run.purpose, fmt::format("{}: {}", describeRun(run), data.error().message));
                m_isLeftOut = true;
                return {};
            }
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
            leaveOut(run,
                     fmt::format("{}: the baseline needs more than the {} thread instructions that the emulator is "
                                 "given for a launch",
                                 describeRun(run), m_context.input.plan.instructionLimit));
            return {};
        }
        if (run.isGenerated() && compares()) {
            const std::string& why =
                (*expected)->baselineProblem.empty() ? (*expected)->problem : (*expected)->baselineProblem;
            if (!why.empty()) {
                leaveOut(run, fmt::format("{}: {}; say in `require` what the kernel relies on", describeRun(run), why));
                return {};
            }
            if (run.purpose == "large_sizes" && !(*expected)->baseline) {
                leaveOut(run, fmt::format("{}: there is no baseline that would tell how much work that is",
                                          describeRun(run)));
                return {};
            }
            if (auto wrong = baselineIsWrong(*data, **expected); !wrong.empty()) {
                leaveOut(run, fmt::format("{}: the baseline itself is wrong ({})", describeRun(run), wrong));
                return {};
            }
        }
        return launchAndJudge(run, *data, *expected);
    }

    /// What the baseline does wrong against the reference, where both are there; else empty.
    std::string baselineIsWrong(const kernel::LaunchData& data, const OracleRun& expected) const {
        if (m_judged.isBaseline || m_judged.oracle.kind() != Oracle::Kind::reference || !expected.baseline) return {};
        const auto judged = judgeOutputs(m_context, data, *expected.baseline, m_judged.oracle, expected, true);
        return judged.findings.empty() ? judged.doubt : judged.findings.front().message;
    }

    Expected<void> launchAndJudge(const PlannedRun& run, const kernel::LaunchData& data,
                                  const std::shared_ptr<const OracleRun>& expected) {
        const ExecuteOptions options = optionsFor(run, *expected);
        auto outcome = m_judged.executor.run(m_judged.kernel, data, options, m_context.stop);
        ++m_launches;
        if (!outcome) {
            if (outcome.error().cause != Cause::rejected) return std::unexpected(std::move(outcome.error()));
            add(findingFrom(outcome.error(), FindingKind::launch, "launch"), run);
            return {};
        }
        if (outcome->ended == emulator::Ended::cancelled) return cancelled();
        if (m_counted == run.sizes && !m_work && outcome->completed()) {
            auto work = countWork(m_judged.kernel, data, options.emulator.instructionLimit, m_context.stop);
            if (work && *work) m_work = workReport(**work, *m_judged.kernel.module, run.sizes);
        }
        const bool clean = outcome->completed() && outcome->findings.empty();
        if (run.isGenerated() && m_judged.isBaseline && !clean) {
            leaveOutGenerated(run, outcome->findings);
            return {};
        }
        if (!clean) note(run, outcome->findings);
        m_findings.add(outcome->findings, m_context.spec(), run);
        if (!compares() || !clean) return {};
        if (!expected->problem.empty()) {
            leaveOut(run, fmt::format("{}: {}", describeRun(run), expected->problem));
        } else if (run.isSpecial()) {
            judgeSpecialRun(run, data, *outcome, *expected, options);
            return {};
        }
        if (!judgeRun(run, data, *outcome, *expected, options)) return {};
        remember(run, data, *outcome, expected);
        if (run.repeat && m_context.spec().deterministic && !data.isEmpty())
            return repeat(run, data, *outcome, options);
        return {};
    }

    /// Compares the outputs. False where a generated run turned out to say nothing.
    bool judgeRun(const PlannedRun& run, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                  const OracleRun& expected, const ExecuteOptions& options) {
        OutputJudgement judged = judgeOutputs(m_context, data, outcome, m_judged.oracle, expected, m_judged.isBaseline);
        if (run.isGenerated() && (!judged.doubt.empty() || (m_judged.isBaseline && !judged.findings.empty()))) {
            if (judged.doubt.empty())
                leaveOutGenerated(run, judged.findings);
            else
                leaveOut(run, fmt::format("{}: {}", describeRun(run), judged.doubt));
            return false;
        }
        if (!judged.doubt.empty()) doubt(run, judged.doubt);
        m_judged.executor.explain(judged.findings, m_judged.kernel, data, options, m_context.stop);
        auto state = stateLeftBehind(m_context, m_judged, data, outcome, options);
        m_ledger.made("module_state");
        for (const auto check : {"written", "inputs", "padding"}) m_ledger.made(check);
        if (!m_context.spec().globals.empty()) m_ledger.made("globals");
        if (judged.wasCompared) m_ledger.made("compare");
        if (m_judged.oracle.kind() != Oracle::Kind::none && judged.doubt.empty() && expected.problem.empty())
            for (const std::string_view check : {std::string_view("elements"), std::string_view("finite"), run.purpose})
                if (!m_context.spec().compare || check == run.purpose) m_ledger.made(check);
        if (!data.isEmpty()) m_anyLaunched = true;
        if (run.scalarFactor != 1)
            for (Finding& finding : judged.findings)
                finding.message =
                    fmt::format("with the numbers of scalars times {}: {}", run.scalarFactor, finding.message);
        note(run, judged.findings);
        for (const Finding& finding : state) m_ledger.failed(finding.check, finding.message);
        if (!state.empty()) ++m_failingRuns;
        m_findings.add(std::move(judged.findings), m_context.spec(), run);
        m_findings.add(std::move(state), m_context.spec(), run);
        return true;
    }

    void judgeSpecialRun(const PlannedRun& run, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                         const OracleRun& expected, const ExecuteOptions& options) {
        OutputJudgement judged =
            judgeSpecials(m_context, data, outcome, m_judged.oracle, expected, m_judged.isBaseline);
        m_isLeftOut = !judged.wasCompared;
        if (!judged.wasCompared) return m_ledger.left(run.purpose, judged.doubt);
        if (judged.doubt.empty())
            m_ledger.made(run.purpose);
        else
            m_ledger.made(run.purpose, "some elements left out: " + judged.doubt);
        if (m_judged.isBaseline && !judged.findings.empty())
            return m_ledger.left(run.purpose, judged.findings.front().message);
        m_judged.executor.explain(judged.findings, m_judged.kernel, data, options, m_context.stop);
        note(run, judged.findings);
        m_findings.add(std::move(judged.findings), m_context.spec(), run);
    }

    /// The baseline itself is wrong at a size that the spec does not list: that says that the spec lacks a requirement.
    void leaveOutGenerated(const PlannedRun& run, const std::vector<Finding>& findings) {
        leaveOut(run, fmt::format("{}: the baseline itself is wrong ({}); say in `require` what it relies on",
                                  describeRun(run),
                                  findings.empty() ? std::string("it did not complete") : findings.front().message));
    }

    /// One failing run, for the checks that it stands for.
    void note(const PlannedRun& run, const std::vector<Finding>& findings) {
        if (findings.empty()) return;
        ++m_failingRuns;
        if (findings.front().kind == FindingKind::unsupported) return;
        if (compares()) m_ledger.failed(run.purpose, findings.front().message);
    }

    /// Whether the output follows the input: two runs of one size with different seeds.
    void remember(const PlannedRun& run, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                  const std::shared_ptr<const OracleRun>& expected) {
        if (m_stage != Stage::stress || run.fill || run.alias || data.isEmpty() || !expected->problem.empty()) return;
        const auto known = m_earlier.find(run.sizes);
        if (known == m_earlier.end()) {
            m_earlier.emplace(run.sizes, Earlier{run.seed, outcome, expected});
            return;
        }
        if (known->second.seed == run.seed) return;
        m_ledger.made("input_dependence");
        auto finding = sameWhateverTheInput(data, known->second.outcome, *known->second.expected, outcome, *expected);
        if (!finding) return;
        m_ledger.failed("input_dependence", finding->message);
        m_findings.add(std::move(*finding), m_context.spec(), run);
    }

    /// Launches in a row, where the module has something to remember with.
    Expected<void> row(const std::vector<PlannedRun>& runs) {
        constexpr auto checks = std::to_array<std::string_view>({"fresh_inputs", "every_launch"});
        if (!canRemember(m_context, m_judged.kernel)) {
            for (const auto check : checks)
                m_ledger.made(check, "its module has no variable that a launch could leave something in");
            return {};
        }
        std::vector<kernel::Symbols> sizes;
        for (const PlannedRun& run : runs)
            if (run.purpose == "sizes") sizes.push_back(run.sizes);
        std::erase_if(sizes, [&](const kernel::Symbols& each) {
            PlannedRun run;
            run.sizes = each;
            const auto data = kernel::buildLaunch(m_context.input.kernel, each, buildOptions(run, launch()));
            return !data || data->isEmpty();
        });
        if (sizes.empty()) {
            for (const auto check : checks) m_ledger.left(check, "every size makes an empty launch");
            return {};
        }
        std::ranges::stable_sort(sizes, {},
                                 [&](const kernel::Symbols& each) { return kernel::extentOf(m_context.spec(), each); });
        RowOptions options{sizes.front(), sizes[sizes.size() / 2], optionsFor({}, {}), m_context.seed};
        auto made = launchInARow(m_context, m_judged, options, m_findings, m_ledger);
        if (!made) return std::unexpected(std::move(made.error()));
        m_launches += *made;
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
            m_ledger.made("repeat");
            if (!differences.empty()) m_ledger.failed("repeat", differences.front().message);
            m_judged.executor.explain(differences, m_judged.kernel, data, options, m_context.stop);
            m_findings.add(std::move(differences), m_context.spec(), run);
        }
        m_findings.add(std::move(second->findings), m_context.spec(), run);
        return {};
    }

    /// Under one of the further distributions a doubtful baseline says something about the distribution, not about the
    /// candidate.
    void doubt(const PlannedRun& run, const std::string& why) {
        m_ledger.left(run.purpose, why);
        m_isLeftOut = true;
        if (run.fill)
            m_notes.push_back(fmt::format("{} left out: {}", kernel::name(*run.fill), why));
        else
            leaveOut(fmt::format("{}: {}", describeRun(run), why));
    }

    void add(Finding finding, const PlannedRun& run) {
        note(run, {finding});
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
        if (compares()) sayWhyNotMade(m_ledger, m_context.spec(), m_stage, oracle.kind(), againstItself);
        result.checks = m_ledger.outcomes();
        result.findings = m_findings.take();
        result.cases = std::move(m_cases);
    }

    struct Earlier {
        std::uint64_t seed = 0;
        LaunchOutcome outcome;
        std::shared_ptr<const OracleRun> expected;
    };

    const Context& m_context;
    Stage m_stage;
    const Judged& m_judged;
    StageFindings m_findings;
    CheckLedger m_ledger;
    std::map<kernel::Symbols, Earlier> m_earlier; ///< the first run of each size
    std::vector<std::string> m_leftOut;           ///< runs that could not be judged: the stage cannot pass
    std::vector<std::string> m_notes;
    std::optional<kernel::Symbols> m_counted; ///< sizes whose work is counted
    std::optional<WorkReport> m_work;
    std::uint32_t m_launches = 0;
    unsigned m_failingRuns = 0;
    bool m_anyLaunched = false; ///< a launch of at least one block was compared
    std::vector<RunCase> m_cases;
    bool m_isLeftOut = false; ///< the run that is made says nothing
};

} // namespace

Expected<StageResult> runStage(const Context& context, Stage stage, const Judged& judged) {
    return StageRun(context, stage, judged).all();
}

} // namespace ptxwb::verify
