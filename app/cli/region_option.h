// `--region FIRST:LAST` or `--region hot`.
// Used by prompt, import and propose.
#pragma once

#include "proposals/kernel_judge.h"

namespace ptxwb::cli {

/// `hot`: the loop that does most, with a note on stderr that says which it is and by what. Errors say what was
/// expected.
Expected<llm::RegionRequest> regionOption(const std::string& text, const std::string& base,
                                          proposals::KernelJudge& judge, std::stop_token stop);

} // namespace ptxwb::cli
