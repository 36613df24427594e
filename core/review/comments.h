// Threads of comments on a candidate's lines: write, answer, resolve, follow the lines through edits.
// Called by the window's Review panel, by reports, and by whoever asks a model about what is still open.
#pragma once

#include "review/anchor.h"
#include "session/session.h"

namespace ptxwb::review {

struct NewComment {
    std::string candidate; ///< id, `session::baselineId` too
    std::uint32_t line = 1, lineCount = 1;
    std::string words, author, time; ///< time empty: now
};

/// Returns its id. Errors: no such candidate, no words, a line that the text does not have.
Expected<std::string> addComment(session::Session& session, const NewComment& comment);

/// False where there is no such comment.
bool answer(session::Review& review, std::string_view id, session::Reply reply);
bool setResolved(session::Review& review, std::string_view id, bool resolved, std::string_view by);
bool removeComment(session::Review& review, std::string_view id);

/// Finds the lines of all comments about `candidate` in its text as it is now. True where one has moved.
bool follow(session::Review& review, std::string_view candidate, const TextLines& text);
/// For all candidates and the baseline: after opening, when files may have been changed outside.
bool follow(session::Session& session);

/// Those about `candidate` that are not resolved, in order of lines.
std::vector<const session::Comment*> openComments(const session::Review& review, std::string_view candidate);

/// "line 12", "lines 12-15", "line 12 (gone)"
std::string place(const session::Comment& comment);

/// The open comments as a wish for a model: each with its lines and its thread. Empty where none is open.
std::string openCommentsText(const session::Session& session, std::string_view candidate);

} // namespace ptxwb::review
