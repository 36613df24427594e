// What the timing panel shows where there is no time: the emulator's counts, said to be none.
// Used by TimingPanel.
#pragma once

#include "panels/timing_figures.h"

#include <optional>

namespace ptxwb::ui {

/// Nothing where the candidate was not counted. `baseline`: as for `timingFigures`; its counts stand beside the
/// candidate's where both are of the same sizes.
std::optional<TimingFigures> workFigures(const session::Candidate& candidate, const verify::CandidateResult* baseline);

} // namespace ptxwb::ui
