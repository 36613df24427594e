// The human answer of `ptxwb verify`: one row for each candidate as it is judged, then what was found, at its line.
// Called by verify.cpp.
#pragma once

#include "verify/plan.h"
#include "verify/result.h"

namespace ptxwb::cli {

/// `width`: of the longest candidate's name.
std::string tableHead(std::size_t width);
std::string tableRow(const verify::CandidateResult& result, std::size_t width);

/// Every finding of the stages that did not pass, as messages with the candidate's source line; then why stages are
/// skipped or inconclusive, and what a pass rests on where that is not the reference. Empty where there is nothing to
/// say.
std::string findingsText(const verify::CandidateResult& result, const verify::CandidateText& candidate);

/// A line for each candidate that was timed, under a line that says how; empty where none was.
std::string timingText(const std::vector<verify::CandidateResult>& results);

/// What became of each candidate under the assemblers beside the report's toolkit; empty where there were none.
std::string assemblersText(const verify::VerifyReport& report);

/// "the emulator", "NVIDIA H200 and the emulator".
std::string judgesText(const std::vector<verify::CandidateResult>& results);

} // namespace ptxwb::cli
