#include "verify/replay.h"

#include "ptx/check.h"
#include "verify/baseline.h"
#include "verify/dynamic_stages.h"
#include "verify/emulated_device.h"
#include "verify/judge_outputs.h"
#include "verify/planned_launch.h"
#include "verify/spec_fits.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

bool isSame(const RunCase& a, const RunCase& b) {
    return a.set == b.set && a.fill == b.fill && a.seed == b.seed && a.asAllocated == b.asAllocated &&
           (b.purpose.empty() || a.purpose == b.purpose);
}

/// The stages' own run, else one that is made from the case.
Expected<PlannedRun> planned(const Context& context, const PtxKernel& kernel, const RunCase& wanted) {
    for (const Stage stage : {Stage::function, Stage::stress, Stage::sanitize}) {
        const auto runs = plannedRuns(context, stage, kernel, emulatorExecutor());
        if (!runs) return std::unexpected(runs.error());
        for (const PlannedRun& run : *runs)
            if (isSame(caseOf(context.spec(), run), wanted)) return run;
    }
    PlannedRun run;
    for (const kernel::SymbolSizes& symbol : context.spec().symbols) {
        const auto size = wanted.set.find(symbol.name);
        if (size == wanted.set.end())
            return failure(Cause::badRequest, fmt::format("the case does not say how large {} is", symbol.name),
                           "verify again, and replay one of its cases");
        run.sizes[symbol.name] = size->second;
    }
    run.sizes = withDevice(std::move(run.sizes));
    run.seed = wanted.seed;
    if (wanted.asAllocated) run.placement = Placement::asAllocated;
    if (fillName(context.spec(), run) != wanted.fill && !wanted.fill.empty()) {
        run.fill = kernel::fillKind(wanted.fill);
        if (!run.fill)
            return failure(Cause::badRequest, fmt::format("unknown fill \"{}\"", wanted.fill),
                           "verify again, and replay one of its cases");
    }
    return run;
}

Expected<PtxKernel> loadJudged(const VerifyInput& input, std::optional<PtxKernel>& baseline) {
    if (!input.candidate && !baseline)
        return failure(Cause::badRequest, fmt::format("{} has no baseline to run", input.kernel.spec.name));
    PtxKernel kernel = input.candidate ? loadPtx(input.kernel.spec, input.candidate->name, input.candidate->file,
                                                 input.candidate->text)
                                       : *baseline;
    for (Diagnostic& diagnostic : ptx::check(*kernel.module)) {
        if (diagnostic.severity != Severity::error) continue;
        diagnostic.cause = Cause::rejected;
        return std::unexpected(std::move(diagnostic));
    }
    if (kernel.headerProblem) return std::unexpected(std::move(*kernel.headerProblem));
    if (auto entry = resolveEntries(kernel, input.kernel.spec); !entry)
        return std::unexpected(std::move(entry.error()));
    if (auto ready = emulatorExecutor().prepare(kernel); !ready) return std::unexpected(std::move(ready.error()));
    return kernel;
}

void compareOutputs(const Context& context, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                    const Oracle& oracle, const OracleRun& expected, bool isSpecial, ReplayReport& report) {
    const bool isBaseline = !context.input.candidate;
    report.reference = oracle.kind() == Oracle::Kind::reference  ? "reference"
                       : oracle.kind() == Oracle::Kind::baseline ? fmt::format("baseline ({})", oracle.why())
                                                                 : "";
    if (!outcome.completed()) {
        report.notCompared = "the launch did not complete";
        return;
    }
    if (oracle.kind() == Oracle::Kind::none || (isBaseline && oracle.kind() == Oracle::Kind::baseline)) {
        report.notCompared = "there is nothing to compare with";
        return;
    }
    if (!expected.problem.empty()) {
        report.notCompared = expected.problem;
        return;
    }
    WrongElements wrong;
    OutputJudgement judged = isSpecial ? judgeSpecials(context, data, outcome, oracle, expected, isBaseline)
                                       : judgeOutputs(context, data, outcome, oracle, expected, isBaseline, &wrong);
    std::ranges::move(judged.findings, std::back_inserter(report.findings));
    if (isSpecial)
        report.notCompared = "under NaN and infinities only the kind of each element is compared";
    else if (context.spec().compare)
        report.notCompared = "the spec's own `compare` decides about the outputs as a whole";
    for (std::size_t i = 0; i < wrong.size(); ++i)
        if (!wrong[i].empty()) report.outputs.push_back(mapOf(data.buffers[i].name, data.buffers[i].shape, wrong[i]));
}

} // namespace

OutputMap mapOf(std::string argument, std::vector<std::uint64_t> shape, const std::vector<std::uint8_t>& wrong) {
    OutputMap map;
    map.argument = std::move(argument);
    map.elements = wrong.size();
    if (wrong.empty()) return map;
    const auto cover = [](std::uint64_t count, std::uint64_t by) { return (count + by - 1) / by; };
    if (shape.size() > 1) {
        map.width = shape.back();
        map.cellWidth = cover(map.width, mostCells);
        map.cellHeight = cover(cover(map.elements, map.width), mostCells);
    } else {
        // A vector is broken into rows of a warp's elements, or of as many as a square picture takes.
        map.cellWidth = cover(map.elements, std::uint64_t{mostCells} * mostCells);
        std::uint64_t columns = 32;
        while (columns < mostCells && columns * columns * map.cellWidth < map.elements) columns *= 2;
        map.width = map.cellWidth * columns;
    }
    map.shape = std::move(shape);
    map.columns = std::uint32_t(cover(std::min(map.width, map.elements), map.cellWidth));
    map.rows = std::uint32_t(cover(cover(map.elements, map.width), map.cellHeight));
    map.cells.resize(std::size_t{map.columns} * map.rows);
    for (std::uint64_t i = 0; i < wrong.size(); ++i) {
        if (wrong[i] == 0) continue;
        ++map.wrong;
        const std::uint64_t row = i / map.width / map.cellHeight, column = i % map.width / map.cellWidth;
        ++map.cells[row * map.columns + column];
    }
    return map;
}

Expected<ReplayReport> replay(const VerifyInput& input, const RunCase& wanted, const Machine& machine,
                              OracleCache& cache, std::stop_token stop) {
    const Context context{input,
                          machine,
                          cache,
                          input.plan.seed.value_or(defaultSeed(input.kernel)),
                          [](Stage, std::uint32_t, std::uint32_t, const std::string&) {},
                          stop};
    auto baseline = loadBaseline(context);
    if (!baseline) return std::unexpected(std::move(baseline.error()));
    if (*baseline) {
        if (auto entry = resolveEntries(**baseline, input.kernel.spec); !entry) (*baseline)->entry = nullptr;
        if (auto fits = specFitsBaseline(context, **baseline); !fits) return std::unexpected(std::move(fits.error()));
    }
    const auto kernel = loadJudged(input, *baseline);
    if (!kernel) return std::unexpected(kernel.error());
    const auto run = planned(context, *kernel, wanted);
    if (!run) return std::unexpected(run.error());
    const auto data = plannedLaunch(context, *run, kernel->header.launch ? &*kernel->header.launch : nullptr);
    if (!data) return std::unexpected(data.error());

    ReplayReport report;
    report.run = caseOf(context.spec(), *run);
    if (auto finding = checkLaunch(*kernel, *data)) {
        report.notCompared = "the launch is refused";
        report.findings.push_back(std::move(*finding));
        return report;
    }
    ExecuteOptions options;
    options.poison = run->poison;
    options.placement = run->placement;
    options.emulator.initialisation = true;
    options.emulator.races = true;
    options.emulator.seed = run->schedule;
    options.emulator.instructionLimit = input.plan.instructionLimit;
    auto outcome = execute(*kernel, *data, options, stop);
    if (!outcome) return std::unexpected(std::move(outcome.error()));
    if (outcome->ended == emulator::Ended::cancelled) return failure(Cause::cancelled, "cancelled");
    report.completed = outcome->completed();
    report.findings = outcome->findings;

    auto oracle = Oracle::make(context, *baseline && (*baseline)->entry ? &**baseline : nullptr, emulatorExecutor());
    if (!oracle) return std::unexpected(std::move(oracle.error()));
    const auto expected = oracle->at(*run);
    if (!expected) return std::unexpected(expected.error());
    compareOutputs(context, *data, *outcome, *oracle, **expected, run->isSpecial(), report);
    emulatorExecutor().explain(report.findings, *kernel, *data, options, stop);
    report.run.status = report.findings.empty() ? CaseStatus::pass : CaseStatus::fail;
    for (Finding& finding : report.findings) {
        finding.set = report.run.set;
        if (finding.fill.empty()) finding.fill = report.run.fill;
        if (!finding.seed) finding.seed = report.run.seed;
        finding.asAllocated = report.run.asAllocated;
    }
    return report;
}

} // namespace ptxwb::verify
