// `ptxwb verify --format markdown` (for a pull request's comment) and `--format sarif` (for code scanning).
// Called by verify.cpp once everything is judged.
#pragma once

#include "verify/plan.h"
#include "verify/result.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::cli {

/// A table of the candidates, then a list of what was found. GitHub's dialect.
std::string markdown(const verify::VerifyReport& report, const std::vector<verify::CandidateText>& texts);

/// Every finding of a stage that did not pass as a result with its place. `texts` are the candidates of the report's
/// results, in their order. Source: SARIF 2.1.0, OASIS standard, 3.27 (result), 3.49 (rule).
nlohmann::json sarif(const verify::VerifyReport& report, const std::vector<verify::CandidateText>& texts);

} // namespace ptxwb::cli
