#include "lesson/judge.h"

#include "lesson/metrics.h"
#include "verify/run_plan.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace ptxwb::lesson {

namespace {

using verify::Stage;
using verify::Status;

/// Without case and blanks.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (!std::isspace(static_cast<unsigned char>(c)))
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::map<std::string, std::pair<std::string, std::uint32_t>> answersOf(const std::string& text) {
    std::map<std::string, std::pair<std::string, std::uint32_t>> answers;
    std::uint32_t number = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        const std::string line = text.substr(from, to - from);
        from = to + 1;
        ++number;
        const std::size_t colon = line.find(':');
        if (line.starts_with("#") || colon == std::string::npos) continue;
        answers[plain(line.substr(0, colon))] = {line.substr(colon + 1), number};
    }
    return answers;
}

GoalResult answerResult(const Question& question,
                        const std::map<std::string, std::pair<std::string, std::uint32_t>>& answers) {
    GoalResult result{question.id, GoalStatus::missed, {}, 0};
    const auto given = answers.find(plain(question.id));
    if (given == answers.end() || plain(given->second.first).empty()) {
        result.message = fmt::format("there is no answer: write a line \"{}: ...\"", question.id);
        return result;
    }
    result.line = given->second.second;
    const std::string answer = plain(given->second.first);
    if (std::ranges::any_of(question.accept, [&](const std::string& right) { return plain(right) == answer; }))
        result.status = GoalStatus::met;
    else
        result.message = fmt::format("\"{}\" is not right", given->second.first.substr(0, 80));
    return result;
}

/// The kernel with the hidden sizes among those of stress. What is measured is the spec's last function size.
kernel::Kernel withHiddenSizes(const Lesson& lesson, const JudgeOptions& options) {
    kernel::Kernel kernel = *lesson.kernel;
    for (kernel::SymbolSizes& symbol : kernel.spec.symbols)
        for (const auto* sizes : {&lesson.hidden, &options.sizes})
            if (const auto more = sizes->find(symbol.name); more != sizes->end())
                symbol.stress.insert(symbol.stress.end(), more->second.begin(), more->second.end());
    return kernel;
}

std::string firstWords(const verify::StageResult& stage) {
    if (stage.findings.empty()) return fmt::format("{}: {}", name(stage.stage), stage.reason);
    const Finding& finding = stage.findings.front();
    return fmt::format("{}: {}{}", name(stage.stage), finding.message,
                       finding.set.empty()
                           ? ""
                           : fmt::format(" ({})", verify::describeSizes({finding.set.begin(), finding.set.end()})));
}

/// Folds one report into the goal: a failure stays one, a stage that was not judged leaves it open.
void addReport(GoalResult& correct, const verify::CandidateResult& result) {
    bool open = false;
    std::string why;
    for (const Stage required : {Stage::parse, Stage::assemble, Stage::function, Stage::stress, Stage::sanitize}) {
        const verify::StageResult* const stage = verify::find(result.stages, required);
        if (stage && stage->status == Status::pass) continue;
        // Without a toolkit nothing assembles here; the emulator has run what our front end took.
        if (required == Stage::assemble && (!stage || stage->status != Status::fail)) continue;
        if (stage && stage->status == Status::fail) {
            correct.status = GoalStatus::missed;
            correct.message = firstWords(*stage);
            correct.line = stage->findings.empty() ? 0 : stage->findings.front().line;
            return;
        }
        if (!open) why = stage ? firstWords(*stage) : fmt::format("{} was not run", name(required));
        open = true;
    }
    if (!open || correct.status == GoalStatus::missed) return;
    correct.status = GoalStatus::notJudged;
    correct.message = why;
}

/// "10 * global_sectors <= 11 * global_ideal_sectors (global_ideal_sectors = 768, global_sectors = 4352)"
std::string figuresOf(const kernel::Expression& expression, const kernel::Symbols& metrics) {
    kernel::Symbols used;
    for (const std::string& symbol : expression.symbols())
        if (const auto value = metrics.find(symbol); value != metrics.end()) used[symbol] = value->second;
    return expression.text() + kernel::inBrackets(used);
}

GoalResult goalResult(const Goal& goal, const std::string& text, const Expected<kernel::Symbols>& metrics,
                      const verify::WorkReport* work) {
    GoalResult result{goal.id, GoalStatus::missed, {}, 0};
    for (const std::string& word : goal.avoids) {
        const auto lines = linesWith(text, word);
        if (lines.empty()) continue;
        result.message = fmt::format("{} stands in line {}", word, lines.front());
        result.line = lines.front();
        return result;
    }
    if (!goal.avoids.empty()) {
        result.status = GoalStatus::met;
        return result;
    }
    if (!work) {
        result.status = GoalStatus::notJudged;
        result.message = "nothing was counted, because the run did not complete";
        return result;
    }
    if (goal.holds) {
        if (!metrics) {
            result.message = metrics.error().message;
            return result;
        }
        const auto value = goal.holds->evaluate(*metrics);
        if (!value)
            result.message = value.error().message;
        else
            result.message = figuresOf(*goal.holds, *metrics);
        if (value && *value != 0) result.status = GoalStatus::met;
        return result;
    }
    // One that is executed: an instruction that no way leads to shows nothing.
    for (const std::string& word : goal.uses)
        for (const std::uint32_t line : linesWith(text, word))
            if (std::ranges::any_of(work->lines, [&](const verify::WorkLine& l) {
                    return l.line == line && l.counts.threadInstructions > 0;
                })) {
                result.status = GoalStatus::met;
                result.line = line;
                return result;
            }
    result.message = fmt::format("no {} is executed", fmt::join(goal.uses, " and no "));
    return result;
}

Result fold(const std::vector<GoalResult>& goals) {
    const auto any = [&](GoalStatus status) {
        return std::ranges::any_of(goals, [&](const GoalResult& g) { return g.status == status; });
    };
    return any(GoalStatus::missed) ? Result::failed : any(GoalStatus::notJudged) ? Result::incomplete : Result::passed;
}

/// An error of the worker that the submission has caused: it crashed, hung, or would not be taken.
bool isSubmissions(const Diagnostic& error) {
    return error.cause == Cause::internal || error.cause == Cause::rejected;
}

} // namespace

std::string_view name(GoalStatus status) {
    switch (status) {
    case GoalStatus::met: return "met";
    case GoalStatus::missed: return "missed";
    case GoalStatus::notJudged: break;
    }
    return "not_judged";
}

std::string_view name(Result result) {
    switch (result) {
    case Result::passed: return "passed";
    case Result::failed: return "failed";
    case Result::incomplete: break;
    }
    return "incomplete";
}

std::vector<std::uint64_t> seedsFrom(std::uint64_t seed) {
    return {seed, verify::secondSeed(seed)};
}

Expected<Judgement> judge(const Lesson& lesson, const std::string& submission, const JudgeOptions& options,
                          const Verify& verify, std::stop_token stop) {
    Judgement judgement;
    if (!lesson.kernel) {
        const auto answers = answersOf(submission);
        for (const Question& question : lesson.questions) judgement.goals.push_back(answerResult(question, answers));
        judgement.result = fold(judgement.goals);
        return judgement;
    }
    const auto begin = std::chrono::steady_clock::now();
    verify::VerifyInput input{
        withHiddenSizes(lesson, options), verify::CandidateText{"submission", "submission.ptx", submission}, {}};
    input.plan.stages = {Stage::parse, Stage::assemble, Stage::function, Stage::stress, Stage::sanitize};
    input.plan.backend = verify::Backend::emulator;
    input.plan.instructionLimit = lesson.limits.instructions;
    judgement.seeds = options.seeds.empty() ? std::vector{verify::defaultSeed(*lesson.kernel)} : options.seeds;
    GoalResult correct{"correct", GoalStatus::met, {}, 0};
    std::optional<verify::WorkReport> work;
    for (const std::uint64_t seed : judgement.seeds) {
        input.plan.seed = seed;
        const auto used =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
        const auto left = lesson.limits.time - used;
        if (left.count() <= 0) {
            correct.status = GoalStatus::missed;
            correct.message = fmt::format("it did not end within {} seconds", lesson.limits.time.count());
            break;
        }
        const auto report = verify(input, std::chrono::duration_cast<std::chrono::milliseconds>(left), stop);
        if (!report && !isSubmissions(report.error())) return std::unexpected(report.error());
        if (!report || report->results.empty()) {
            correct.status = GoalStatus::missed;
            correct.message = report ? "the worker judged nothing" : report.error().message;
            break;
        }
        addReport(correct, report->results.front());
        if (!work) work = report->results.front().work;
        if (correct.status == GoalStatus::missed) break;
    }
    judgement.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    judgement.goals.push_back(std::move(correct));
    const Expected<kernel::Symbols> metrics = work ? metricsOf(lesson, submission, *work) : kernel::Symbols{};
    for (const Goal& goal : lesson.goals)
        judgement.goals.push_back(goalResult(goal, submission, metrics, work ? &*work : nullptr));
    judgement.result = fold(judgement.goals);
    return judgement;
}

nlohmann::json toJson(const Judgement& judgement) {
    nlohmann::json goals = nlohmann::json::array();
    for (const GoalResult& goal : judgement.goals)
        goals.push_back({{"goal", goal.id},
                         {"status", std::string(name(goal.status))},
                         {"message", goal.message.empty() ? nlohmann::json(nullptr) : nlohmann::json(goal.message)},
                         {"line", goal.line ? nlohmann::json(goal.line) : nlohmann::json(nullptr)}});
    return {{"result", std::string(name(judgement.result))},
            {"goals", std::move(goals)},
            {"seeds", judgement.seeds},
            {"seconds", judgement.seconds}};
}

} // namespace ptxwb::lesson
