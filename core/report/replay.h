// The commands that judge a candidate again as it was judged.
// Called by report.cpp.
#pragma once

#include "session/session.h"

namespace ptxwb::report {

/// The kernel as a word for `ptxwb verify` in the session's folder: a path, an example's name; empty where the spec is
/// in no file of its own or there is none.
std::string kernelWord(const session::Session& session);

/// For a shell in the session's folder. Lines that begin with `#` say what no command can do.
std::vector<std::string> replayOf(const session::Session& session, const session::Candidate& candidate);

} // namespace ptxwb::report
