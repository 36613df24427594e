// `ptxwb lesson` and `ptxwb grade`: a submission, and a class, judged against a lesson. No GPU.
#include "command.h"

#include "lesson/grade.h"
#include "support/files.h"
#include "support/json.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct LessonOptions {
    std::string lesson, submission, worker, seed, language = "en", output;
};

struct GradeCommandOptions {
    std::string lesson, folder, worker, seed, sizes, output;
    bool csv = false;
};

/// "random", or a number.
Expected<std::optional<std::uint64_t>> seedOf(const std::string& text) {
    if (text.empty()) return std::optional<std::uint64_t>{};
    if (text == "random") return std::optional<std::uint64_t>(std::random_device{}());
    std::uint64_t seed = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (problem != std::errc{} || end != text.data() + text.size())
        return failure(Cause::badRequest, fmt::format("--seed {}: expected a number from 0, or random", text));
    return std::optional(seed);
}

/// A file {"n": [777, 4099]} that a teacher keeps to herself.
Expected<std::map<std::string, std::vector<std::int64_t>>> sizesOf(const lesson::Lesson& lesson,
                                                                   const std::string& file) {
    std::map<std::string, std::vector<std::int64_t>> sizes;
    if (file.empty()) return sizes;
    const auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    const auto value = parseJson(*text, file);
    if (!value) return std::unexpected(value.error());
    const auto members = JsonReader(*value, file).members();
    if (!members) return std::unexpected(members.error());
    for (const auto& [symbol, list] : *members) {
        const auto names = lesson.kernel ? kernel::symbolNames(lesson.kernel->spec) : std::vector<std::string>{};
        if (std::ranges::find(names, symbol) == names.end())
            return std::unexpected(unknownWord(file + ": the lesson's kernel has no symbol", symbol, names));
        const auto elements = list.elements();
        if (!elements) return std::unexpected(elements.error());
        for (const JsonReader& element : *elements) {
            const auto size = element.integer();
            if (!size) return std::unexpected(size.error());
            sizes[symbol].push_back(*size);
        }
    }
    return sizes;
}

lesson::Verify verifierOf(worker::WorkerClient& client) {
    return [&client](const verify::VerifyInput& input, std::chrono::milliseconds deadline,
                     std::stop_token stop) -> Expected<verify::VerifyReport> {
        const auto answer = client.call(worker::Job::verify, worker::toJson(input), {}, stop, deadline);
        if (!answer) return std::unexpected(answer.error());
        return verify::verifyReportFromJson(*answer);
    };
}

int statusOf(lesson::Result result) {
    return result == lesson::Result::passed ? passed : result == lesson::Result::failed ? failed : incomplete;
}

std::string_view mark(lesson::GoalStatus status) {
    switch (status) {
    case lesson::GoalStatus::met: return "met   ";
    case lesson::GoalStatus::missed: return "MISSED";
    case lesson::GoalStatus::notJudged: break;
    }
    return "?     ";
}

std::string sentenceOf(const lesson::LessonText& text, const std::string& id) {
    if (const auto goal = text.goals.find(id); goal != text.goals.end()) return goal->second;
    const auto question = text.questions.find(id);
    return question == text.questions.end() ? id : question->second;
}

Expected<int> listCommand(const Invocation& invocation) {
    std::vector<Diagnostic> problems;
    const auto lessons = lesson::loadLessons(lesson::lessonsFolder(), &problems);
    for (const Diagnostic& problem : problems) printDiagnostic(problem);
    if (invocation.json) {
        json list = json::array();
        for (const lesson::Lesson& one : lessons) {
            json languages = json::array();
            for (const auto& [language, text] : one.texts) languages.push_back(language);
            list.push_back({{"name", one.name},
                            {"title", one.text("en").title},
                            {"languages", std::move(languages)},
                            {"steps", one.text("en").steps.size()},
                            {"folder", one.folder.string()}});
        }
        printJson({{"schema", 1}, {"lessons", std::move(list)}});
    } else {
        for (const lesson::Lesson& one : lessons) fmt::print("{:<16} {}\n", one.name, one.text("en").title);
    }
    return problems.empty() ? passed : failed;
}

void printText(const lesson::Lesson& one, const lesson::LessonText& text) {
    fmt::print("{}\n\n{}\n", text.title, text.intro);
    if (!one.reading.empty()) fmt::print("\n{}", one.reading);
    for (const lesson::Step& step : text.steps) {
        fmt::print("\n== {} ==\n{}\n", step.title, step.text);
        if (!step.change.empty()) fmt::print("To change: {}\n", step.change);
        if (!step.look.empty()) fmt::print("To look for: {}\n", step.look);
    }
    fmt::print("\n");
    for (const auto& [id, sentence] : text.goals) fmt::print("{:<14} {}\n", id, sentence);
    for (const auto& [id, sentence] : text.questions) fmt::print("{:<14} {}\n", id, sentence);
}

/// The words, and where --output names a file the starting state in it.
Expected<int> showCommand(const LessonOptions& options, const Invocation& invocation) {
    const auto one = lesson::findLesson(options.lesson, lesson::lessonsFolder());
    if (!one) return std::unexpected(one.error());
    if (!options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, one->start); !written)
            return std::unexpected(std::move(written.error()));
    }
    const lesson::LessonText& text = one->text(options.language);
    if (!invocation.json) {
        printText(*one, text);
        return passed;
    }
    json steps = json::array();
    const auto orNull = [](const std::string& words) { return words.empty() ? json(nullptr) : json(words); };
    for (const lesson::Step& step : text.steps)
        steps.push_back({{"title", step.title},
                         {"text", step.text},
                         {"change", orNull(step.change)},
                         {"look", orNull(step.look)},
                         {"goals", step.goals}});
    printJson({{"schema", 1},
               {"name", one->name},
               {"title", text.title},
               {"intro", text.intro},
               {"steps", std::move(steps)},
               {"goals", text.goals},
               {"questions", text.questions},
               {"start", one->start}});
    return passed;
}

Expected<int> checkCommand(const LessonOptions& options, const Invocation& invocation) {
    const auto one = lesson::findLesson(options.lesson, lesson::lessonsFolder());
    if (!one) return std::unexpected(one.error());
    const auto text = readFile(options.submission, one->limits.bytes);
    if (!text) return std::unexpected(text.error());
    const auto seed = seedOf(options.seed);
    if (!seed) return std::unexpected(seed.error());
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    lesson::JudgeOptions judging;
    if (*seed) judging.seeds = lesson::seedsFrom(**seed);
    const auto judged = lesson::judge(*one, *text, judging, verifierOf(**client), invocation.stop);
    if (!judged) return std::unexpected(judged.error());
    if (invocation.json) {
        json value = lesson::toJson(*judged);
        value.update({{"schema", 1}, {"lesson", one->name}, {"file", options.submission}});
        printJson(value);
    } else {
        for (const lesson::GoalResult& goal : judged->goals) {
            fmt::print("{} {:<14} {}\n", mark(goal.status), goal.id, sentenceOf(one->text(options.language), goal.id));
            if (!goal.message.empty())
                fmt::print("       {}{}\n", goal.line ? fmt::format("line {}: ", goal.line) : "", goal.message);
        }
        fmt::print("{}: {} ({:.1f} s)\n", options.submission, name(judged->result), judged->seconds);
    }
    return statusOf(judged->result);
}

Expected<int> gradeCommand(const GradeCommandOptions& options, const Invocation& invocation) {
    if (options.csv && invocation.json)
        return failure(Cause::badRequest, "--csv and --json: one of them", "leave one out");
    const auto one = lesson::findLesson(options.lesson, lesson::lessonsFolder());
    if (!one) return std::unexpected(one.error());
    auto seed = seedOf(options.seed);
    if (!seed) return std::unexpected(seed.error());
    if (!*seed) *seed = std::random_device{}(); // a class must not know it before; it is printed with the grades
    auto sizes = sizesOf(*one, options.sizes);
    if (!sizes) return std::unexpected(std::move(sizes.error()));
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    lesson::GradeOptions grading;
    if (one->kernel) grading.judge.seeds = lesson::seedsFrom(**seed);
    grading.judge.sizes = std::move(*sizes);
    grading.onJudged = [](const lesson::Graded& row) {
        fmt::print(stderr, "{}: {}{}\n", row.file, name(row.judgement.result),
                   row.duplicateOf.empty() ? "" : fmt::format(" (the same program as {})", row.duplicateOf));
    };
    if (one->kernel) fmt::print(stderr, "seed {}\n", **seed);
    const auto grades = lesson::grade(*one, options.folder, grading, verifierOf(**client), invocation.stop);
    if (!grades) return std::unexpected(grades.error());
    const std::string text = options.csv ? lesson::toCsv(*one, *grades) : std::string{};
    if (options.csv && !options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, text); !written)
            return std::unexpected(std::move(written.error()));
    } else if (options.csv) {
        fmt::print("{}", text);
    }
    if (invocation.json) printJson(lesson::toJson(*grades));
    int counts[3] = {};
    for (const lesson::Graded& row : grades->rows) ++counts[static_cast<int>(row.judgement.result)];
    fmt::print(stderr, "{} submissions: {} passed, {} failed, {} incomplete\n", grades->rows.size(), counts[0],
               counts[1], counts[2]);
    return counts[1] ? failed : counts[2] ? incomplete : passed;
}

} // namespace

void addLesson(Invocation& invocation) {
    CLI::App* group = invocation.app.add_subcommand("lesson", "lessons: list, read, and check a submission");
    group->footer("\nExample:\n  ptxwb lesson check coalescing mine.ptx");
    group->require_subcommand(1);
    const auto add = [&](const std::string& name, const std::string& what, const std::string& example,
                         std::function<Expected<int>()> run) {
        CLI::App* command = group->add_subcommand(name, what);
        command->footer("\nExample:\n  " + example);
        command->add_flag("--json", invocation.json, "print one JSON value on stdout and nothing else there");
        command->callback([&invocation, run = std::move(run)] { invocation.command = run; });
        return command;
    };
    const auto options = std::make_shared<LessonOptions>();
    add("list", "the lessons there are", "ptxwb lesson list", [&invocation] { return listCommand(invocation); });
    CLI::App* show = add("show", "a lesson's words; with -o its starting state as a file",
                         "ptxwb lesson show coalescing --language de -o mine.ptx",
                         [options, &invocation] { return showCommand(*options, invocation); });
    show->add_option("LESSON", options->lesson, "a lesson's name or folder")->required();
    show->add_option("--language", options->language, "en, de, ...; English where the lesson has it not");
    show->add_option("-o,--output", options->output, "write the starting state there");
    CLI::App* check = add("check", "judge one submission", "ptxwb lesson check coalescing mine.ptx",
                          [options, &invocation] { return checkCommand(*options, invocation); });
    check->add_option("LESSON", options->lesson, "a lesson's name or folder")->required();
    check->add_option("SUBMISSION", options->submission, "a PTX file, or a text with answers")->required();
    check->add_option("--language", options->language, "of the goals' sentences");
    check->add_option("--seed", options->seed, "of the inputs: a number or random; the lesson's own otherwise");
    check->add_option("--worker", options->worker, workerHelp);
}

void addGrade(Invocation& invocation) {
    const auto options = std::make_shared<GradeCommandOptions>();
    CLI::App* command =
        addCommand(invocation, "grade", "judge every submission of a folder", "ptxwb grade coalescing class/ --csv",
                   [options, &invocation] { return gradeCommand(*options, invocation); });
    command->add_option("LESSON", options->lesson, "a lesson's name or folder")->required();
    command->add_option("FOLDER", options->folder, "with the submissions, or with a folder for each learner")
        ->required();
    command->add_flag("--csv", options->csv, "a table for a spreadsheet, on stdout or in --output");
    command->add_option("-o,--output", options->output, "the file of the table");
    command->add_option("--seed", options->seed, "of the inputs; drawn and printed otherwise");
    command->add_option("--sizes", options->sizes,
                        "a JSON file with further sizes, {\"n\": [777]}, kept from the class");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli
