// The SESSION argument of the review's commands, a candidate of it, and the file of allowed signers.
// Used by bundle.cpp and review.cpp.
#pragma once

#include "bundle/allowed_signers.h"
#include "session/session.h"

namespace ptxwb::cli {

/// Loads a NAME.ptxwb; its notes go to stderr, its comments are found again in their texts.
Expected<session::Session> loadSessionArgument(const std::string& file);

/// By name or id; with an empty word the only one, or the one that a decision is about.
Expected<const session::Candidate*> candidateOfSession(const session::Session& session, const std::string& word);

/// None where `file` is empty.
Expected<std::vector<bundle::AllowedSigner>> readSigners(const std::string& file);

} // namespace ptxwb::cli
