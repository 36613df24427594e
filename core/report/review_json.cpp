#include "report/review_parts.h"

#include "session/review_json.h"

#include <nlohmann/json.hpp>

namespace ptxwb::report {

namespace {

using nlohmann::json;

json orNull(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

json commentToJson(const session::Comment& comment) {
    json replies = json::array();
    for (const session::Reply& reply : comment.replies)
        replies.push_back({{"text", reply.text}, {"author", orNull(reply.author)}, {"time", orNull(reply.time)}});
    return {{"candidate", comment.candidate},    {"line", comment.line},
            {"line_count", comment.lineCount()}, {"lost", comment.lost},
            {"lines", linesOf(comment)},         {"text", comment.text},
            {"author", orNull(comment.author)},  {"time", orNull(comment.time)},
            {"resolved", comment.resolved},      {"resolved_by", orNull(comment.resolvedBy)},
            {"replies", std::move(replies)}};
}

json reviewedToJson(const Reviewed& reviewed) {
    json decisions = json::array(), items = json::array();
    for (const session::Decision& decision : reviewed.decisions) decisions.push_back(json(session::toJson(decision)));
    for (const review::Item& item : reviewed.checklist)
        items.push_back({{"group", item.group},
                         {"check", item.check},
                         {"title", item.title},
                         {"state", review::name(item.state)},
                         {"detail", orNull(item.detail)}});
    return {{"candidate", reviewed.id},
            {"standing", reviewed.standing},
            {"holds", !reviewed.decisions.empty() && reviewed.changes.empty()},
            {"changes", reviewed.changes},
            {"authors", reviewed.authors},
            {"decisions", std::move(decisions)},
            {"checklist", std::move(items)}};
}

} // namespace

json reviewToJson(const Report& report) {
    const session::Review& review = report.review;
    const session::Decision last = review.decisions.empty() ? session::Decision{} : review.decisions.back();
    json comments = json::array(), reviewed = json::array();
    for (const session::Comment& comment : review.comments) comments.push_back(commentToJson(comment));
    for (const Reviewed& each : report.reviewed) reviewed.push_back(reviewedToJson(each));
    return {{"state", session::name(session::stateOf(review))},
            {"reviewer", orNull(last.reviewer)},
            {"time", orNull(last.time)},
            {"summary", last.reason},
            {"candidates", std::move(reviewed)},
            {"comments", std::move(comments)}};
}

} // namespace ptxwb::report
