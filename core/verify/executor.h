// Where the launches of a stage run: on the emulator, or on a GPU. The stages do not know which.
// Made by the funnel; used by the stages and by the oracle for the baseline.
#pragma once

#include "verify/execute.h"

namespace ptxwb::verify {

class Executor {
public:
    virtual ~Executor() = default;
    virtual std::string_view backend() const = 0; ///< "emulator", "gpu"
    /// `sm_count` and `max_blocks_per_sm`, for sizes and launch shapes.
    virtual kernel::Symbols builtins() const = 0;
    /// Once for each kernel, before `execute`. Errors: what keeps it from running here.
    virtual Expected<void> prepare(PtxKernel& kernel) = 0;
    /// As `execute`.
    virtual Expected<LaunchOutcome> run(const PtxKernel& kernel, const kernel::LaunchData& data,
                                        const ExecuteOptions& options, std::stop_token stop) = 0;
    /// Lines of the last writers of wrong elements, where it can tell; see last_writers.h.
    virtual void explain(std::vector<Finding>& findings, const PtxKernel& kernel, const kernel::LaunchData& data,
                         const ExecuteOptions& options, std::stop_token stop) = 0;
    /// Nothing more can run here: a kernel has taken the device down.
    virtual bool isLost() const { return false; }
};

/// The emulator, which keeps nothing between launches.
Executor& emulatorExecutor();

} // namespace ptxwb::verify
