#include "lesson/grade.h"

#include "lesson/normal_form.h"
#include "support/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::lesson {

namespace fs = std::filesystem;

namespace {

/// Why bytes are no text that a learner wrote; empty where they are.
std::string textProblem(const std::string& bytes) {
    if (bytes.empty()) return "the file is empty";
    if (bytes.find('\0') != std::string::npos) return "the file is no text: it holds a byte 0";
    return {};
}

std::string cell(std::string text) {
    for (char& c : text)
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos) text.insert(0, "'");
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string firstMessage(const Judgement& judgement) {
    for (const GoalResult& goal : judgement.goals)
        if (goal.status != GoalStatus::met) return goal.message;
    return {};
}

std::vector<std::string> goalIds(const Lesson& lesson) {
    std::vector<std::string> ids;
    if (lesson.kernel) ids.emplace_back("correct");
    for (const Goal& goal : lesson.goals) ids.push_back(goal.id);
    for (const Question& question : lesson.questions) ids.push_back(question.id);
    return ids;
}

nlohmann::json orNull(const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

} // namespace

Expected<std::vector<fs::path>> submissionsIn(const Lesson& lesson, const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        return failure(Cause::badRequest, fmt::format("{}: there is no such folder", folder.string()));
    std::vector<fs::path> files;
    const auto take = [&](const fs::path& in) {
        for (const auto& entry : fs::directory_iterator(in, error))
            if (entry.path().extension() == lesson.fileEnding() && !fs::is_directory(entry.path(), error))
                files.push_back(entry.path());
    };
    take(folder);
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (fs::is_directory(entry.path(), error)) take(entry.path());
    std::ranges::sort(files);
    if (files.empty())
        return failure(Cause::badRequest, fmt::format("{}: there is no {} file in it or in a folder right below it",
                                                      folder.string(), lesson.fileEnding()));
    return files;
}

Expected<Grades> grade(const Lesson& lesson, const fs::path& folder, const GradeOptions& options, const Verify& verify,
                       std::stop_token stop) {
    const auto files = submissionsIn(lesson, folder);
    if (!files) return std::unexpected(files.error());
    Grades grades;
    grades.lesson = lesson.name;
    grades.seeds = options.judge.seeds;
    const std::string start = normalForm(lesson.start), solution = normalForm(lesson.solution);
    std::map<std::string, std::string> firstWith;
    for (const fs::path& file : *files) {
        Graded row;
        row.file = fs::relative(file, folder).generic_string();
        const auto bytes = readFile(file, lesson.limits.bytes);
        row.problem = bytes ? textProblem(*bytes) : bytes.error().message;
        if (row.problem.empty()) {
            row.normalForm = normalForm(*bytes);
            const auto [first, isNew] = firstWith.try_emplace(row.normalForm, row.file);
            if (!isNew) row.duplicateOf = first->second;
            if (row.normalForm == start) row.sameAs = "start";
            if (row.normalForm == solution) row.sameAs = "solution";
            auto judged = judge(lesson, *bytes, options.judge, verify, stop);
            if (!judged) return std::unexpected(std::move(judged.error()));
            row.judgement = std::move(*judged);
        } else {
            row.judgement.result = Result::failed;
        }
        if (options.onJudged) options.onJudged(row);
        grades.rows.push_back(std::move(row));
    }
    return grades;
}

std::string toCsv(const Lesson& lesson, const Grades& grades) {
    const std::vector<std::string> ids = goalIds(lesson);
    std::string csv = "file,result,problem";
    for (const std::string& id : ids) csv += "," + cell(id);
    csv += ",message,duplicate_of,same_as,seconds\r\n";
    for (const Graded& row : grades.rows) {
        csv += cell(row.file) + "," + std::string(name(row.judgement.result)) + "," + cell(row.problem);
        for (const std::string& id : ids) {
            const auto goal = std::ranges::find(row.judgement.goals, id, &GoalResult::id);
            csv += ",";
            csv += goal == row.judgement.goals.end() ? name(GoalStatus::notJudged) : name(goal->status);
        }
        csv += "," + cell(firstMessage(row.judgement)) + "," + cell(row.duplicateOf) + "," + cell(row.sameAs) +
               fmt::format(",{:.2f}\r\n", row.judgement.seconds);
    }
    return csv;
}

nlohmann::json toJson(const Grades& grades) {
    nlohmann::json rows = nlohmann::json::array();
    for (const Graded& row : grades.rows) {
        nlohmann::json one = toJson(row.judgement);
        one.erase("seeds");
        one["file"] = row.file;
        one["problem"] = orNull(row.problem);
        one["normal_form"] = orNull(row.normalForm);
        one["duplicate_of"] = orNull(row.duplicateOf);
        one["same_as"] = orNull(row.sameAs);
        rows.push_back(std::move(one));
    }
    return {{"schema", 1}, {"lesson", grades.lesson}, {"seeds", grades.seeds}, {"submissions", std::move(rows)}};
}

} // namespace ptxwb::lesson
