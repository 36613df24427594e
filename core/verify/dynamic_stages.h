// The stages that run the kernel: function, stress and sanitize.
// Called by the funnel.
#pragma once

#include "verify/oracle.h"

namespace ptxwb::verify {

/// The kernel under judgement and what it is judged by.
struct Judged {
    PtxKernel& kernel;
    Oracle& oracle;
    Executor& executor;
    bool isBaseline = false;
};

/// The launches that a stage makes with this kernel. Errors: expressions and sizes of the spec, or that the candidate's
/// own requirements leave none.
Expected<std::vector<PlannedRun>> plannedRuns(const Context& context, Stage stage, const PtxKernel& kernel,
                                              const Executor& executor);

/// Function and stress compare outputs and check bounds, alignment and deadlock; sanitize turns every checker on and
/// compares nothing. Errors: expressions and sizes of the spec (badRequest), cancellation. What the candidate does
/// wrong, its own launch line included, is a finding.
Expected<StageResult> runStage(const Context& context, Stage stage, const Judged& judged);

} // namespace ptxwb::verify
