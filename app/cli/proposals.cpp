#include "proposals.h"

#include "support/finding_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace fs = std::filesystem;
using nlohmann::json;

Expected<fs::path> makeProposalsFolder(const std::string& kernel, const std::string& where) {
    const fs::path parent = fs::path(where) / (kernel + ".proposals");
    std::error_code error;
    fs::create_directories(parent, error);
    for (unsigned number = 1; !error && number < 100'000; ++number) {
        const fs::path folder = parent / fmt::format("{:03}", number);
        if (fs::create_directory(folder, error)) return folder;
    }
    return failure(Cause::badRequest,
                   fmt::format("{}: no folder for the candidates can be made: {}", parent.string(), error.message()),
                   "name another place: -o DIR");
}

std::string withOrigin(const std::string& ptx, const std::string& origin) {
    return fmt::format("//@ origin {}\n{}", origin, ptx);
}

json toJson(const llm::Attempt& attempt, const json& result, const std::string& file) {
    json problems = json::array();
    for (const Diagnostic& problem : attempt.problems) problems.push_back(toJson(problem));
    return {{"name", attempt.name},
            {"candidate", attempt.candidate},
            {"round", attempt.round},
            {"parent", attempt.parent.empty() ? json(nullptr) : json(attempt.parent)},
            {"prompt_sha256", attempt.promptSha256.empty() ? json(nullptr) : json(attempt.promptSha256)},
            {"provider", attempt.provider},
            {"model", attempt.model},
            {"file", file.empty() ? json(nullptr) : json(file)},
            {"title", attempt.title},
            {"notes", attempt.notes},
            {"problems", std::move(problems)},
            {"region", attempt.region ? json{attempt.region->firstLine, attempt.region->lastLine} : json(nullptr)},
            {"verdict", attempt.outcome ? json(attempt.outcome->verdict) : json(nullptr)},
            {"better", attempt.isBetter},
            {"result", result}};
}

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

} // namespace ptxwb::cli
