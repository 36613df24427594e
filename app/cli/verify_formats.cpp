#include "verify_formats.h"

#include "report/finding_text.h"
#include "verify_table.h"
#include "work_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;
using verify::CandidateResult;
using verify::StageResult;
using verify::Status;

/// A cell must hold no bar and no line break.
std::string cell(std::string text) {
    std::string safe;
    for (const char c : text) {
        if (c == '|')
            safe += "\\|";
        else
            safe += c == '\n' ? ' ' : c;
    }
    return safe;
}

std::string stagesCell(const CandidateResult& result) {
    std::string text;
    for (const StageResult& stage : result.stages) {
        if (stage.stage == verify::Stage::benchmark) continue;
        if (!text.empty()) text += ", ";
        text += fmt::format("{} {}", name(stage.stage), name(stage.status));
    }
    return text;
}

std::string judgeOf(const CandidateResult& result) {
    const StageResult* sanitize = find(result.stages, verify::Stage::sanitize);
    return sanitize && sanitize->status != Status::skipped ? sanitize->backend : "nobody";
}

std::string numbers(const CandidateResult& result) {
    if (result.resources.empty()) return " -";
    const verify::EntryResources& r = result.resources.front();
    return fmt::format(" {} registers, {}/{} B spilled, {} B shared", r.registers, r.spillStoreBytes, r.spillLoadBytes,
                       r.staticSharedBytes);
}

template <class Visit>
void forEachFinding(const CandidateResult& result, Visit&& visit) {
    for (const StageResult& stage : result.stages)
        if (stage.status != Status::pass)
            for (const Finding& finding : stage.findings) visit(stage, finding);
}

json region(const Finding& finding) {
    json value{{"startLine", finding.line}};
    if (finding.column != 0) value["startColumn"] = finding.column;
    if (finding.column != 0 && finding.length != 0) value["endColumn"] = finding.column + finding.length;
    return value;
}

json location(const std::string& file, const json& where) {
    json physical{{"artifactLocation", {{"uri", file}}}};
    if (!where.is_null()) physical["region"] = where;
    return {{"physicalLocation", std::move(physical)}};
}

json resultOf(const StageResult& stage, const Finding& finding, const std::string& file) {
    json related = json::array();
    for (const RelatedFinding& other : finding.related) {
        json place = location(file, other.line == 0 ? json(nullptr) : json{{"startLine", other.line}});
        place["message"] = {{"text", other.message}};
        related.push_back(std::move(place));
    }
    return {
        {"ruleId", name(finding.kind)},
        {"level", finding.kind == FindingKind::unsupported ? "note" : "error"},
        {"message", {{"text", fmt::format("{}: {}", name(stage.stage), report::diagnosticOf(finding, file).message)}}},
        {"locations", {location(file, finding.line == 0 ? json(nullptr) : region(finding))}},
        {"relatedLocations", std::move(related)}};
}

} // namespace

std::string markdown(const verify::VerifyReport& report, const std::vector<verify::CandidateText>& texts) {
    std::string text =
        fmt::format("### {}: {}, seed {}, ptxas {}\n\n| candidate | verdict | judged by | resources | stages "
                    "|\n|---|---|---|---|---|\n",
                    report.kernel, report.arch, report.seed, report.toolkit.empty() ? "not found" : report.toolkit);
    for (const CandidateResult& result : report.results)
        text += fmt::format("| {} | {} | {} |{} | {} |\n", cell(result.candidate), name(result.verdict),
                            judgeOf(result), numbers(result), stagesCell(result));
    const std::string times = timingText(report.results);
    text += times.empty() ? "\nTime was not measured.\n" : "\n```\n" + times + "```\n";
    if (const std::string work = workText(report.results); !work.empty()) text += "\n```\n" + work + "```\n";
    for (std::size_t i = 0; i < report.results.size(); ++i)
        forEachFinding(report.results[i], [&](const StageResult& stage, const Finding& finding) {
            text += fmt::format("- `{}:{}` {}: {}\n", texts[i].file, finding.line, name(stage.stage),
                                cell(report::diagnosticOf(finding, texts[i].file).message));
        });
    for (const CandidateResult& result : report.results) {
        std::vector<std::string> failed;
        for (const verify::CheckOutcome& check : result.checks)
            if (check.status == verify::CheckStatus::failed) failed.push_back(check.check);
        const auto passed =
            std::ranges::count(result.checks, verify::CheckStatus::passed, &verify::CheckOutcome::status);
        text += fmt::format("- {}: {} checks passed, {} failed{}", cell(result.candidate), passed, failed.size(),
                            failed.empty() ? "" : fmt::format(" ({})", fmt::join(failed, ", ")));
        if (result.strength)
            text += fmt::format("; {} of {} instructions reached, {} of {} ways of branches", result.strength->reached,
                                result.strength->instructions, result.strength->waysTaken, result.strength->branchWays);
        if (result.strength && result.strength->mutants)
            text += fmt::format("; {} of {} mutants noticed", result.strength->killed, result.strength->mutants);
        text += '\n';
    }
    return text;
}

json sarif(const verify::VerifyReport& report, const std::vector<verify::CandidateText>& texts) {
    json results = json::array(), rules = json::array();
    std::vector<std::string> known;
    for (std::size_t i = 0; i < report.results.size(); ++i)
        forEachFinding(report.results[i], [&](const StageResult& stage, const Finding& finding) {
            results.push_back(resultOf(stage, finding, texts[i].file));
            const std::string rule(name(finding.kind));
            if (std::ranges::find(known, rule) == known.end()) rules.push_back({{"id", known.emplace_back(rule)}});
        });
    const json driver{{"name", "ptxwb"}, {"version", PTXWB_VERSION}, {"rules", std::move(rules)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs",
             {{{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", std::move(results)}}}}};
}

} // namespace ptxwb::cli
