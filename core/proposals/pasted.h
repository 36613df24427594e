// A reply that a person brings by copy and paste, as the attempts that the loop would have made of it.
// Used by `ptxwb import` and by "paste reply" in the window.
#pragma once

#include "proposals/kernel_judge.h"

namespace ptxwb::proposals {

struct PastedReply {
    std::vector<llm::Attempt> attempts; ///< "i1", "i2", ...; not judged
    std::vector<Diagnostic> problems;   ///< what could not be used, at its line of the reply
    std::vector<std::string> cuda;      ///< CUDA sources: `compileInto` makes candidates of them
};

/// `base`: the PTX that the question showed; `entry`: of the spec; `region`: the lines that the question was about.
/// Errors: the base has no such entry or no such region. A reply without anything usable is no error: it has problems.
Expected<PastedReply> readPasted(const std::string& reply, const std::string& base, const std::string& entry,
                                 const std::optional<llm::RegionRequest>& region);

/// Compiles the reply's CUDA sources with nvcc; what it refuses becomes a problem.
void compileInto(PastedReply& reply, KernelJudge& judge, std::stop_token stop);

} // namespace ptxwb::proposals
