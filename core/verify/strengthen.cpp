#include "verify/strengthen.h"

#include "verify/coverage.h"
#include "verify/dynamic_stages.h"
#include "verify/mutants.h"

#include <fmt/format.h>

namespace ptxwb::verify {

Expected<void> strengthen(const Context& context, PtxKernel& kernel, PtxKernel* baseline, bool isBaseline,
                          CandidateResult& result) {
    if (result.stages.empty() || result.stages.back().stage != Stage::sanitize) return {};
    std::vector<CheckOutcome>& checks = result.stages.back().checks;
    const auto outcome = [&checks](const char* check, CheckStatus status, std::string reason) {
        checks.push_back({check, status, std::move(reason)});
    };
    if (result.stages.back().status != Status::pass || foldVerdict(result.stages) == Verdict::fail) {
        for (const auto* check : {"coverage", "mutants"})
            outcome(check, CheckStatus::notRun, "only of what the other checks find right");
        return {};
    }
    auto strength = measureCoverage(context, kernel);
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
    if (!context.input.plan.deep) {
        outcome("mutants", CheckStatus::notRun, "deep checks were not asked for");
    } else if (isBaseline) {
        outcome("mutants", CheckStatus::notRun, "mutants are made of candidates, not of the baseline");
    } else {
        auto oracle = Oracle::make(context, baseline, emulatorExecutor());
        if (!oracle) return std::unexpected(std::move(oracle.error()));
        if (auto done = killMutants(context, Judged{kernel, *oracle, emulatorExecutor(), false}, *strength); !done)
            return done;
        const auto killed = fmt::format("{} of {} mutants were noticed", strength->killed, strength->mutants);
        if (strength->survivors.empty())
            outcome("mutants", CheckStatus::passed, killed);
        else
            outcome("mutants", CheckStatus::failed,
                    fmt::format("{}; not line {}: {}", killed, strength->survivors.front().line,
                                strength->survivors.front().what));
    }
    result.strength = std::move(*strength);
    return {};
}

} // namespace ptxwb::verify
