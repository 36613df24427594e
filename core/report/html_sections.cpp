#include "report/html_parts.h"
#include "report/text.h"

#include <fmt/format.h>

namespace ptxwb::report {

namespace {

std::string cell(std::string_view text) {
    return fmt::format("<td>{}</td>", html(text));
}
std::string number(std::string_view text) {
    return fmt::format("<td class=\"number\">{}</td>", html(text));
}

std::string head(std::initializer_list<std::string_view> columns) {
    std::string out = "<thead><tr>";
    for (std::string_view column : columns) {
        const bool isNumber = column.starts_with('#');
        if (isNumber) column.remove_prefix(1);
        out += fmt::format("<th scope=\"col\"{}>{}</th>", isNumber ? " class=\"number\"" : "", html(column));
    }
    return out + "</tr></thead>";
}

std::string table(const std::string& headRow, const std::string& rows) {
    return fmt::format("<div class=\"scroll\"><table>{}<tbody>\n{}</tbody></table></div>\n", headRow, rows);
}

std::string linkTo(const Report& report, const Subject& subject) {
    return fmt::format("<td><a href=\"#subject-{}\">{}</a></td>", &subject - report.subjects.data(),
                       html(subject.name));
}

std::string speedupText(const verify::CandidateResult& result) {
    if (!result.speedup) return "-";
    return fmt::format("{:.3f} [{:.3f}, {:.3f}]", result.speedup->ratio, result.speedup->low, result.speedup->high);
}

std::string callBadge(const verify::CandidateResult& result) {
    if (!result.speedup) return {};
    const std::string& call = result.speedup->call;
    return badge(call == "faster" ? "pass" : call == "slower" ? "fail" : "open", call);
}

std::string originText(const session::Origin& origin) {
    std::string text(session::name(origin.kind));
    for (const std::string& part : {origin.provider, origin.model, origin.time})
        if (!part.empty()) text += ", " + part;
    return text;
}

std::string summaryRow(const Report& report, const Subject& subject) {
    std::string row = "<tr>" + linkTo(report, subject) + "<td>" + standingBadge(subject.standing) + "</td>";
    if (!subject.judgement)
        return row + cell("nobody") + number("-") + number("-") + "<td></td>" + cell(originText(subject.origin)) +
               cell(subject.parent) + "</tr>\n";
    const verify::CandidateResult& result = subject.judgement->result;
    row += cell(judgedBy(result));
    row += number(result.timing ? formatUs(result.timing->medianUs) : "-");
    row += number(speedupText(result)) + "<td>" + callBadge(result) + "</td>";
    return row + cell(originText(subject.origin)) + cell(subject.parent) + "</tr>\n";
}

std::string resourceRow(const Subject& subject, const verify::EntryResources& r) {
    std::string row = "<tr>" + cell(subject.name) + cell(r.arch) + cell(r.entry);
    for (const std::uint32_t value : {r.registers, r.spillStoreBytes, r.spillLoadBytes, r.stackBytes,
                                      r.staticSharedBytes, r.barriers, r.constantBytes})
        row += number(std::to_string(value));
    return row + "</tr>\n";
}

std::string occupancyRow(const Subject& subject, const verify::OccupancyFigure& o) {
    return "<tr>" + cell(subject.name) + cell(o.arch) + number(std::to_string(o.block)) +
           number(std::to_string(o.blocksPerSm)) + number(std::to_string(o.warpsPerSm)) +
           number(fmt::format("{:.1f} %", o.percent)) + cell(o.limiter) + "</tr>\n";
}

std::string timingRow(const Subject& subject, const verify::Timing& t) {
    const auto orDash = [](double us) { return us > 0 ? formatUs(us) : std::string("-"); };
    const std::string clock = t.clockMhz > 0 ? fmt::format("{:.0f} MHz", t.clockMhz) : "-";
    const auto roofline = [&]() -> std::string {
        if (!t.roofline || t.roofline->percent() <= 0) return "-";
        const bool isMemory = t.roofline->memoryPercent >= t.roofline->arithmeticPercent;
        return fmt::format("{:.1f} % of {}", t.roofline->percent(), isMemory ? "memory" : t.roofline->rate);
    };
    return "<tr>" + cell(subject.name) + number(formatUs(t.medianUs)) + number(formatUs(t.p10Us)) +
           number(formatUs(t.p90Us)) + number(orDash(t.hotUs)) + number(orDash(t.graphUs)) +
           number(std::to_string(t.samplesUs.size())) + number(std::to_string(t.discarded)) + number(clock) +
           cell(roofline()) + cell(t.size) + cell(t.method) + "</tr>\n";
}

std::string rawSamples(const Subject& subject) {
    const auto list = [](const std::vector<double>& samples) {
        std::string text;
        for (const double sample : samples) text += (text.empty() ? "" : ", ") + fmt::format("{:.6g}", sample);
        return text;
    };
    const verify::CandidateResult& result = subject.judgement->result;
    std::string out = fmt::format("<details><summary>Raw samples in us, in the order of the rounds</summary>\n"
                                  "<p>{}: <code>{}</code></p>\n",
                                  html(subject.name), list(result.timing->samplesUs));
    if (result.speedup)
        out += fmt::format("<p>{}, in the same rounds: <code>{}</code></p>\n", html(result.speedup->against),
                           list(result.speedup->baselineSamplesUs));
    return out + "</details>\n";
}

} // namespace

std::string factsTable(const std::vector<Fact>& facts) {
    if (facts.empty()) return {};
    std::string rows;
    for (const Fact& fact : facts)
        rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", html(fact.label), html(fact.value));
    return fmt::format("<div class=\"scroll\"><table class=\"facts\"><tbody>\n{}</tbody></table></div>\n", rows);
}

std::string badge(std::string_view kind, std::string_view word) {
    return fmt::format("<span class=\"badge {}\">{}</span>", kind, html(word));
}

std::string standingBadge(Standing standing) {
    switch (standing) {
    case Standing::pass: return badge("pass", name(standing));
    case Standing::fail: return badge("fail", name(standing));
    case Standing::stale: return badge("stale", name(standing));
    case Standing::incomplete:
    case Standing::notJudged: break;
    }
    return badge("open", name(standing));
}

std::string formatUs(double microseconds) {
    return fmt::format("{:.6g} us", microseconds);
}

std::string summarySection(const Report& report) {
    std::string out = fmt::format("<h1>{}</h1>\n", html(report.kernel));
    if (!report.title.empty()) out += fmt::format("<p>{}</p>\n", html(report.title));
    out += fmt::format("<p class=\"muted\">Review report of {}, written by ptxwb {}</p>\n",
                       report.session.empty() ? "a session that was never saved" : html(report.session),
                       html(report.program));
    for (const std::string& note : report.notes) out += fmt::format("<p class=\"note\">{}</p>\n", html(note));
    if (report.subjects.empty()) return out;
    std::string rows;
    for (const Subject& subject : report.subjects) rows += summaryRow(report, subject);
    out += "<h2 id=\"verdicts\">Verdicts</h2>\n";
    return out + table(head({"candidate", "verdict", "judged by", "#median", "#times the baseline's speed", "",
                             "origin", "made from"}),
                       rows);
}

std::string kernelSection(const Report& report) {
    std::string out = "<h2 id=\"kernel\">What was compared</h2>\n";
    if (!report.intent.empty()) out += fmt::format("<p>{}</p>\n", html(report.intent));
    out += factsTable(report.kernelFacts);
    for (const SourceText& source : report.sources)
        out += fmt::format("<details><summary>{}</summary>\n<pre>{}</pre>\n</details>\n", html(source.name),
                           html(source.text));
    return out;
}

std::string figuresSection(const Report& report) {
    std::string resources, occupancy, older;
    for (const Subject& subject : report.subjects) {
        if (!subject.judgement) continue;
        for (const auto& each : subject.judgement->result.resources) resources += resourceRow(subject, each);
        for (const auto& each : subject.judgement->result.occupancy) occupancy += occupancyRow(subject, each);
        if (subject.judgement->hasOlderFigures())
            older += fmt::format("<p class=\"note\">The figures of {} are those of an earlier text: the judged one did "
                                 "not assemble.</p>\n",
                                 html(subject.name));
    }
    if (resources.empty() && occupancy.empty()) return {};
    std::string out = "<h2 id=\"resources\">Resources and occupancy</h2>\n" + older;
    if (!resources.empty())
        out += table(head({"candidate", "target", "entry", "#registers", "#spill stores, B", "#spill loads, B",
                           "#stack, B", "#static shared, B", "#barriers", "#constant, B"}),
                     resources);
    if (!occupancy.empty())
        out += occupancyPlot(report) + table(head({"candidate", "target", "#threads of a block", "#blocks per SM",
                                                   "#warps per SM", "#occupancy", "limited by"}),
                                             occupancy);
    return out;
}

std::string timingSection(const Report& report) {
    std::string rows, plots;
    for (const Subject& subject : report.subjects) {
        if (!subject.judgement || !subject.judgement->result.timing) continue;
        rows += timingRow(subject, *subject.judgement->result.timing);
        plots += fmt::format("<h3>{} {}</h3>\n{}{}", html(subject.name), callBadge(subject.judgement->result),
                             samplesPlot(subject), rawSamples(subject));
    }
    std::string out = "<h2 id=\"timing\">Timing</h2>\n";
    if (rows.empty()) return out + "<p>Time was not measured: it is only ever measured on a GPU.</p>\n";
    out += "<p>One launch each, the L2 cache flushed before. The ratio is the baseline's time over the candidate's in "
           "the same rounds, with its 95 % interval.</p>\n";
    return out +
           table(head({"candidate", "#median", "#10 %", "#90 %", "#hot", "#in a graph", "#samples", "#discarded",
                       "#SM clock", "roofline", "size", "method"}),
                 rows) +
           plots;
}

std::string hashesSection(const Report& report) {
    std::string rows;
    for (const NamedHash& hash : report.hashes)
        rows += "<tr>" + cell(hash.what) + cell(hash.file) +
                fmt::format("<td><code class=\"hash\">{}</code></td></tr>\n", html(hash.sha256));
    return rows.empty() ? std::string{}
                        : "<h2 id=\"hashes\">Hashes (SHA-256)</h2>\n" + table(head({"of", "file", "SHA-256"}), rows);
}

std::string replaySection(const Report& report) {
    std::string out = "<h2 id=\"replay\">How to replay</h2>\n<p>In the folder of the session:</p>\n";
    for (const Subject& subject : report.subjects) {
        std::string lines;
        for (const std::string& line : subject.replay) lines += html(line) + '\n';
        out += fmt::format("<h3>{}</h3>\n<pre>{}</pre>\n", html(subject.name), lines);
    }
    return report.subjects.empty() ? std::string{} : out;
}

} // namespace ptxwb::report
