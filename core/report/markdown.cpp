#include "report/markdown.h"

#include "compare/print_text.h"
#include "report/finding_text.h"
#include "report/review_parts.h"
#include "report/text.h"

#include <fmt/format.h>

namespace ptxwb::report {

namespace {

using verify::CandidateResult;
using verify::CheckStatus;

std::string cell(std::string_view text) {
    return text.empty() ? std::string() : codeSpan(text, Inside::cell);
}

std::string factsTable(const std::vector<Fact>& facts) {
    if (facts.empty()) return {};
    std::string out = "| | |\n|---|---|\n";
    for (const Fact& fact : facts) out += fmt::format("| {} | {} |\n", cell(fact.label), cell(fact.value));
    return out + "\n";
}

std::string us(double value) {
    return fmt::format("{:.6g} us", value);
}

std::string summary(const Report& report) {
    std::string out = fmt::format("# Review report: {}\n\n", codeSpan(report.kernel));
    if (!report.title.empty()) out += codeSpan(report.title) + "\n\n";
    out += fmt::format("Session {}, written by ptxwb {}.\n\n",
                       report.session.empty() ? "never saved" : codeSpan(report.session), report.program);
    for (const std::string& note : report.notes) out += "> " + codeSpan(note) + "\n\n";
    if (report.subjects.empty()) return out;
    out += "| candidate | verdict | judged by | median | times the baseline's speed | call | origin |\n"
           "|---|---|---|---|---|---|---|\n";
    for (const Subject& subject : report.subjects) {
        std::string judge = "nobody", median = "-", ratio = "-", call = "-";
        if (subject.judgement) {
            const CandidateResult& result = subject.judgement->result;
            judge = cell(judgedBy(result));
            if (result.timing) median = us(result.timing->medianUs);
            if (result.speedup) {
                ratio = fmt::format("{:.3f} [{:.3f}, {:.3f}]", result.speedup->ratio, result.speedup->low,
                                    result.speedup->high);
                call = cell(result.speedup->call);
            }
        }
        std::string origin(session::name(subject.origin.kind));
        if (!subject.origin.model.empty()) origin += ", " + subject.origin.model;
        out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", cell(subject.name), name(subject.standing), judge,
                           median, ratio, call, cell(origin));
    }
    return out + "\n";
}

std::string kernelSection(const Report& report) {
    std::string out = "## What was compared\n\n";
    if (!report.intent.empty()) out += codeBlock(report.intent) + "\n";
    out += factsTable(report.kernelFacts);
    for (const SourceText& source : report.sources)
        out += codeSpan(source.name) + ":\n\n" + codeBlock(source.text) + "\n";
    return out;
}

std::string figures(const CandidateResult& result) {
    std::string out;
    for (const verify::EntryResources& r : result.resources)
        out +=
            fmt::format("- {} on {}: {} registers, {} B of spill stores, {} B of spill loads, {} B of stack, {} B of "
                        "static shared memory, {} barriers, {} B of constants\n",
                        codeSpan(r.entry), codeSpan(r.arch), r.registers, r.spillStoreBytes, r.spillLoadBytes,
                        r.stackBytes, r.staticSharedBytes, r.barriers, r.constantBytes);
    for (const verify::OccupancyFigure& o : result.occupancy)
        out += fmt::format("- occupancy on {}: {:.1f} %, {} blocks of {} threads per SM, limited by {}\n",
                           codeSpan(o.arch), o.percent, o.blocksPerSm, o.block, codeSpan(o.limiter));
    return out.empty() ? out : out + "\n";
}

std::string samples(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + fmt::format("{:.6g}", value);
    return text;
}

std::string timing(const CandidateResult& result) {
    if (!result.timing) return {};
    const verify::Timing& t = *result.timing;
    std::string out = fmt::format("Time of one launch, cold, {}, measured by {}: median {}, 10 to 90 %: {} to {}, {} "
                                  "samples, {} discarded",
                                  codeSpan(t.size), codeSpan(t.method), us(t.medianUs), us(t.p10Us), us(t.p90Us),
                                  t.samplesUs.size(), t.discarded);
    if (t.clockMhz > 0) out += fmt::format(", SM clock {:.0f} MHz", t.clockMhz);
    if (t.hotUs > 0) out += fmt::format("; hot {}", us(t.hotUs));
    if (t.graphUs > 0) out += fmt::format("; in a graph {}", us(t.graphUs));
    if (t.roofline && t.roofline->percent() > 0)
        out += fmt::format("; memory at {:.1f} %, arithmetic at {:.1f} % of the measured peaks",
                           t.roofline->memoryPercent, t.roofline->arithmeticPercent);
    out += fmt::format(".\n\nSamples in us: {}\n\n", samples(t.samplesUs));
    if (result.speedup)
        out += fmt::format("{} in the same rounds: {}\n\n", codeSpan(result.speedup->against),
                           samples(result.speedup->baselineSamplesUs));
    return out;
}

std::string stages(const CandidateResult& result) {
    std::string out = "| stage | status | on | launches | why |\n|---|---|---|---|---|\n";
    for (const verify::StageResult& stage : result.stages)
        out += fmt::format("| {} | {} | {} | {} | {} |\n", name(stage.stage), name(stage.status), cell(stage.backend),
                           stage.runs, cell(stage.reason));
    return out + "\n";
}

std::string findings(const Subject& subject) {
    const std::string file = subject.file.empty() ? subject.name + ".ptx" : subject.file;
    std::string text;
    for (const verify::StageResult& stage : subject.judgement->result.stages)
        for (const Finding& finding : stage.findings)
            text += fmt::format("[{}] ", name(stage.stage)) +
                    format(diagnosticOf(finding, file), subject.isJudgedText() ? subject.text : std::string());
    if (text.empty()) return {};
    std::string out = "Findings:\n\n";
    if (!subject.isJudgedText()) out += "The text has changed since: lines are those of the judged one.\n\n";
    return out + codeBlock(text) + "\n";
}

std::string checks(const CandidateResult& result) {
    if (result.checks.empty()) return "Single checks were not recorded when this was judged.\n\n";
    std::string out = "| check | outcome | what was found, or why it was not run |\n|---|---|---|\n";
    for (const verify::CheckOutcome& check : result.checks)
        out += fmt::format("| {} | {} | {} |\n", cell(check.check),
                           check.status == CheckStatus::notRun ? "not run" : name(check.status), cell(check.reason));
    return out + "\n";
}

std::string strength(const CandidateResult& result) {
    if (!result.strength) return {};
    const verify::Strength& s = *result.strength;
    std::string out = fmt::format("{} of {} instructions were reached, {} of {} ways of branches taken; ", s.reached,
                                  s.instructions, s.waysTaken, s.branchWays);
    out += s.mutants == 0 ? "no mutants were made (--deep makes them).\n\n"
                          : fmt::format("{} of {} mutants were noticed.\n\n", s.killed, s.mutants);
    for (const verify::Unreached& each : s.unreached)
        out += fmt::format("- line {}: {}\n", each.line, codeSpan(each.what));
    for (const verify::Survivor& each : s.survivors)
        out += fmt::format("- line {}: not noticed: {}\n", each.line, codeSpan(each.what));
    return s.unreached.empty() && s.survivors.empty() ? out : out + "\n";
}

std::string judgedOn(const session::Judgement& judgement) {
    const CandidateResult& result = judgement.result;
    const auto orElse = [](const std::string& text, const char* without) {
        return text.empty() ? std::string(without) : codeSpan(text);
    };
    std::string out =
        fmt::format("Judged by {}; device {}; ", codeSpan(judgedBy(result)), orElse(result.device, "none"));
    if (!result.device.empty()) out += fmt::format("driver {}; ", orElse(result.driver, "not recorded"));
    out += fmt::format("ptxas {}; target {}; seed {}; ptxwb {}.\n\n", orElse(judgement.toolkit, "not found"),
                       orElse(judgement.arch, "not recorded"), judgement.seed, orElse(result.program, "not recorded"));
    for (const verify::OtherAssembler& each : result.assemblers)
        out += fmt::format("- {}: {}\n", codeSpan(each.name + " " + each.version), assemblerText(result, each));
    return result.assemblers.empty() ? out : out + "\n";
}

std::string subjectSection(const Report& report, const Subject& subject) {
    std::string out = fmt::format("## {}: {}\n\n", codeSpan(subject.name), name(subject.standing));
    out += factsTable(subject.header);
    if (subject.judgement) {
        const CandidateResult& result = subject.judgement->result;
        if (subject.standing == Standing::stale)
            out += fmt::format("{} has changed since this was judged. The verdict was: {}.\n\n",
                               subject.isJudgedText() ? "The kernel's spec" : "The text", name(result.verdict));
        if (subject.judgement->hasOlderFigures())
            out += "The figures of registers and occupancy are those of an earlier text: the judged one did not "
                   "assemble.\n\n";
        out += judgedOn(*subject.judgement) + stages(result) + findings(subject) + figures(result) + timing(result) +
               checks(result) + strength(result);
    } else {
        out += "It was not judged.\n\n";
    }
    if (const Subject* baseline = baselineOf(report); baseline && subject.comparison)
        out +=
            "Comparison with the baseline:\n\n" +
            codeBlock(compare::printText(*subject.comparison, "baseline", baseline->text, subject.name, subject.text),
                      "diff") +
            "\n";
    return out;
}

std::string hashesAndReplay(const Report& report) {
    std::string out = "## Hashes (SHA-256)\n\n| of | file | SHA-256 |\n|---|---|---|\n";
    for (const NamedHash& hash : report.hashes)
        out += fmt::format("| {} | {} | {} |\n", cell(hash.what), cell(hash.file), cell(hash.sha256));
    out += "\n## How to replay\n\nIn the folder of the session:\n\n";
    std::string commands;
    for (const Subject& subject : report.subjects)
        for (const std::string& line : subject.replay) commands += line + '\n';
    return out + codeBlock(commands, "sh");
}

} // namespace

std::string toMarkdown(const Report& report) {
    std::string out = summary(report) + kernelSection(report);
    for (const Subject& subject : report.subjects) out += subjectSection(report, subject);
    return out + reviewMarkdown(report) + hashesAndReplay(report);
}

} // namespace ptxwb::report
