// The `//@` lines at the top of a candidate's PTX: title, origin, another launch or several, narrower requirements.
// Called by the funnel, the command line and the window before a candidate is built into launches.
#pragma once

#include "kernel/spec.h"

namespace ptxwb::kernel {

/// What a candidate launches differently; an absent key keeps the spec's value.
struct LaunchOverride {
    std::optional<Formula3> grid, block, cluster;
    std::optional<Formula> sharedBytes;
    std::optional<bool> cooperative;
    /// A sequence of its own (`//@ launches`), in place of all that the spec launches; then nothing else is set.
    std::vector<LaunchStep> steps;
};

/// What is launched one after another: the override's own sequence, else the spec's; empty where it is one launch.
const std::vector<LaunchStep>& launchSteps(const KernelSpec& spec, const LaunchOverride* own);

struct CandidateHeader {
    std::string title, origin;
    std::optional<LaunchOverride> launch;
    std::vector<Expression> require; ///< in addition to the spec's
};

/// Reads the comment lines before the first line that is neither blank nor a `//` comment. `symbols`: the spec's names.
/// Errors (Cause::rejected, kind "launch") carry `file`, line and column: unknown directives, broken JSON, expressions.
Expected<CandidateHeader> readCandidateHeader(std::string_view ptx, const std::vector<std::string>& symbols,
                                              const std::string& file = {});

} // namespace ptxwb::kernel
