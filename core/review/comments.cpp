#include "review/comments.h"

#include "review/decision.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace ptxwb::review {

using session::Comment;

namespace {

/// "k7": never one that a comment of this review has.
std::string freeId(const session::Review& review) {
    std::uint32_t last = 0;
    for (const Comment& comment : review.comments) {
        std::uint32_t number = 0;
        const std::string_view id = comment.id;
        if (!id.starts_with('k')) continue;
        const auto [end, error] = std::from_chars(id.data() + 1, id.data() + id.size(), number);
        if (error == std::errc{} && end == id.data() + id.size()) last = std::max(last, number);
    }
    return fmt::format("k{}", last + 1);
}

Comment* findComment(session::Review& review, std::string_view id) {
    const auto found = std::ranges::find(review.comments, id, &Comment::id);
    return found == review.comments.end() || id.empty() ? nullptr : &*found;
}

bool followOne(Comment& comment, const TextLines& text) {
    const Comment before = comment;
    if (comment.anchor.lines.empty()) { // of an earlier version: its line is all that is known
        comment.anchor = anchorAt(text, comment.line, 1);
        comment.line = std::clamp<std::uint32_t>(comment.line, 1, std::max<std::uint32_t>(text.count(), 1));
    } else {
        const Found found = locate(comment.anchor, comment.line, text);
        comment.lost = found.fit == Fit::lost;
        // The anchor of lines that are gone stays: an undo brings them back.
        if (!comment.lost) {
            comment.line = found.line;
            comment.anchor = anchorAt(text, found.line, found.lineCount);
        }
    }
    return comment != before;
}

} // namespace

Expected<std::string> addComment(session::Session& session, const NewComment& wanted) {
    const session::Candidate* candidate = session::find(session, wanted.candidate);
    if (!candidate) return failure(Cause::badRequest, "there is no such candidate to comment on");
    if (wanted.words.find_first_not_of(" \t\r\n") == std::string::npos)
        return failure(Cause::badRequest, "the comment has no words", "say what should be different, and why");
    const TextLines text(candidate->text);
    if (wanted.line < 1 || wanted.line > text.count())
        return failure(Cause::badRequest,
                       fmt::format("{} has {} lines, there is no line {}", candidate->name, text.count(), wanted.line));
    Comment comment;
    comment.id = freeId(session.review);
    comment.candidate = wanted.candidate;
    comment.line = wanted.line;
    comment.text = wanted.words;
    comment.author = wanted.author;
    comment.time = wanted.time.empty() ? utcNow() : wanted.time;
    comment.anchor = anchorAt(text, wanted.line, wanted.lineCount);
    comment.quote = comment.anchor.lines;
    session.review.comments.push_back(std::move(comment));
    return session.review.comments.back().id;
}

bool answer(session::Review& review, std::string_view id, session::Reply reply) {
    Comment* comment = findComment(review, id);
    if (!comment || reply.text.find_first_not_of(" \t\r\n") == std::string::npos) return false;
    if (reply.time.empty()) reply.time = utcNow();
    comment->replies.push_back(std::move(reply));
    return true;
}

bool setResolved(session::Review& review, std::string_view id, bool resolved, std::string_view by) {
    Comment* comment = findComment(review, id);
    if (!comment) return false;
    comment->resolved = resolved;
    comment->resolvedBy = resolved ? by : std::string_view{};
    return true;
}

bool removeComment(session::Review& review, std::string_view id) {
    return !id.empty() && std::erase_if(review.comments, [&](const Comment& each) { return each.id == id; }) > 0;
}

bool follow(session::Review& review, std::string_view candidate, const TextLines& text) {
    bool moved = false;
    for (Comment& comment : review.comments)
        if (comment.candidate == candidate) moved |= followOne(comment, text);
    return moved;
}

bool follow(session::Session& session) {
    if (session.review.comments.empty()) return false;
    bool moved = false;
    const auto one = [&](const session::Candidate& candidate) {
        const bool commented = std::ranges::any_of(session.review.comments,
                                                   [&](const Comment& each) { return each.candidate == candidate.id; });
        if (commented) moved |= follow(session.review, candidate.id, TextLines(candidate.text));
    };
    one(session.baseline);
    for (const session::Candidate& candidate : session.candidates) one(candidate);
    return moved;
}

std::vector<const Comment*> openComments(const session::Review& review, std::string_view candidate) {
    std::vector<const Comment*> open;
    for (const Comment& comment : review.comments)
        if (comment.candidate == candidate && !comment.resolved) open.push_back(&comment);
    std::ranges::stable_sort(open, {}, &Comment::line);
    return open;
}

std::string place(const Comment& comment) {
    const std::uint32_t count = comment.lineCount();
    std::string text = count == 1 ? fmt::format("line {}", comment.line)
                                  : fmt::format("lines {}-{}", comment.line, comment.line + count - 1);
    return comment.lost ? text + " (gone)" : text;
}

std::string openCommentsText(const session::Session& session, std::string_view candidate) {
    const auto open = openComments(session.review, candidate);
    if (open.empty()) return {};
    std::string text = "A reviewer has asked for these changes. Meet each of them, or say in one sentence why not:\n";
    for (const Comment* comment : open) {
        text += fmt::format("\n- {}:\n", place(*comment));
        for (const std::string& line : comment->lost ? comment->quote : comment->anchor.lines)
            text += fmt::format("      {}\n", line);
        text += fmt::format("  {}\n", comment->text);
        for (const session::Reply& reply : comment->replies)
            text += fmt::format("  {}: {}\n", reply.author.empty() ? "answer" : reply.author, reply.text);
    }
    return text;
}

} // namespace ptxwb::review
