// Whether a submission does what its lesson asks: right at hidden sizes and seeds, and every goal met.
// Called by `ptxwb lesson check`, by the batch of grade.h and by the window's lesson panel.
#pragma once

#include "lesson/lesson.h"
#include "verify/plan.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>

namespace ptxwb::lesson {

/// Has a worker judge: a submission may crash or hang whoever runs it. Errors: those of worker::WorkerClient::call.
using Verify = std::function<Expected<verify::VerifyReport>(const verify::VerifyInput& input,
                                                            std::chrono::milliseconds deadline, std::stop_token stop)>;

enum class GoalStatus : std::uint8_t { met, missed, notJudged };
std::string_view name(GoalStatus status); ///< "met", "missed", "not_judged"

struct GoalResult {
    std::string id; ///< "correct", a goal's or a question's
    GoalStatus status = GoalStatus::notJudged;
    std::string message;    ///< why it is missed or not judged, the figures of a goal that is met
    std::uint32_t line = 0; ///< of the submission; 0: none
};

enum class Result : std::uint8_t {
    passed,
    failed,
    incomplete, ///< something could not be judged here, and nothing failed
};
std::string_view name(Result result);

struct Judgement {
    Result result = Result::incomplete;
    std::vector<GoalResult> goals; ///< "correct" first, then the lesson's in their order
    std::vector<std::uint64_t> seeds;
    double seconds = 0;
};

struct JudgeOptions {
    std::vector<std::uint64_t> seeds; ///< empty: the lesson's own, so that a check repeats
    /// Sizes beside the lesson's hidden ones, by symbol.
    std::map<std::string, std::vector<std::int64_t>> sizes;
};

/// Errors (the batch goes on after each): the lesson itself cannot be run, no worker, cancellation. What the submission
/// does wrong, also a crash or a hang of the worker that ran it, is a judgement.
Expected<Judgement> judge(const Lesson& lesson, const std::string& submission, const JudgeOptions& options,
                          const Verify& verify, std::stop_token stop = {});

/// The seeds of a batch: `seed` and the one that follows from it.
std::vector<std::uint64_t> seedsFrom(std::uint64_t seed);

nlohmann::json toJson(const Judgement& judgement);

} // namespace ptxwb::lesson
