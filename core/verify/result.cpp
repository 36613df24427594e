#include "verify/result.h"

#include <algorithm>
#include <array>

namespace ptxwb::verify {

namespace {

constexpr std::array<std::string_view, 6> stageNames = {"parse",  "assemble", "function",
                                                        "stress", "sanitize", "benchmark"};
constexpr std::array<std::string_view, 4> statusNames = {"pass", "fail", "skipped", "inconclusive"};
constexpr std::array<std::string_view, 3> verdictNames = {"pass", "fail", "incomplete"};
constexpr std::array<std::string_view, 3> checkStatusNames = {"passed", "failed", "not_run"};
constexpr std::array<Stage, 5> required = {Stage::parse, Stage::assemble, Stage::function, Stage::stress,
                                           Stage::sanitize};

template <class T, std::size_t N>
std::optional<T> indexOf(const std::array<std::string_view, N>& names, std::string_view text) {
    const auto hit = std::ranges::find(names, text);
    if (hit == names.end()) return std::nullopt;
    return static_cast<T>(hit - names.begin());
}

} // namespace

std::string_view name(Stage stage) {
    return stageNames[static_cast<std::size_t>(stage)];
}
std::string_view name(Status status) {
    return statusNames[static_cast<std::size_t>(status)];
}
std::string_view name(Verdict verdict) {
    return verdictNames[static_cast<std::size_t>(verdict)];
}
std::string_view name(CheckStatus status) {
    return checkStatusNames[static_cast<std::size_t>(status)];
}
std::optional<CheckStatus> checkStatus(std::string_view name) {
    return indexOf<CheckStatus>(checkStatusNames, name);
}
std::optional<Stage> stage(std::string_view name) {
    return indexOf<Stage>(stageNames, name);
}
std::optional<Status> status(std::string_view name) {
    return indexOf<Status>(statusNames, name);
}

const StageResult* find(const std::vector<StageResult>& stages, Stage stage) {
    const auto hit = std::ranges::find(stages, stage, &StageResult::stage);
    return hit == stages.end() ? nullptr : &*hit;
}

Verdict foldVerdict(const std::vector<StageResult>& stages) {
    const bool anyFailed = std::ranges::any_of(stages, [](const StageResult& s) { return s.status == Status::fail; });
    if (anyFailed) return Verdict::fail;
    // A stage that is listed twice (one backend each) must have passed each time.
    const bool allPassed = std::ranges::all_of(required, [&](Stage wanted) {
        const bool present = find(stages, wanted) != nullptr;
        return present && std::ranges::all_of(stages, [&](const StageResult& s) {
                   return s.stage != wanted || s.status == Status::pass;
               });
    });
    return allPassed ? Verdict::pass : Verdict::incomplete;
}

} // namespace ptxwb::verify
