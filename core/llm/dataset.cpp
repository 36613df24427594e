#include "llm/dataset.h"

#include "llm/stitch_names.h"
#include "ptx/lexer.h"
#include "ptx/parse.h"
#include "support/finding_json.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

} // namespace

std::string normalisedPtx(const std::string& text) {
    const auto module = ptx::parse(text);
    std::vector<OwnName> names;
    if (!module->hasErrors())
        for (const ptx::Function& function : module->functions) {
            for (const ptx::RegisterGroup& group : function.registers)
                names.push_back({std::string(group.stem), group.count, false, 0});
            for (const ptx::Label& label : function.labels) names.push_back({std::string(label.name), 0, true, 0});
        }
    std::map<std::string, std::string> renamed;
    std::string out;
    ptx::Lexer lexer(text);
    const auto skip = [&](ptx::Token& token, char end) { // past the mark; the line's end ends it, too, where `end` is 0
        do token = lexer.next();
        while (token.kind != ptx::TokenKind::end && !(end == 0 ? token.startsLine : token.is(end)));
        if (end != 0 && token.kind != ptx::TokenKind::end) token = lexer.next();
    };
    for (ptx::Token token = lexer.next(); token.kind != ptx::TokenKind::end;) {
        const std::string_view word = std::string_view(text).substr(token.offset, token.length);
        if (token.kind == ptx::TokenKind::directive && isOneOf(word, {".loc", ".file"})) {
            skip(token, 0);
            continue;
        }
        if (token.kind == ptx::TokenKind::directive && word == ".section") {
            skip(token, '}');
            continue;
        }
        if (token.kind == ptx::TokenKind::directive && word == ".reg" && !names.empty()) {
            skip(token, ';'); // types show in the instructions, counts do not matter
            continue;
        }
        std::string shown(word);
        if (token.kind == ptx::TokenKind::word) {
            const std::string_view stem = word.substr(0, word.find('.'));
            const auto own = std::ranges::find_if(names, [&](const OwnName& name) { return name.covers(stem); });
            if (own != names.end()) {
                const auto [at, isNew] =
                    renamed.emplace(std::string(stem), fmt::format("{}{}", own->isLabel ? "L" : "%", renamed.size()));
                shown = at->second + std::string(word.substr(stem.size()));
            }
        }
        out += shown;
        token = lexer.next();
        out += token.startsLine ? '\n' : ' ';
    }
    while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
    return out;
}

bool Dataset::add(const DatasetEntry& entry) {
    const std::string normalised = sha256Hex(normalisedPtx(entry.ptx));
    if (!m_seen.insert(entry.kernel + '\n' + entry.arch + '\n' + normalised).second) {
        ++m_duplicates;
        return false;
    }
    json stages = json::object(), reason = nullptr, resources = json::array();
    for (const StageOutcome& stage : entry.outcome.stages) stages[stage.stage] = stage.status;
    if (const StageOutcome* failed = entry.outcome.firstFailure()) {
        reason = {{"stage", failed->stage}, {"kind", nullptr}, {"message", failed->reason}, {"line", nullptr}};
        if (!failed->findings.empty()) {
            const Finding& finding = failed->findings.front();
            reason["kind"] = name(finding.kind);
            reason["message"] = finding.message;
            if (finding.line > 0) reason["line"] = finding.line;
        }
    }
    for (const ResourceFigures& r : entry.outcome.resources)
        resources.push_back({{"arch", r.arch},
                             {"registers", r.registers},
                             {"spill_bytes", r.spillStoreBytes + r.spillLoadBytes},
                             {"shared_bytes", r.staticSharedBytes}});
    json counters = json::object();
    for (const auto& [key, value] : entry.outcome.counters) counters[key] = value;
    const auto orNull = [](const std::string& text) { return text.empty() ? json(nullptr) : json(text); };
    const json line{{"schema", 1},
                    {"kernel", entry.kernel},
                    {"title", entry.title},
                    {"intent", entry.intent},
                    {"cuda", orNull(entry.cuda)},
                    {"arch", entry.arch},
                    {"entry", entry.entry},
                    {"name", entry.name},
                    {"ptx", entry.ptx},
                    {"normalised_sha256", normalised},
                    {"provenance",
                     {{"kind", entry.provenance.kind},
                      {"provider", orNull(entry.provenance.provider)},
                      {"model", orNull(entry.provenance.model)},
                      {"prompt_sha256", orNull(entry.provenance.promptSha256)},
                      {"toolkit", orNull(entry.provenance.toolkit)}}},
                    {"verdict", entry.outcome.verdict},
                    {"stages", std::move(stages)},
                    {"reason", std::move(reason)},
                    {"resources", std::move(resources)},
                    {"counters", std::move(counters)},
                    {"device", orNull(entry.outcome.device)},
                    {"speedup", entry.outcome.speedup ? json{{"ratio", entry.outcome.speedup->ratio},
                                                             {"low", entry.outcome.speedup->low},
                                                             {"high", entry.outcome.speedup->high},
                                                             {"call", entry.outcome.speedup->call}}
                                                      : json(nullptr)}};
    m_text += line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    ++m_count;
    return true;
}

} // namespace ptxwb::llm
