// What the emulator counted, as text: of candidates beside each other, of one launch by its lines, and the steps of a
// recorded warp. Called by `ptxwb verify` and `ptxwb run`.
#pragma once

#include "emulator/recording.h"
#include "verify/result.h"

namespace ptxwb::cli {

/// A line for each candidate that was counted, under a line that says of what size; empty where none was.
std::string workText(const std::vector<verify::CandidateResult>& results);

/// Totals and mix, then each line of the text that did something beside being executed.
std::string workText(const verify::WorkReport& report, const std::string& text);

/// The first steps of a recorded warp: place, lanes, source, and what changes in the lowest lane that executes.
std::string stepsText(const emulator::Recording& recording, const std::string& text);

} // namespace ptxwb::cli
