// Problems of the current candidate as values: made from diagnostics and findings, repeated ones put together.
// Used by ProblemModel only.
#pragma once

#include "models/problem_model.h"

namespace ptxwb::ui {

std::vector<ProblemModel::Problem> problemsFrom(const std::vector<Diagnostic>& diagnostics);

/// Findings of all stages but parse. A warning of ptxas stays one, whatever the stage came to; a stage that is
/// inconclusive or was broken off is a note with its reason.
std::vector<ProblemModel::Problem> problemsFrom(const std::vector<verify::StageResult>& stages);

/// Those that say the same become one with the others as further places; then by severity and line.
std::vector<ProblemModel::Problem> grouped(std::vector<ProblemModel::Problem> problems);

/// "line 41, column 5", "saxpy.cu:12", "" where there is none.
QString placeText(const ProblemModel::Problem& problem);

/// "block (0,0,0), thread (31,0,0); n = 33; fill normal; seed 7": the circumstances of a finding.
QString circumstances(const Finding& finding);

} // namespace ptxwb::ui
