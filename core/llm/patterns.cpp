#include "llm/patterns.h"

#include "llm/features.h"
#include "llm/reply_blocks.h"
#include "ptx/targets.h"
#include "support/files.h"
#include "support/nearest.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::llm {

namespace {

std::vector<std::string> split(std::string_view text, char mark) {
    std::vector<std::string> parts;
    for (;;) {
        const auto end = text.find(mark);
        if (const auto part = trimmed(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::unexpected<Diagnostic> fail(const std::string& file, std::size_t line, std::string message,
                                 std::string hint = {}) {
    auto result = failure(Cause::badRequest, std::move(message), std::move(hint));
    result.error().place = {file, static_cast<std::uint32_t>(line), 1, 1};
    return result;
}

} // namespace

Expected<Pattern> readPattern(std::string_view text, const std::string& file) {
    Pattern pattern;
    pattern.file = file;
    pattern.name = std::filesystem::path(file).stem().string();
    const auto lines = linesOf(text);
    std::string* open = nullptr; // the field that the next line goes on with
    std::size_t i = 0;
    for (; i < lines.size() && !lines[i].starts_with("```"); ++i) {
        const std::string_view line = trimmed(lines[i]);
        if (line.starts_with("# ")) {
            pattern.title = trimmed(line.substr(2));
        } else if (line.starts_with("- ")) {
            const auto colon = std::min(line.find(':'), line.size());
            const std::string_view key = trimmed(line.substr(2, colon - 2));
            const std::string_view value = trimmed(line.substr(std::min(colon + 1, line.size())));
            open = nullptr;
            if (key == "version") {
                pattern.version = value;
            } else if (key == "target") {
                const auto target = ptx::target(value);
                if (!target) return fail(file, i + 1, fmt::format("\"{}\" is no target", value), "for instance sm_80");
                pattern.firstTarget = target->sm;
            } else if (key == "when") {
                pattern.when = split(value, ',');
                for (const std::string& words : pattern.when)
                    for (const std::string& word : split(words, '+'))
                        if (std::ranges::find(featureNames(), word) == featureNames().end())
                            return fail(file, i + 1, fmt::format("there is no feature \"{}\"", word),
                                        fmt::format("did you mean {}?", nearestName(word, featureNames())));
            } else if (key == "helps") {
                pattern.helps = value;
                open = &pattern.helps;
            } else {
                return fail(file, i + 1, fmt::format("unknown field \"{}\"", key),
                            "known: version, target, when, helps");
            }
        } else if (line.empty()) {
            open = nullptr;
        } else if (open != nullptr) {
            *open += " " + std::string(line);
        }
    }
    for (++i; i < lines.size() && !lines[i].starts_with("```"); ++i) pattern.ptx += std::string(lines[i]) + "\n";
    if (i >= lines.size()) return fail(file, lines.size(), "there is no fenced block with an example");
    if (pattern.title.empty() || pattern.version.empty() || pattern.when.empty() || pattern.helps.empty() ||
        pattern.firstTarget == 0)
        return fail(file, 1, "a pattern has a heading and the fields version, target, when and helps");
    return pattern;
}

Expected<std::vector<Pattern>> loadPatterns(const std::filesystem::path& bundled, const std::filesystem::path& own) {
    std::vector<Pattern> patterns;
    for (const auto* folder : {&bundled, &own}) {
        std::error_code error;
        std::vector<std::filesystem::path> files;
        if (!folder->empty())
            for (std::filesystem::directory_iterator at(*folder, error), end; !error && at != end; at.increment(error))
                if (at->path().extension() == ".md" && at->path().stem() != "README") files.push_back(at->path());
        std::ranges::sort(files);
        for (const auto& file : files) {
            const auto text = readFile(file);
            if (!text) return std::unexpected(text.error());
            auto pattern = readPattern(*text, file.string());
            if (!pattern) return std::unexpected(std::move(pattern.error()));
            pattern->isOwn = folder == &own;
            std::erase_if(patterns, [&](const Pattern& old) { return old.name == pattern->name; });
            patterns.push_back(std::move(*pattern));
        }
    }
    std::ranges::sort(patterns, {}, &Pattern::name);
    return patterns;
}

std::vector<Pattern> choosePatterns(const std::vector<Pattern>& all, const std::vector<std::string>& features,
                                    std::string_view target, std::size_t limit) {
    const unsigned sm = ptx::target(target).value_or(ptx::Target{}).sm;
    std::vector<std::pair<std::size_t, const Pattern*>> fitting;
    for (const Pattern& pattern : all) {
        if (pattern.firstTarget > sm) continue;
        std::size_t best = 0;
        for (const std::string& words : pattern.when) {
            const auto wanted = split(words, '+');
            if (std::ranges::all_of(
                    wanted, [&](const std::string& w) { return std::ranges::find(features, w) != features.end(); }))
                best = std::max(best, wanted.size());
        }
        if (best > 0) fitting.emplace_back(best, &pattern);
    }
    std::ranges::stable_sort(fitting, std::ranges::greater{}, [](const auto& pair) { return pair.first; });
    std::vector<Pattern> chosen;
    for (const auto& [count, pattern] : fitting)
        if (chosen.size() < limit) chosen.push_back(*pattern);
    return chosen;
}

} // namespace ptxwb::llm
