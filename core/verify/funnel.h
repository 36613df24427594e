// The funnel: one candidate (or the baseline) through parse, assemble, function, stress, sanitize, benchmark.
// Called by the worker for every verification. Source: verification.md.
#pragma once

#include "verify/plan.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace ptxwb::verify {

struct Machine;
struct OracleCache;

struct FunnelCallbacks {
    std::function<void(const StageResult&)> onStage; ///< as soon as a stage is judged
    std::function<void(Stage, std::uint32_t done, std::uint32_t of, const std::string& what)> onProgress;
};

/// What references and baselines answered, kept so that the next candidate of the same kernel does not wait for it
/// again.
std::shared_ptr<OracleCache> makeOracleCache();

/// Judges `input.candidate`, or the baseline where it is absent. The report has one result.
/// - Function and stress compare with the reference if it is trusted, else with the baseline's outputs; a baseline is
/// never
///   compared with itself: its stages are then inconclusive.
/// - A stage that fails does not stop the ones after it, except that nothing runs what does not parse.
/// Errors: the kernel has no baseline where one is needed (badRequest, missing where nvcc is), expressions and sizes of
/// the spec (badRequest), cancellation.
Expected<VerifyReport> verifyCandidate(const VerifyInput& input, const Machine& machine, OracleCache& cache,
                                       const FunnelCallbacks& callbacks, std::stop_token stop = {});

} // namespace ptxwb::verify
