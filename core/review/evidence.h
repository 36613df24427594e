// What a candidate's verdict rests on: for which target, on which device, with which assembler and seed.
// Called by decision.h, checklist.h, reports and bundles.
#pragma once

#include "session/session.h"

#include <span>

namespace ptxwb::review {

session::Evidence evidenceOf(const session::Judgement& judgement);

/// Those about the candidate's text and this kernel, the shown one first.
std::vector<const session::Judgement*> currentJudgements(const session::Candidate& candidate,
                                                         std::string_view kernelSha256);

/// "sm_90" for "sm_90a" and "sm_90": what a device says of itself.
std::string_view baseTarget(std::string_view arch);

/// Why this judgement is no evidence from a GPU for its target; empty where it is: function and stress passed on a GPU
/// whose own target it is.
std::string whyNoGpuEvidence(const session::Judgement& judgement);

/// Versions of ptxas that judged the text, each once, in order of versions.
std::vector<std::string> assemblersTried(std::span<const session::Judgement* const> judgements);

/// "NVIDIA H200 (sm_90), driver 580.159.04, ptxas 13.0.88, seed 7"
std::string describe(const session::Evidence& evidence);

/// "stress is inconclusive: ..." for the first required stage that did not pass.
std::string whyNotPassed(const verify::CandidateResult& result);

} // namespace ptxwb::review
