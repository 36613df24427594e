#include "report/review_parts.h"
#include "report/text.h"
#include "review/comments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::report {

namespace {

std::string decisionText(const session::Decision& decision, std::string_view remark) {
    std::string out = fmt::format("- {}{}", review::words(decision.state), remark);
    if (!decision.targets.empty()) out += " for " + codeSpan(fmt::format("{}", fmt::join(decision.targets, ", ")));
    if (!decision.reviewer.empty() || !decision.time.empty())
        out += fmt::format(", {} {}", codeSpan(decision.reviewer), codeSpan(decision.time));
    if (!decision.reason.empty()) out += ": " + codeSpan(decision.reason);
    return out + "\n";
}

std::string reviewedText(const Reviewed& reviewed) {
    std::string out = fmt::format("### {}: {}\n\n", codeSpan(reviewed.name), codeSpan(reviewed.standing));
    for (std::size_t i = reviewed.decisions.size(); i-- > 0;) {
        const bool counts = i + 1 == reviewed.decisions.size();
        out += decisionText(reviewed.decisions[i], !counts                    ? " (earlier)"
                                                   : reviewed.changes.empty() ? ""
                                                                              : " (withdrawn)");
        if (counts)
            for (const std::string& change : reviewed.changes) out += "  - " + codeSpan(change) + "\n";
    }
    if (!reviewed.decisions.empty()) out += "\n";
    if (!reviewed.authors.empty())
        out += fmt::format("Written by {}.\n\n", codeSpan(fmt::format("{}", fmt::join(reviewed.authors, ", "))));
    out += "| part | state | what | detail |\n|---|---|---|---|\n";
    for (const review::Item& item : reviewed.checklist)
        out += fmt::format("| {} | {} | {} | {} |\n", item.group, review::name(item.state),
                           codeSpan(item.title, Inside::cell), codeSpan(item.detail, Inside::cell));
    return out + "\n";
}

std::string commentText(const Report& report, const session::Comment& comment) {
    std::string out =
        fmt::format("- {}, {}, {}, {}: {}\n", codeSpan(subjectName(report, comment)), review::place(comment),
                    comment.resolved ? "resolved" : "open",
                    comment.author.empty() ? "nobody named" : codeSpan(comment.author), codeSpan(comment.text));
    for (const std::string& line : linesOf(comment)) out += "  - about " + codeSpan(line) + "\n";
    for (const session::Reply& reply : comment.replies)
        out += fmt::format("  - {}: {}\n", reply.author.empty() ? "nobody named" : codeSpan(reply.author),
                           codeSpan(reply.text));
    return out;
}

} // namespace

std::string reviewMarkdown(const Report& report) {
    std::string out = fmt::format("## Review: {}\n\n", review::words(session::stateOf(report.review)));
    for (const session::Decision& decision : report.review.decisions)
        if (decision.candidate.empty()) out += decisionText(decision, " (bound to nothing)") + "\n";
    for (const Reviewed& reviewed : report.reviewed) out += reviewedText(reviewed);
    for (const session::Comment& comment : report.review.comments) out += commentText(report, comment);
    return report.review.comments.empty() ? out : out + "\n";
}

} // namespace ptxwb::report
