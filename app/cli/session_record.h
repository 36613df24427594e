// `ptxwb verify --session`: results go into a session, so that a review needs no window.
// Called by verify.cpp.
#pragma once

#include "kernel_argument.h"

namespace ptxwb::cli {

/// Adds what was judged to the session `file`, which is made where there is none. `texts` are the PTX of the results.
/// A candidate is the one of the session with the same name; another text takes its place. Errors: another kernel,
/// those of loading and saving.
Expected<void> recordInSession(const std::string& file, const KernelArgument& kernel,
                               const verify::VerifyReport& report, const std::vector<verify::CandidateText>& texts);

} // namespace ptxwb::cli
