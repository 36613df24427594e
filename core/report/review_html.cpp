#include "report/html_parts.h"
#include "report/review_parts.h"
#include "report/text.h"
#include "review/comments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::report {

namespace {

using session::ReviewState;

std::string_view badgeOf(ReviewState state) {
    return state == ReviewState::approved ? "pass" : state == ReviewState::rejected ? "fail" : "open";
}

std::string decisionHtml(const session::Decision& decision, const std::vector<std::string>* changes) {
    std::string out = "<p>" + badge(badgeOf(decision.state), review::words(decision.state));
    if (changes && !changes->empty()) out += " " + badge("stale", "withdrawn");
    if (!changes) out += " " + badge("stale", "earlier");
    out += fmt::format(" {} {}", html(decision.reviewer), html(decision.time));
    if (!decision.targets.empty()) out += " for " + html(fmt::format("{}", fmt::join(decision.targets, ", ")));
    out += "</p>\n";
    if (changes && !changes->empty()) {
        out += "<ul>\n";
        for (const std::string& change : *changes) out += fmt::format("<li>{}</li>\n", html(change));
        out += "</ul>\n";
    }
    return decision.reason.empty() ? out : out + fmt::format("<pre>{}</pre>\n", html(decision.reason));
}

std::string checklistHtml(const Reviewed& reviewed) {
    std::string rows;
    std::size_t met = 0, failed = 0;
    for (const review::Item& item : reviewed.checklist) {
        met += item.state == review::ItemState::met;
        failed += item.state == review::ItemState::failed;
        rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", html(item.group),
                            badge(item.state == review::ItemState::met      ? "pass"
                                  : item.state == review::ItemState::failed ? "fail"
                                                                            : "open",
                                  review::name(item.state)),
                            html(item.title), html(item.detail));
    }
    return fmt::format(
        "<details><summary>Checklist: {} met, {} failed, {} open</summary>\n"
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">part</th><th scope=\"col\">state</th>"
        "<th scope=\"col\">what</th><th scope=\"col\">detail</th></tr></thead><tbody>\n{}</tbody></table>"
        "</div></details>\n",
        met, failed, reviewed.checklist.size() - met - failed, rows);
}

std::string reviewedHtml(const Reviewed& reviewed) {
    std::string out = fmt::format("<h3>{}</h3>\n", html(reviewed.name));
    if (reviewed.decisions.empty()) out += "<p>" + badge("open", "not decided") + "</p>\n";
    for (std::size_t i = reviewed.decisions.size(); i-- > 0;)
        out += decisionHtml(reviewed.decisions[i], i + 1 == reviewed.decisions.size() ? &reviewed.changes : nullptr);
    if (!reviewed.authors.empty())
        out += fmt::format("<p>Written by {}.</p>\n", html(fmt::format("{}", fmt::join(reviewed.authors, ", "))));
    return out + checklistHtml(reviewed);
}

std::string commentHtml(const Report& report, const session::Comment& comment) {
    std::string out = fmt::format("<h3>{}, {} {}</h3>\n<p class=\"muted\">{} {}</p>\n",
                                  html(subjectName(report, comment)), html(review::place(comment)),
                                  badge(comment.resolved ? "pass" : "open", comment.resolved ? "resolved" : "open"),
                                  html(comment.author), html(comment.time));
    std::string code;
    for (const std::string& line : linesOf(comment)) code += html(line) + '\n';
    if (!code.empty()) out += fmt::format("<pre>{}</pre>\n", code);
    out += fmt::format("<p>{}</p>\n", html(comment.text));
    for (const session::Reply& reply : comment.replies)
        out += fmt::format("<p class=\"muted\">{} {}</p>\n<p>{}</p>\n", html(reply.author), html(reply.time),
                           html(reply.text));
    if (comment.resolved && !comment.resolvedBy.empty())
        out += fmt::format("<p class=\"muted\">resolved by {}</p>\n", html(comment.resolvedBy));
    return out;
}

} // namespace

const std::vector<std::string>& linesOf(const session::Comment& comment) {
    return comment.lost ? comment.quote : comment.anchor.lines;
}

const std::string& subjectName(const Report& report, const session::Comment& comment) {
    const Subject* subject = findSubject(report, comment.candidate);
    return subject ? subject->name : comment.candidate;
}

std::string reviewSection(const Report& report) {
    const ReviewState state = session::stateOf(report.review);
    std::string out =
        fmt::format("<h2 id=\"review\">Review</h2>\n<p>{}</p>\n", badge(badgeOf(state), review::words(state)));
    for (const session::Decision& decision : report.review.decisions)
        if (decision.candidate.empty()) {
            const std::vector<std::string> unbound{"it was made by an earlier version and is bound to nothing"};
            out += decisionHtml(decision, &unbound);
        }
    for (const Reviewed& reviewed : report.reviewed) out += reviewedHtml(reviewed);
    for (const session::Comment& comment : report.review.comments) out += commentHtml(report, comment);
    return out;
}

} // namespace ptxwb::report
