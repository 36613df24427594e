#include "lesson/lesson.h"

#include "kernel/spec_load.h"
#include "lesson/lesson_text.h"
#include "lesson/metrics.h"
#include "support/files.h"
#include "support/json.h"
#include "support/nearest.h"
#include "support/resources.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::lesson {

namespace fs = std::filesystem;

namespace {

constexpr const char* specName = "lesson.json";

Expected<std::string> fileIn(const fs::path& folder, const JsonReader& reader, std::string_view key) {
    const auto name = reader.text(key);
    if (!name) return std::unexpected(name.error());
    if (name->empty() || fs::path(*name).has_parent_path())
        return reader.fail(std::string(key) + ": expected the name of a file in the lesson's folder");
    return readFile(folder / *name);
}

Expected<std::vector<std::string>> texts(const JsonReader& reader, std::string_view key) {
    const auto list = reader.find(key);
    if (!list) return std::vector<std::string>{};
    return list->texts();
}

Expected<Goal> goalFrom(const JsonReader& reader) {
    if (auto known = reader.onlyKeys({"id", "holds", "uses", "avoids"}); !known)
        return std::unexpected(std::move(known.error()));
    Goal goal;
    auto id = reader.text("id");
    if (!id) return std::unexpected(std::move(id.error()));
    goal.id = std::move(*id);
    if (goal.id == "correct") return reader.fail("the goal correct is there by itself");
    auto uses = texts(reader, "uses"), avoids = texts(reader, "avoids");
    if (!uses) return std::unexpected(std::move(uses.error()));
    if (!avoids) return std::unexpected(std::move(avoids.error()));
    goal.uses = std::move(*uses);
    goal.avoids = std::move(*avoids);
    for (const auto* words : {&goal.uses, &goal.avoids})
        for (const std::string& word : *words)
            if (ptx::opcode(word.substr(0, word.find('.'))) == ptx::Opcode::unknown)
                return reader.fail("\"" + word + "\" is no instruction");
    if (reader.has("holds")) {
        const auto text = reader.text("holds");
        if (!text) return std::unexpected(text.error());
        auto compiled = kernel::Expression::compile(*text, metricNames());
        if (!compiled) return reader.fail("holds: " + compiled.error().message, compiled.error().hint);
        goal.holds = std::move(*compiled);
    }
    if (goal.holds.has_value() + !goal.uses.empty() + !goal.avoids.empty() != 1)
        return reader.fail("a goal has one of holds, uses and avoids");
    return goal;
}

Expected<Question> questionFrom(const JsonReader& reader) {
    if (auto known = reader.onlyKeys({"id", "accept"}); !known) return std::unexpected(std::move(known.error()));
    auto id = reader.text("id");
    if (!id) return std::unexpected(std::move(id.error()));
    auto accept = texts(reader, "accept");
    if (!accept) return std::unexpected(std::move(accept.error()));
    if (accept->empty()) return reader.fail("a question without a right answer");
    return Question{std::move(*id), std::move(*accept)};
}

Expected<void> readHidden(Lesson& lesson, const JsonReader& reader) {
    const auto hidden = reader.find("hidden");
    if (!hidden) return {};
    const auto members = hidden->members();
    if (!members) return std::unexpected(members.error());
    const auto names = lesson.kernel ? kernel::symbolNames(lesson.kernel->spec) : std::vector<std::string>{};
    for (const auto& [symbol, list] : *members) {
        if (std::ranges::find(names, symbol) == names.end()) return list.fail("the kernel has no such symbol");
        const auto elements = list.elements();
        if (!elements) return std::unexpected(elements.error());
        for (const JsonReader& element : *elements) {
            const auto size = element.integer();
            if (!size) return std::unexpected(size.error());
            lesson.hidden[symbol].push_back(*size);
        }
    }
    return {};
}

Expected<void> readLimits(Lesson& lesson, const JsonReader& reader) {
    if (const auto limits = reader.find("limits")) {
        if (auto known = limits->onlyKeys({"instructions", "seconds", "bytes"}); !known)
            return std::unexpected(std::move(known.error()));
        const auto read = [&](const char* key, auto& target) -> Expected<void> {
            const auto value = limits->integerOr(key, static_cast<std::int64_t>(target));
            if (!value) return std::unexpected(value.error());
            if (*value <= 0) return limits->fail(std::string(key) + ": expected a number above 0");
            target = static_cast<std::remove_reference_t<decltype(target)>>(*value);
            return {};
        };
        auto seconds = lesson.limits.time.count();
        for (auto done : {read("instructions", lesson.limits.instructions), read("bytes", lesson.limits.bytes),
                          read("seconds", seconds)})
            if (!done) return std::unexpected(std::move(done.error()));
        lesson.limits.time = std::chrono::seconds(seconds);
    }
    if (const auto occupancy = reader.find("occupancy")) {
        if (auto known = occupancy->onlyKeys({"arch", "registers"}); !known)
            return std::unexpected(std::move(known.error()));
        auto arch = occupancy->textOr("arch", lesson.arch);
        if (!arch) return std::unexpected(std::move(arch.error()));
        lesson.arch = std::move(*arch);
        const auto registers = occupancy->integerOr("registers", 32);
        if (!registers) return std::unexpected(registers.error());
        if (*registers < 0 || *registers > 255) return occupancy->fail("registers: expected 0 to 255");
        lesson.occupancyAssumes["registers"] = *registers;
    }
    return {};
}

/// Every goal and question has its sentence, and steps name goals that there are.
Expected<void> fits(const Lesson& lesson, const std::string& language, const LessonText& text) {
    const auto fail = [&](std::string_view what) {
        return failure(Cause::badRequest, fmt::format("{}, {}: {}", lesson.name, language, what),
                       "resources/lessons/README.md describes the texts");
    };
    std::vector<std::string> ids;
    for (const Goal& goal : lesson.goals) ids.push_back(goal.id);
    if (lesson.kernel) ids.push_back("correct");
    for (const std::string& id : ids)
        if (!text.goals.contains(id)) return fail(fmt::format("the goal {} has no sentence", id));
    for (const auto& [id, sentence] : text.goals)
        if (std::ranges::find(ids, id) == ids.end()) return fail(fmt::format("there is no goal {}", id));
    for (const Question& question : lesson.questions)
        if (!text.questions.contains(question.id)) return fail(fmt::format("the question {} has no text", question.id));
    for (const Question& question : lesson.questions) ids.push_back(question.id);
    for (const Step& step : text.steps)
        for (const std::string& goal : step.goals)
            if (std::ranges::find(ids, goal) == ids.end())
                return fail(fmt::format("the step \"{}\" names {}, which is no goal", step.title, goal));
    return {};
}

Expected<void> readTexts(Lesson& lesson, const JsonReader& reader) {
    const auto listed = reader.at("texts");
    if (!listed) return std::unexpected(listed.error());
    const auto members = listed->members();
    if (!members) return std::unexpected(members.error());
    for (const auto& [language, value] : *members) {
        const auto name = value.text();
        if (!name) return std::unexpected(name.error());
        const auto content = readFile(lesson.folder / *name);
        if (!content) return std::unexpected(content.error());
        auto text = readLessonText(*content, (lesson.folder / *name).string());
        if (!text) return std::unexpected(std::move(text.error()));
        if (auto fitting = fits(lesson, language, *text); !fitting) return std::unexpected(std::move(fitting.error()));
        lesson.texts.emplace(language, std::move(*text));
    }
    if (!lesson.texts.contains("en")) return listed->fail("a lesson has a text in English, \"en\"");
    return {};
}

template <class T, class Read>
Expected<std::vector<T>> listOf(const JsonReader& reader, std::string_view key, Read read) {
    std::vector<T> all;
    const auto elements = reader.elementsOr(key);
    if (!elements) return std::unexpected(elements.error());
    for (const JsonReader& element : *elements) {
        auto one = read(element);
        if (!one) return std::unexpected(std::move(one.error()));
        all.push_back(std::move(*one));
    }
    return all;
}

} // namespace

const LessonText& Lesson::text(std::string_view language) const {
    const auto found = texts.find(std::string(language));
    return found == texts.end() ? texts.at("en") : found->second;
}

Expected<Lesson> loadLesson(const fs::path& folder) {
    const std::string file = (folder / specName).string();
    const auto content = readFile(file);
    if (!content) return std::unexpected(content.error());
    const auto value = parseJson(*content, file);
    if (!value) return std::unexpected(value.error());
    const JsonReader reader(*value, file);
    if (auto known = reader.onlyKeys({"schema", "name", "order", "kernel", "start", "solution", "reading", "texts",
                                      "goals", "questions", "hidden", "occupancy", "counts", "limits"});
        !known)
        return std::unexpected(std::move(known.error()));
    const auto schema = reader.integer("schema");
    if (!schema) return std::unexpected(schema.error());
    if (*schema != 1) return reader.fail(fmt::format("schema {} is newer than this program", *schema), "update ptxwb");
    Lesson lesson;
    lesson.folder = folder;
    auto name = reader.text("name"), counts = reader.textOr("counts", {});
    if (!name) return std::unexpected(std::move(name.error()));
    if (!counts) return std::unexpected(std::move(counts.error()));
    lesson.name = std::move(*name);
    lesson.counts = std::move(*counts);
    const auto order = reader.integerOr("order", 0);
    if (!order) return std::unexpected(order.error());
    lesson.order = static_cast<int>(*order);
    for (const auto& [key, target] : {std::pair{"start", &lesson.start}, std::pair{"solution", &lesson.solution}}) {
        auto text = fileIn(folder, reader, key);
        if (!text) return std::unexpected(std::move(text.error()));
        *target = std::move(*text);
    }
    if (reader.has("reading")) {
        auto text = fileIn(folder, reader, "reading");
        if (!text) return std::unexpected(std::move(text.error()));
        lesson.reading = std::move(*text);
    }
    if (reader.has("kernel")) {
        const auto spec = reader.text("kernel");
        if (!spec) return std::unexpected(spec.error());
        auto kernel = kernel::orFirstError(kernel::loadKernel(folder / *spec));
        if (!kernel) return std::unexpected(std::move(kernel.error()));
        if (!kernel->spec.launches.empty()) return reader.fail("kernel: a lesson's kernel has one launch");
        lesson.kernel = std::move(*kernel);
    }
    auto goals = listOf<Goal>(reader, "goals", goalFrom);
    if (!goals) return std::unexpected(std::move(goals.error()));
    auto questions = listOf<Question>(reader, "questions", questionFrom);
    if (!questions) return std::unexpected(std::move(questions.error()));
    lesson.goals = std::move(*goals);
    lesson.questions = std::move(*questions);
    if (lesson.kernel ? lesson.goals.empty() || !lesson.questions.empty()
                      : lesson.questions.empty() || !lesson.goals.empty())
        return reader.fail("a lesson has a kernel and goals, or questions");
    for (auto done : {readHidden(lesson, reader), readLimits(lesson, reader)})
        if (!done) return std::unexpected(std::move(done.error()));
    if (auto read = readTexts(lesson, reader); !read) return std::unexpected(std::move(read.error()));
    return lesson;
}

std::vector<Lesson> loadLessons(const fs::path& root, std::vector<Diagnostic>* problems) {
    std::vector<Lesson> lessons;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root, error)) {
        if (!fs::is_regular_file(entry.path() / specName, error)) continue;
        auto lesson = loadLesson(entry.path());
        if (lesson)
            lessons.push_back(std::move(*lesson));
        else if (problems)
            problems->push_back(std::move(lesson.error()));
    }
    std::ranges::sort(lessons, {}, [](const Lesson& l) { return std::pair(l.order, l.name); });
    return lessons;
}

Expected<Lesson> findLesson(std::string_view word, const fs::path& root) {
    std::error_code error;
    for (const fs::path& folder : {fs::path(word), root / fs::path(word)})
        if (fs::is_regular_file(folder / specName, error)) return loadLesson(folder);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(root, error)) names.push_back(entry.path().filename().string());
    const std::string nearest = nearestName(std::string(word), names);
    return failure(Cause::badRequest, fmt::format("there is no lesson {}", word),
                   nearest.empty() ? "`ptxwb lesson list` names them" : fmt::format("did you mean {}?", nearest));
}

fs::path lessonsFolder() {
    return resourcesFolder() / "lessons";
}

} // namespace ptxwb::lesson
