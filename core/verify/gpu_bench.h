// A paired benchmark alone: a candidate against the baseline or against another candidate, on a GPU.
// Called by the worker's bench job.
#pragma once

#include "verify/bench_report.h"
#include "verify/plan.h"

#include <functional>
#include <stop_token>

namespace ptxwb::verify {

struct Machine;
struct OracleCache;

/// `input.candidate` against `against`, else against the baseline; alone where there is neither. Only outputs of timed
/// launches are compared: verify first. Errors (missing): no GPU; (rejected): a kernel that does not assemble; the
/// spec's expressions, cancellation.
Expected<BenchReport>
benchKernels(const VerifyInput& input, const std::optional<CandidateText>& against, BenchMode mode,
             const Machine& machine, OracleCache& cache,
             const std::function<void(Stage, std::uint32_t, std::uint32_t, const std::string&)>& progress,
             std::stop_token stop);

} // namespace ptxwb::verify
