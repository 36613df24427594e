// From a planned run to its launch: the spec's fills, then its host function `inputs` where it has one.
// Called by the stages and by the oracle, which must have the same inputs, and by `ptxwb run`.
#pragma once

#include "kernel/reference.h"
#include "verify/context.h"
#include "verify/run_plan.h"

namespace ptxwb::verify {

/// `own`: the candidate's launch, or null. Errors: as `buildLaunch`; a host function that does not compile or return
/// (badRequest), that nobody trusts (missing); cancellation.
Expected<kernel::LaunchData> plannedLaunch(const Context& context, const PlannedRun& run,
                                           const kernel::LaunchOverride* own);

/// Applies the spec's host function `inputs` to a launch that was built elsewhere; nothing where it has none. Errors:
/// as above.
Expected<void> applyInputs(const Context& context, kernel::LaunchData& data);
Expected<void> applyInputs(const kernel::Kernel& kernel, ReferenceTrust trust, const kernel::ReferenceOptions& options,
                           kernel::LaunchData& data, std::stop_token stop);

/// Compiles a host function of the spec once for this context. Errors: as above.
Expected<kernel::CompiledReference> hostProgram(const Context& context, kernel::HostRole role);

kernel::ReferenceOptions referenceOptions(const Context& context);

} // namespace ptxwb::verify
