// Where results of earlier verifications are, and how one of them becomes a result again.
// Called by the funnel; what is kept, and by which key, is result_cache.h's.
#pragma once

#include "verify/context.h"
#include "verify/result_cache.h"

namespace ptxwb::verify {

/// Empty where the plan or the person wants none (PTXWB_RESULT_CACHE=off).
std::filesystem::path resultFolder(const Plan& plan, const Machine& machine);

/// Folds verdict and checks of `result`, whose benchmark was made anew and whose other stages are those of an earlier
/// verification: what they knew of single checks is not kept with stages, and stands in `earlier`.
void foldAgain(CandidateResult& result, const std::vector<CheckOutcome>& earlier);

} // namespace ptxwb::verify
