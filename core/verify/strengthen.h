// How much the runs would have noticed: coverage, and with deep checks mutants, as outcomes of checks.
// Called by the funnel behind a sanitize stage that ran.
#pragma once

#include "verify/context.h"

namespace ptxwb::verify {

/// Only of what the stages did not find wrong; of that, `result.strength` and the outcomes of `coverage` and `mutants`
/// at the sanitize stage, which is the last of `result.stages`. Errors: the spec's, cancellation.
Expected<void> strengthen(const Context& context, PtxKernel& kernel, PtxKernel* baseline, bool isBaseline,
                          CandidateResult& result);

} // namespace ptxwb::verify
