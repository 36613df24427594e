#include "report/excerpt.h"
#include "report/finding_text.h"
#include "report/html_parts.h"
#include "report/text.h"
#include "verify/checks.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::report {

namespace {

using verify::CheckOutcome;
using verify::CheckStatus;
using verify::Status;

std::string statusBadge(Status status) {
    return badge(status == Status::pass ? "pass" : status == Status::fail ? "fail" : "open", name(status));
}

std::string stagesTable(const verify::CandidateResult& result) {
    std::string rows;
    for (const verify::StageResult& stage : result.stages)
        rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"number\">{}</td><td "
                            "class=\"number\">{:.3f} s</td><td>{}</td></tr>\n",
                            name(stage.stage), statusBadge(stage.status), html(stage.backend), stage.runs,
                            stage.seconds, html(stage.reason));
    return fmt::format("<div class=\"scroll\"><table class=\"stages\"><thead><tr><th scope=\"col\">stage</th><th "
                       "scope=\"col\">status</th><th scope=\"col\">on</th><th scope=\"col\" "
                       "class=\"number\">launches</th><th scope=\"col\" class=\"number\">took</th><th "
                       "scope=\"col\">why</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
                       rows);
}

std::string excerptHtml(const Finding& finding, std::string_view text) {
    const auto lines = excerptOf(finding, text);
    if (lines.empty()) return {};
    std::string out = "<table class=\"code excerpt\"><tbody>\n";
    for (const ExcerptLine& line : lines) {
        if (line.afterGap) out += "<tr class=\"gap\"><td class=\"at\">...</td><td></td></tr>\n";
        out += fmt::format("<tr class=\"{}\"><td class=\"at\">{}</td><td>{}</td></tr>\n", name(line.role), line.number,
                           html(line.text));
    }
    return out + "</tbody></table>\n";
}

std::string triple(const Index3& at) {
    return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

std::string detailsOf(const Finding& finding) {
    std::vector<Fact> facts;
    if (!finding.argument.empty()) {
        std::string where = finding.argument;
        for (const std::uint64_t index : finding.index) where += fmt::format("[{}]", index);
        facts.push_back({"argument", where});
    }
    const auto value = [&](const char* label, const std::optional<double>& number) {
        if (number) facts.push_back({label, fmt::format("{:.9g}", *number)});
    };
    value("got", finding.got);
    value("expected", finding.expected);
    value("allowed difference", finding.allowed);
    if (finding.block) facts.push_back({"block", triple(*finding.block)});
    if (finding.thread) facts.push_back({"thread", triple(*finding.thread)});
    if (finding.address) facts.push_back({"address", fmt::format("byte {}", *finding.address)});
    if (finding.bytes) facts.push_back({"size of the access", fmt::format("{} B", *finding.bytes)});
    return factsTable(facts);
}

std::string findingHtml(const Report& report, const Subject& subject, const verify::StageResult& stage,
                        const Finding& finding) {
    const bool isWarning = stage.status == Status::pass || finding.check == "ptxas_warning";
    std::string at = finding.line ? fmt::format(", line {}", finding.line) : "";
    std::string out = fmt::format("<div class=\"finding{}\">\n<p>{} in {}{}{}: {}{}</p>\n", isWarning ? " warning" : "",
                                  badge(isWarning ? "stale" : "fail", name(finding.kind)), name(stage.stage),
                                  finding.check.empty() ? "" : ", check " + html(finding.check), at,
                                  html(finding.message), html(conditions(finding)));
    out += detailsOf(finding);
    if (subject.isJudgedText()) out += excerptHtml(finding, subject.text);
    for (const RelatedFinding& related : finding.related) {
        out += fmt::format("<p>Line {}: {}", related.line, html(related.message));
        if (related.block) out += ", block " + triple(*related.block);
        if (related.thread) out += ", thread " + triple(*related.thread);
        out += "</p>\n";
    }
    if (finding.cuda) {
        out += fmt::format("<p>CUDA line: {}:{}</p>\n", html(finding.cuda->file), finding.cuda->line);
        for (const SourceText& source : report.sources)
            if (source.name == finding.cuda->file)
                if (const auto line = lineOf(source.text, finding.cuda->line); !line.empty())
                    out += fmt::format("<pre>{}</pre>\n", html(line));
    }
    if (!finding.hint.empty()) out += fmt::format("<p class=\"muted\">Hint: {}</p>\n", html(finding.hint));
    return out + "</div>\n";
}

std::string findingsHtml(const Report& report, const Subject& subject) {
    std::string all;
    for (const verify::StageResult& stage : subject.judgement->result.stages)
        for (const Finding& finding : stage.findings) all += findingHtml(report, subject, stage, finding);
    if (all.empty()) return {};
    std::string out = "<h3>Findings</h3>\n";
    if (!subject.isJudgedText())
        out += "<p class=\"note\">The text has changed since it was judged: lines are those of the earlier text and "
               "cannot be shown.</p>\n";
    return out + all;
}

std::string checksHtml(const verify::CandidateResult& result) {
    if (result.checks.empty()) return "<h3>Checks</h3>\n<p>Single checks were not recorded when this was judged.</p>\n";
    std::string rows;
    std::size_t passed = 0, failed = 0, notRun = 0;
    for (const CheckOutcome& outcome : result.checks) {
        const verify::Check* check = verify::findCheck(outcome.check);
        ++(outcome.status == CheckStatus::passed ? passed : outcome.status == CheckStatus::failed ? failed : notRun);
        const std::string_view kind = outcome.status == CheckStatus::passed   ? "pass"
                                      : outcome.status == CheckStatus::failed ? "fail"
                                                                              : "open";
        rows += fmt::format("<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            html(outcome.check),
                            badge(kind, outcome.status == CheckStatus::notRun ? "not run" : name(outcome.status)),
                            check ? html(check->what) : "not known to this version",
                            outcome.reason.empty()                  ? ""
                            : outcome.status == CheckStatus::notRun ? "because " + html(outcome.reason)
                                                                    : html(outcome.reason));
    }
    return fmt::format(
        "<h3>Checks</h3>\n<details{}><summary>{} passed, {} failed, {} not run</summary>\n<div "
        "class=\"scroll\"><table class=\"checks\"><thead><tr><th scope=\"col\">check</th><th "
        "scope=\"col\">outcome</th><th scope=\"col\">what it makes sure of</th><th scope=\"col\">what "
        "was found, or why it was not run</th></tr></thead><tbody>\n{}</tbody></table></div></details>\n",
        failed ? " open=\"open\"" : "", passed, failed, notRun, rows);
}

std::string strengthHtml(const Subject& subject) {
    const auto& strength = subject.judgement->result.strength;
    if (!strength) return {};
    std::string out = fmt::format(
        "<h3>How much the tests would have noticed</h3>\n<p>{} of {} instructions were "
        "reached, {} of {} ways of branches taken; {}.</p>\n",
        strength->reached, strength->instructions, strength->waysTaken, strength->branchWays,
        strength->mutants == 0 ? std::string("no mutants were made (--deep makes them)")
                               : fmt::format("{} of {} mutants were noticed", strength->killed, strength->mutants));
    std::string items;
    const auto item = [&](std::uint32_t line, const std::string& what) {
        items += fmt::format("<li>line {}: {}", line, html(what));
        if (subject.isJudgedText())
            if (const auto code = lineOf(subject.text, line); !code.empty())
                items += fmt::format(" <code>{}</code>", html(code));
        items += "</li>\n";
    };
    for (const verify::Unreached& each : strength->unreached) item(each.line, each.what);
    for (const verify::Survivor& each : strength->survivors) item(each.line, "not noticed: " + each.what);
    return items.empty() ? out : out + "<ul>\n" + items + "</ul>\n";
}

std::string judgedOn(const Subject& subject) {
    const session::Judgement& judgement = *subject.judgement;
    std::vector<Fact> facts{{"judged by", judgedBy(judgement.result)}};
    const auto add = [&](const char* label, const std::string& value, const char* without) {
        facts.push_back({label, value.empty() ? without : value});
    };
    add("device", judgement.result.device, "none: no GPU judged");
    if (!judgement.result.device.empty()) add("driver", judgement.result.driver, "not recorded");
    add("ptxas", judgement.toolkit, "not found");
    add("target", judgement.arch, "not recorded");
    facts.push_back({"seed", std::to_string(judgement.seed)});
    add("ptxwb", judgement.result.program, "not recorded");
    for (const verify::OtherAssembler& each : judgement.result.assemblers)
        facts.push_back({fmt::format("{} {}", each.name, each.version), assemblerText(judgement.result, each)});
    if (!judgement.result.sameMachineCodeAs.empty())
        facts.push_back({"same machine code as", judgement.result.sameMachineCodeAs});
    return factsTable(facts);
}

} // namespace

std::string subjectSection(const Report& report, const Subject& subject) {
    std::string out = fmt::format("<h2 id=\"subject-{}\">{} {}</h2>\n", &subject - report.subjects.data(),
                                  html(subject.name), standingBadge(subject.standing));
    out += factsTable(subject.header);
    if (subject.judgement) {
        if (subject.standing == Standing::stale)
            out += fmt::format("<p class=\"note\">{} The verdict was: {}.</p>\n",
                               subject.isJudgedText() ? "The kernel's spec has changed since this was judged."
                                                      : "The text has changed since this was judged.",
                               name(subject.judgement->result.verdict));
        out += judgedOn(subject) + stagesTable(subject.judgement->result) + findingsHtml(report, subject) +
               checksHtml(subject.judgement->result) + strengthHtml(subject);
    } else {
        out += "<p>It was not judged.</p>\n";
    }
    const Subject* baseline = baselineOf(report);
    if (subject.comparison && baseline)
        out += "<h3>Comparison with the baseline</h3>\n" + comparisonHtml(*baseline, subject);
    else
        out += fmt::format("<details><summary>The PTX</summary>\n<pre>{}</pre>\n</details>\n", html(subject.text));
    return out;
}

} // namespace ptxwb::report
