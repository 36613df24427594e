#include "verify/launch_rows.h"

#include "verify/findings.h"
#include "verify/judge_outputs.h"
#include "verify/planned_launch.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

bool isNamed(const kernel::KernelSpec& spec, std::string_view variable) {
    return std::ranges::find(spec.globals, variable, &kernel::GlobalVariable::name) != spec.globals.end();
}

/// One launch of the row.
struct Step {
    bool isSmall = true;
    bool secondSeed = false, otherAddresses = false;
    std::string_view check; ///< what its failure shows
    std::string_view what;
};

constexpr std::string_view fresh = "fresh_inputs", every = "every_launch";
constexpr auto row = std::to_array<Step>({
    {true, false, false, every, "the first"},
    {true, false, false, every, "the same again"},
    {true, true, false, fresh, "new values at the same addresses"},
    {true, true, true, fresh, "the same values at other addresses"},
    {true, false, true, fresh, "the first values at other addresses"},
    {true, false, false, every, "the first again"},
    {true, false, false, every, "the first again"},
    {true, false, false, every, "the first again"},
    {true, true, false, fresh, "new values at the same addresses"},
    {false, false, false, every, "another size"},
    {false, true, false, fresh, "new values at the same addresses"},
    {false, true, false, every, "the same again"},
});

} // namespace

bool canRemember(const Context& context, const PtxKernel& kernel) {
    return std::ranges::any_of(moduleVariables(*kernel.module), [&](const ptx::Variable* variable) {
        return variable->space == ptx::StateSpace::global && !isNamed(context.spec(), variable->name);
    });
}

std::vector<Finding> stateLeftBehind(const Context& context, const Judged& judged, const kernel::LaunchData& data,
                                     const LaunchOutcome& outcome, const ExecuteOptions& options) {
    std::vector<Finding> findings;
    ExecuteOptions watching = options;
    for (const auto& [name, after] : outcome.variables) {
        const auto before = outcome.variablesBefore.find(name);
        if (before == outcome.variablesBefore.end() || isNamed(context.spec(), name)) continue;
        const auto [was, is] = std::ranges::mismatch(before->second, after);
        if (is == after.end()) continue;
        Finding& finding = findings.emplace_back();
        finding.kind = FindingKind::nondeterministic;
        finding.check = "module_state";
        finding.argument = name;
        finding.address = static_cast<std::uint64_t>(is - after.begin());
        finding.message = fmt::format("leaves something behind in the module variable {} (byte {} was {}, is {}): a "
                                      "later launch can answer from it",
                                      name, *finding.address, *was, *is);
        finding.hint = "a launch must depend on its inputs alone: set the variable back before the kernel ends, or "
                       "name it in the spec's `globals` if the host sets it before every launch";
        watching.watchedVariables.push_back({name, *finding.address});
    }
    if (findings.empty()) return findings;
    PtxKernel copy = judged.kernel;
    if (!decodeEntry(copy)) return findings; // lines are the emulator's to tell
    watching.watched.clear();
    const auto again = execute(copy, data, watching, context.stop);
    for (std::size_t i = 0; again && i < findings.size() && i < again->lastWriters.size(); ++i) {
        const auto& writer = again->lastWriters[i];
        if (!writer) continue;
        findings[i].line = writer->line;
        findings[i].column = writer->column;
        findings[i].length = writer->length;
        findings[i].block = writer->block;
        findings[i].thread = writer->thread;
    }
    addCudaPlaces(findings, *judged.kernel.module);
    return findings;
}

Expected<std::uint32_t> launchInARow(const Context& context, const Judged& judged, const RowOptions& options,
                                     StageFindings& findings, CheckLedger& ledger) {
    const auto* launch = launchOf(judged.kernel);
    VariableContents kept;
    std::uint32_t made = 0;
    for (const Step& step : row) {
        PlannedRun run{step.isSmall ? options.small : options.middle,
                       std::nullopt,
                       step.secondSeed ? secondSeed(options.seed) : options.seed,
                       kernel::Poison::first,
                       0,
                       false,
                       step.check};
        const auto data = plannedLaunch(context, run, launch);
        if (!data) return std::unexpected(data.error());
        const auto expected = judged.oracle.at(run);
        if (!expected) return std::unexpected(expected.error());
        if ((*expected)->tooLarge || !(*expected)->problem.empty()) {
            for (const auto check : {fresh, every}) ledger.left(check, (*expected)->problem);
            return made;
        }
        ExecuteOptions execute = options.execute;
        execute.variables = kept;
        execute.otherAddresses = step.otherAddresses;
        auto outcome = judged.executor.run(judged.kernel, *data, execute, context.stop);
        if (!outcome) return std::unexpected(std::move(outcome.error()));
        ++made;
        if (outcome->ended == emulator::Ended::cancelled) return failure(Cause::cancelled, "cancelled");
        std::vector<Finding> found = std::move(outcome->findings);
        if (outcome->completed() && found.empty()) {
            auto judgement = judgeOutputs(context, *data, *outcome, judged.oracle, **expected, judged.isBaseline);
            found = std::move(judgement.findings);
            judged.executor.explain(found, judged.kernel, *data, execute, context.stop);
        }
        ledger.made(step.check);
        kept = std::move(outcome->variables);
        if (found.empty() && outcome->completed()) continue;
        for (Finding& finding : found) {
            finding.message =
                fmt::format("launch {} in a row over one loaded module ({}): {}", made, step.what, finding.message);
            finding.check = step.check;
            ledger.failed(step.check, finding.message);
        }
        findings.add(std::move(found), context.spec(), run);
        return made; // what comes after it tells nothing new
    }
    return made;
}

} // namespace ptxwb::verify
