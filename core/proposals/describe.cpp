#include "proposals/describe.h"

#include <fmt/format.h>

namespace ptxwb::proposals {

std::string describe(const llm::Attempt& attempt) {
    if (!attempt.outcome) {
        if (attempt.problems.empty()) return "not judged";
        const Diagnostic& problem = attempt.problems.front();
        return fmt::format("{}{}", attempt.ptx.empty() ? "nothing usable: " : "not judged: ", problem.message);
    }
    const llm::Outcome& outcome = *attempt.outcome;
    const std::string figures = llm::figuresText(outcome);
    if (const llm::StageOutcome* failed = outcome.firstFailure()) {
        std::string text = fmt::format("failed at {}", failed->stage);
        if (!failed->findings.empty()) {
            const Finding& finding = failed->findings.front();
            text += fmt::format(": {}{}", finding.message,
                                finding.line == 0 ? std::string{} : fmt::format(" (line {})", finding.line));
        }
        return text;
    }
    std::string text =
        outcome.passed() ? (attempt.isBetter ? "passed, better than the baseline" : "passed") : outcome.verdict;
    if (!outcome.passed())
        for (const llm::StageOutcome& stage : outcome.stages)
            if (stage.status == "inconclusive" || (stage.status == "skipped" && stage.stage != "benchmark")) {
                text += fmt::format(" ({}: {})", stage.stage, stage.reason);
                break;
            }
    if (outcome.speedup)
        text += fmt::format(", {} ({:.3f} times, {:.3f} to {:.3f})", outcome.speedup->call, outcome.speedup->ratio,
                            outcome.speedup->low, outcome.speedup->high);
    return figures.empty() ? text : text + ": " + figures;
}

} // namespace ptxwb::proposals
