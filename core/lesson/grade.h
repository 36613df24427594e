// A class: every submission of a folder judged, duplicates told, one table for the teacher.
// Called by `ptxwb grade`.
#pragma once

#include "lesson/judge.h"

namespace ptxwb::lesson {

struct Graded {
    std::string file;    ///< as seen from the folder
    std::string problem; ///< why it was not judged: unreadable, too large; empty where it was
    Judgement judgement;
    std::string normalForm;  ///< hash; empty where it could not be read
    std::string duplicateOf; ///< the first file with the same normal form; empty where it is the first
    std::string sameAs;      ///< "start" or "solution": nothing was changed, or the model was handed in
};

struct Grades {
    std::string lesson;
    std::vector<std::uint64_t> seeds;
    std::vector<Graded> rows; ///< in order of the files' names
};

/// Files with the lesson's ending in the folder and in the folders right below it (one a learner), sorted.
Expected<std::vector<std::filesystem::path>> submissionsIn(const Lesson& lesson, const std::filesystem::path& folder);

struct GradeOptions {
    JudgeOptions judge;
    std::function<void(const Graded&)> onJudged; ///< as soon as a row is there
};

/// One bad file never stops the batch: it has its row. Errors: no such folder, nothing in it, a lesson that cannot be
/// run at all, no worker, cancellation.
Expected<Grades> grade(const Lesson& lesson, const std::filesystem::path& folder, const GradeOptions& options,
                       const Verify& verify, std::stop_token stop = {});

/// One line a submission, RFC 4180: file, result, problem, one column a goal ("met", "missed", "not_judged"), the first
/// message, duplicate_of, same_as, seconds. A cell that a spreadsheet would take for a formula gets an apostrophe.
std::string toCsv(const Lesson& lesson, const Grades& grades);
nlohmann::json toJson(const Grades& grades);

} // namespace ptxwb::lesson
