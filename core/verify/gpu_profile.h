// Hardware counters of a candidate and of its baseline at the benchmark's size.
// Called by the worker's profile job; the worker that serves it measures no time.
#pragma once

#include "verify/plan.h"
#include "verify/profile_report.h"

#include <stop_token>

namespace ptxwb::verify {

struct Machine;
struct OracleCache;

/// The baseline, then `input.candidate` where there is one. `metrics` empty: the default set. Nothing is judged: verify
/// first. Errors: as gpu::profile; a kernel that does not assemble (rejected); no benchmark size.
Expected<ProfileReport> profileKernels(const VerifyInput& input, const std::vector<std::string>& metrics,
                                       const Machine& machine, OracleCache& cache, std::stop_token stop);

} // namespace ptxwb::verify
