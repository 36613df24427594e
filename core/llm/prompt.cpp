#include "llm/prompt.h"

#include "llm/condense.h"
#include "llm/features.h"
#include "llm/prompt_facts.h"
#include "llm/recording.h"
#include "llm/reply_blocks.h"
#include "llm/template.h"
#include "llm/tokens.h"
#include "ptx/parse.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

/// The entry that the spec means: the exact symbol, the only one whose name holds it, or the only one.
Expected<const ptx::Function*> entryOf(const ptx::Module& module, const std::string& wanted,
                                       const std::string& baseName) {
    const auto entries = module.entries();
    std::vector<const ptx::Function*> similar;
    for (const ptx::Function* entry : entries) {
        if (entry->name == wanted) return entry;
        if (entry->name.find(wanted) != std::string_view::npos) similar.push_back(entry);
    }
    if (entries.size() == 1) return entries.front();
    if (similar.size() == 1) return similar.front();
    std::vector<std::string_view> names;
    for (const ptx::Function* entry : entries) names.push_back(entry->name);
    return failure(Cause::badRequest,
                   fmt::format("{}: which of its {} kernels is {}? There are {}", baseName, entries.size(), wanted,
                               fmt::join(names, ", ")),
                   "put the exact symbol into the spec's `entry`");
}

json countersOf(const PromptInput& input) {
    json list = json::array();
    if (input.baseOutcome)
        for (const auto& [name, value] : input.baseOutcome->counters)
            list.push_back({{"text", fmt::format("{}: {}", name, value)}});
    return list;
}

json triedOf(const PromptInput& input) {
    json list = json::array();
    for (const TriedVersion& version : input.tried) {
        const StageOutcome* failed = version.outcome.firstFailure();
        std::string said = version.outcome.verdict;
        if (failed != nullptr)
            said += fmt::format(" at {}{}", failed->stage,
                                failed->findings.empty() ? "" : ": " + failed->findings.front().message);
        list.push_back({{"name", version.name},
                        {"title", version.title},
                        {"verdict", said},
                        {"figures", figuresText(version.outcome)}});
    }
    return list;
}

std::string registerList(const std::vector<RegionRegister>& registers) {
    std::vector<std::string> all;
    for (const RegionRegister& one : registers) all.push_back(fmt::format("{} (.{})", one.name, one.type));
    return all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "));
}

json regionFacts(const RegionView& view) {
    return {{"first", view.firstLine},
            {"last", view.lastLine},
            {"text", view.text},
            {"live_in", registerList(view.liveIn)},
            {"live_out", registerList(view.liveOut)},
            {"inner", registerList(view.inner)},
            {"kept_labels", fmt::format("{}", fmt::join(view.keptLabels, ", "))},
            {"exits", fmt::format("{}", fmt::join(view.exits, ", "))},
            {"falls_through", view.fallsThrough},
            {"divergent", view.isDivergent},
            {"barriers", fmt::format("{}", fmt::join(view.barriers, ", "))},
            {"pressure", view.pressureWords},
            {"pressure_predicates", view.pressurePredicates},
            {"loop_depth", view.loopDepth}};
}

json problemsOf(const std::vector<Diagnostic>& problems) {
    json list = json::array();
    for (const Diagnostic& problem : problems)
        list.push_back(
            {{"text",
              fmt::format("{}{}{}",
                          problem.place.line == 0 ? "" : fmt::format("line {} of your reply: ", problem.place.line),
                          problem.message, problem.hint.empty() ? "" : " (" + problem.hint + ")")}});
    return list;
}

class PromptMaker {
public:
    PromptMaker(const PromptInput& input, const PromptFolders& folders) : m_input(input), m_folders(folders) {}

    Expected<Prompt> make() {
        m_module = ptx::parse(m_input.base, m_input.baseName);
        if (m_module->hasErrors())
            for (const Diagnostic& problem : m_module->diagnostics)
                if (problem.severity == Severity::error) return std::unexpected(problem);
        const auto entry = entryOf(*m_module, m_input.kernel->spec.entry, m_input.baseName);
        if (!entry) return std::unexpected(entry.error());
        m_entry = *entry;
        if (auto done = facts(); !done) return std::unexpected(std::move(done.error()));
        // All of it first, then with less and less of the PTX.
        std::uint64_t room = UINT64_MAX;
        if (m_input.window > 0) {
            if (m_input.window <= m_input.maxTokens)
                return failure(Cause::badRequest,
                               fmt::format("the model's window of {} tokens has no room for an answer of {}",
                                           m_input.window, m_input.maxTokens),
                               "ask for a shorter answer, or choose another model");
            room = m_input.window - m_input.maxTokens;
        }
        for (std::uint64_t forPtx = room;;) {
            auto prompt = attempt(forPtx);
            if (!prompt || prompt->tokens <= room) return prompt;
            const std::uint64_t shown = estimateTokens(m_shown);
            forPtx = std::min(forPtx, shown) * 9 / 10;
            if (forPtx < 50)
                return failure(
                    Cause::badRequest,
                    fmt::format(
                        "the prompt has {} tokens, and the model's window of {} leaves {} beside an answer of {}",
                        prompt->tokens, m_input.window, room, m_input.maxTokens),
                    "choose a region (--region), a shorter answer, or a model with a larger window");
        }
    }

private:
    Expected<void> facts() {
        m_values = specFacts(*m_input.kernel);
        m_values.update(targetFacts(m_input.target));
        m_values["wish"] = m_input.wish;
        m_values["base_name"] = m_input.baseName;
        m_values["entry"] = m_entry->name;
        m_values["parameter_count"] = m_entry->parameters.size();
        m_values["base_figures"] = m_input.baseOutcome ? figuresText(*m_input.baseOutcome) : std::string{};
        m_values["counters"] = countersOf(m_input);
        json hardware = json::array();
        for (const auto& [name, value] : m_input.hardwareCounters) hardware.push_back({{"text", name + ": " + value}});
        m_values["hardware_counters"] = std::move(hardware);
        m_values["tried"] = triedOf(m_input);
        m_values["region"] = nullptr;
        if (m_input.region) {
            const auto view = regionOf(*m_module, *m_entry, *m_input.region);
            if (!view) return std::unexpected(view.error());
            m_values["region"] = regionFacts(*view);
        }
        const auto all = loadPatterns(m_folders.patterns, m_folders.ownPatterns);
        if (!all) return std::unexpected(all.error());
        json patterns = json::array();
        for (const Pattern& pattern : choosePatterns(*all, features(*m_module, *m_entry), m_input.target.arch)) {
            patterns.push_back({{"title", pattern.title}, {"helps", pattern.helps}, {"ptx", pattern.ptx}});
            m_patterns.push_back(pattern.name);
        }
        m_values["patterns"] = std::move(patterns);
        return {};
    }

    Expected<Prompt> attempt(std::uint64_t tokensForPtx) {
        const Condensed condensed = condense(*m_module, *m_entry, tokensForPtx);
        m_shown = condensed.text;
        m_values["base"] = condensed.text;
        m_values["base_is_whole"] = condensed.isWhole;
        m_values["omitted"] = fmt::format("{}", fmt::join(condensed.omitted, "; "));
        Prompt prompt;
        prompt.omitted = condensed.omitted;
        prompt.patterns = m_patterns;
        for (const auto& [role, name] :
             {std::pair{Role::system, "system"}, {Role::user, m_input.region ? "region" : "propose"}}) {
            const auto file = loadTemplate(name, m_folders.prompts, m_folders.ownPrompts);
            if (!file) return std::unexpected(file.error());
            auto text = render(file->text, m_values, file->file);
            if (!text) return std::unexpected(std::move(text.error()));
            prompt.messages.push_back({role, std::move(*text)});
            prompt.templates.push_back(fmt::format("{} {}{}", name,
                                                   file->version.empty() ? "without a version" : file->version,
                                                   file->isOwn ? " (own)" : ""));
        }
        prompt.sha256 = promptHash(prompt.messages);
        prompt.tokens = estimateTokens(prompt.messages);
        // A diff is about what was shown, as long as that is a file.
        prompt.context.base = condensed.isWhole ? condensed.text : m_input.base;
        prompt.context.entry = m_entry->name;
        prompt.context.parameterCount = static_cast<std::uint32_t>(m_entry->parameters.size());
        return prompt;
    }

    const PromptInput& m_input;
    const PromptFolders& m_folders;
    std::shared_ptr<const ptx::Module> m_module;
    const ptx::Function* m_entry = nullptr;
    json m_values;
    std::vector<std::string> m_patterns;
    std::string m_shown;
};

std::string valueText(double value) {
    return fmt::format("{:.9g}", value);
}

std::string threadText(const std::optional<Index3>& block, const std::optional<Index3>& thread) {
    std::string text;
    if (block) text += fmt::format(" block ({}, {}, {})", (*block)[0], (*block)[1], (*block)[2]);
    if (thread) text += fmt::format(" thread ({}, {}, {})", (*thread)[0], (*thread)[1], (*thread)[2]);
    return text;
}

std::string lineText(std::string_view ptx, std::uint32_t line) {
    const auto lines = linesOf(ptx);
    return line == 0 || line > lines.size() ? std::string{} : fmt::format(" `{}`", trimmed(lines[line - 1]));
}

} // namespace

Expected<Prompt> buildPrompt(const PromptInput& input, const PromptFolders& folders) {
    return PromptMaker(input, folders).make();
}

Expected<std::string> repairText(const PromptInput& input, const PromptFolders& folders, std::string_view ptx,
                                 const Outcome* outcome, const std::vector<Diagnostic>& problems) {
    json values{{"problems", problemsOf(problems)},
                {"failed_stage", ""},
                {"findings", json::array()},
                {"figures", ""},
                {"base_figures", input.baseOutcome ? figuresText(*input.baseOutcome) : std::string{}},
                {"passed", outcome != nullptr && outcome->passed()},
                {"more", 0},
                {"incomplete", ""},
                {"speed", ""},
                {"base_name", input.baseName},
                {"region", input.region.has_value()},
                {"tried", triedOf(input)}};
    if (outcome != nullptr) {
        values["figures"] = figuresText(*outcome);
        if (outcome->speedup)
            values["speed"] = fmt::format("{}: {:.3f} times the baseline's speed (95 % interval {:.3f} to {:.3f})",
                                          outcome->speedup->call, outcome->speedup->ratio, outcome->speedup->low,
                                          outcome->speedup->high);
        constexpr std::size_t most = 8;
        std::size_t count = 0;
        for (const StageOutcome& stage : outcome->stages) {
            if (stage.status == "fail" && values["failed_stage"] == "") values["failed_stage"] = stage.stage;
            if (stage.status == "inconclusive") values["incomplete"] = stage.stage + ": " + stage.reason;
            if (stage.status != "fail") continue;
            for (const Finding& finding : stage.findings)
                if (count++ < most)
                    values["findings"].push_back({{"stage", stage.stage}, {"text", findingText(finding, ptx)}});
        }
        values["more"] = count > most ? count - most : 0;
    }
    values["more_than_shown"] = values["more"] != 0;
    const auto file = loadTemplate("repair", folders.prompts, folders.ownPrompts);
    if (!file) return std::unexpected(file.error());
    return render(file->text, values, file->file);
}

std::string findingText(const Finding& finding, std::string_view ptx) {
    std::string text(name(finding.kind));
    if (finding.line > 0) text += fmt::format(" at line {}{}", finding.line, lineText(ptx, finding.line));
    text += ": " + finding.message;
    if (finding.got && finding.expected)
        text += fmt::format("; got {}, expected {}", valueText(*finding.got), valueText(*finding.expected));
    text += threadText(finding.block, finding.thread).empty() ? "" : ";" + threadText(finding.block, finding.thread);
    if (!finding.set.empty()) {
        std::vector<std::string> sizes;
        for (const auto& [symbol, value] : finding.set) sizes.push_back(fmt::format("{} = {}", symbol, value));
        text += fmt::format("; with {}", fmt::join(sizes, ", "));
    }
    if (finding.occurrences > 1) text += fmt::format("; {} times in all", finding.occurrences);
    if (!finding.hint.empty()) text += " (" + finding.hint + ")";
    for (const RelatedFinding& other : finding.related) {
        text +=
            fmt::format("\n  the other side{}{}{}",
                        other.line > 0 ? fmt::format(" at line {}{}", other.line, lineText(ptx, other.line)) : "",
                        other.access.empty() ? "" : " (" + other.access + ")", threadText(other.block, other.thread));
        if (!other.message.empty()) text += ": " + other.message;
    }
    return text;
}

std::string figuresText(const Outcome& outcome) {
    std::vector<std::string> parts;
    if (!outcome.resources.empty()) {
        const ResourceFigures& r = outcome.resources.front();
        parts.push_back(fmt::format("{} registers", r.registers));
        parts.push_back(fmt::format("{} bytes spilled", r.spillStoreBytes + r.spillLoadBytes));
        if (r.staticSharedBytes > 0)
            parts.push_back(fmt::format("{} bytes of static shared memory", r.staticSharedBytes));
    }
    if (!outcome.occupancy.empty())
        parts.push_back(fmt::format("occupancy {:.0f} % (limited by {})", outcome.occupancy.front().percent,
                                    outcome.occupancy.front().limiter));
    if (outcome.medianUs) parts.push_back(fmt::format("{:.2f} us", *outcome.medianUs));
    for (const auto& [name, value] : outcome.counters)
        if (name == "warp_instructions")
            parts.push_back(fmt::format("{} warp instructions in one run on the emulator", value));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace ptxwb::llm
