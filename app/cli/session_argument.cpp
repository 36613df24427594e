#include "session_argument.h"

#include "command.h"
#include "review/comments.h"
#include "session/load.h"
#include "support/files.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::cli {

Expected<session::Session> loadSessionArgument(const std::string& file) {
    auto loaded = session::load(file);
    if (!loaded) {
        if (!file.ends_with(".ptxwb") && loaded.error().hint.empty())
            loaded.error().hint = "a session is a NAME.ptxwb, as the window saves it, or `ptxwb verify --session`";
        return std::unexpected(std::move(loaded.error()));
    }
    for (const Diagnostic& note : loaded->notes) printDiagnostic(note);
    review::follow(loaded->session);
    return std::move(loaded->session);
}

Expected<const session::Candidate*> candidateOfSession(const session::Session& session, const std::string& word) {
    if (word.empty()) {
        if (!session.review.decisions.empty())
            if (const auto* decided = session::find(session, session.review.decisions.back().candidate)) return decided;
        if (session.candidates.size() == 1) return &session.candidates.front();
        return failure(Cause::badRequest, fmt::format("the session has {} candidates", session.candidates.size()),
                       "name one: --candidate NAME");
    }
    if (const auto* byId = session::find(session, word)) return byId;
    const auto named = std::ranges::find(session.candidates, word, &session::Candidate::name);
    if (named != session.candidates.end()) return &*named;
    std::vector<std::string> names;
    for (const session::Candidate& candidate : session.candidates) names.push_back(candidate.name);
    return std::unexpected(unknownWord("--candidate: the session has none named", word, names));
}

Expected<std::vector<bundle::AllowedSigner>> readSigners(const std::string& file) {
    if (file.empty()) return std::vector<bundle::AllowedSigner>{};
    const auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    return bundle::readAllowedSigners(*text, file);
}

} // namespace ptxwb::cli
