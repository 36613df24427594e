#include "lesson/lesson_text.h"

#include <fmt/format.h>
#include <sstream>

namespace ptxwb::lesson {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string> wordsOf(std::string_view list) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t to = std::min(list.find(',', from), list.size());
        if (const std::string_view word = trimmed(list.substr(from, to - from)); !word.empty())
            words.emplace_back(word);
        from = to + 1;
    }
    return words;
}

void appendLine(std::string& text, std::string_view line) {
    text += line;
    text += '\n';
}

} // namespace

Expected<LessonText> readLessonText(std::string_view markdown, const std::string& file) {
    LessonText text;
    enum class Part { before, intro, step, goals, questions } part = Part::before;
    std::string* target = nullptr; // where plain lines go
    bool fenced = false;
    std::uint32_t number = 0;
    const auto fail = [&](const std::string& message, const std::string& hint) {
        auto error = failure(Cause::badRequest, fmt::format("{}:{}: {}", file, number, message), hint);
        error.error().place = {file, number, 1, 1};
        return error;
    };
    for (std::size_t from = 0; from < markdown.size();) {
        const std::size_t to = std::min(markdown.find('\n', from), markdown.size());
        const std::string_view line = markdown.substr(from, to - from);
        from = to + 1;
        ++number;
        if (line.starts_with("```")) fenced = !fenced;
        if (fenced || line.starts_with("```")) {
            if (!target) return fail("a code block in front of any text", "begin the file with `# Title`");
            appendLine(*target, line);
            continue;
        }
        if (line.starts_with("# ")) {
            if (part != Part::before) return fail("a second title", "steps begin with `## `");
            text.title = trimmed(line.substr(2));
            part = Part::intro;
            target = &text.intro;
        } else if (line.starts_with("## @")) {
            const std::string_view what = trimmed(line.substr(4));
            if (what != "goals" && what != "questions")
                return fail(fmt::format("there is no part @{}", what), "@goals or @questions");
            part = what == "goals" ? Part::goals : Part::questions;
            target = nullptr;
        } else if (line.starts_with("## ")) {
            if (part == Part::before) return fail("a step before the title", "begin the file with `# Title`");
            part = Part::step;
            text.steps.push_back({std::string(trimmed(line.substr(3))), {}, {}, {}, {}});
            target = &text.steps.back().text;
        } else if (part == Part::step && line.starts_with("Change:")) {
            target = &text.steps.back().change;
            appendLine(*target, trimmed(line.substr(7)));
        } else if (part == Part::step && line.starts_with("Look:")) {
            target = &text.steps.back().look;
            appendLine(*target, trimmed(line.substr(5)));
        } else if (part == Part::step && line.starts_with("Goals:")) {
            text.steps.back().goals = wordsOf(line.substr(6));
            target = &text.steps.back().text;
        } else if (part == Part::goals || part == Part::questions) {
            const std::string_view entry = trimmed(line);
            if (entry.empty()) continue;
            auto& all = part == Part::goals ? text.goals : text.questions;
            const std::size_t colon = entry.find(':');
            if (!entry.starts_with("- ") || colon == std::string_view::npos)
                return fail("expected `- id: a sentence`", {});
            const std::string id(trimmed(entry.substr(2, colon - 2)));
            if (!all.emplace(id, trimmed(entry.substr(colon + 1))).second)
                return fail(fmt::format("{} stands here twice", id), {});
        } else if (target) {
            appendLine(*target, line);
        } else if (!trimmed(line).empty()) {
            return fail("text in front of the title", "begin the file with `# Title`");
        }
    }
    if (fenced) return fail("a code block that does not end", "close it with ```");
    if (text.title.empty()) return fail("no title", "begin the file with `# Title`");
    if (text.steps.empty()) return fail("no step", "steps begin with `## `");
    for (std::string* each : {&text.intro}) *each = trimmed(*each);
    for (Step& step : text.steps)
        for (std::string* each : {&step.text, &step.change, &step.look}) {
            // Blank lines in front of the first paragraph are none of it.
            while (each->starts_with('\n')) each->erase(0, 1);
            *each = trimmed(*each);
        }
    while (text.intro.starts_with('\n')) text.intro.erase(0, 1);
    return text;
}

} // namespace ptxwb::lesson
