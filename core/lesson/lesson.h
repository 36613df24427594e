// A lesson as a value: its kernel, where a learner starts, what counts as there, its texts in each language.
// Loaded from resources/lessons (README.md there describes the files); read by the checks, the command line and the
// window.
#pragma once

#include "kernel/spec.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::lesson {

/// Something that must hold of a submission. One of `holds`, `uses` and `avoids` is set.
struct Goal {
    std::string id;
    std::optional<kernel::Expression> holds; ///< over the metrics of metrics.h
    std::vector<std::string> uses;           ///< instructions, of which one must be executed: "mma", "cp.async"
    std::vector<std::string> avoids;         ///< instructions that must not stand in the text: "st.shared"
};

/// A question that a submission answers on a line "id: answer".
struct Question {
    std::string id;
    std::vector<std::string> accept; ///< right answers; case and blanks do not count
};

struct Step {
    std::string title;
    std::string text;               ///< paragraphs, with `code` and fenced blocks as in Markdown
    std::string change, look;       ///< what to change, what to look for; empty where the step has none
    std::vector<std::string> goals; ///< ids that show that the learner got here
};

/// One language's words.
struct LessonText {
    std::string title, intro;
    std::vector<Step> steps;
    std::map<std::string, std::string> goals, questions; ///< a sentence each, by id
};

struct Limits {
    std::uint64_t instructions = 50'000'000;      ///< thread instructions of one launch on the emulator
    std::chrono::seconds time{120};               ///< of one submission, all seeds together
    std::uint64_t bytes = std::uint64_t{1} << 20; ///< of a submission's file
};

struct Lesson {
    std::string name;
    int order = 0; ///< in lists
    std::filesystem::path folder;
    std::optional<kernel::Kernel> kernel; ///< absent: questions only
    std::string start, solution;          ///< texts
    std::string reading;                  ///< a text that the questions are about; empty: none
    std::vector<Goal> goals;
    std::vector<Question> questions;
    kernel::Symbols occupancyAssumes;                        ///< "registers"
    std::string arch = "sm_80";                              ///< of the occupancy
    std::map<std::string, std::vector<std::int64_t>> hidden; ///< further sizes, by symbol
    std::string counts;                                      ///< the figures beside the lines: "sectors"; may be empty
    Limits limits;
    std::map<std::string, LessonText> texts; ///< by language, "en" among them

    const LessonText& text(std::string_view language) const;            ///< English where it has no such language
    std::string fileEnding() const { return kernel ? ".ptx" : ".txt"; } ///< of submissions
};

/// Reads FOLDER/lesson.json with all that it names. Errors name the file and the key, or what does not fit: a goal
/// without its sentence, a step with a goal that there is none of, a language without a file.
Expected<Lesson> loadLesson(const std::filesystem::path& folder);

/// Folders of `root` that hold a lesson.json, in the lessons' order. One that cannot be read is in `problems`.
std::vector<Lesson> loadLessons(const std::filesystem::path& root, std::vector<Diagnostic>* problems = nullptr);

/// LESSON of the command line: a folder, or the name of one under `root`. Errors name the nearest.
Expected<Lesson> findLesson(std::string_view word, const std::filesystem::path& root);

/// Beside the examples.
std::filesystem::path lessonsFolder();

} // namespace ptxwb::lesson
