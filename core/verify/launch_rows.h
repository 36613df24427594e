// Launches in a row over one loaded module: what an earlier one left behind must not change a later one.
// Called by the stress stage.
#pragma once

#include "verify/check_ledger.h"
#include "verify/dynamic_stages.h"
#include "verify/stage_findings.h"

namespace ptxwb::verify {

/// A finding `module_state` for each module variable that a launch left changed, with the line of the last store into
/// it; none for those that the spec's `globals` name. Whoever leaves something behind can be right any number of times
/// and then wrong.
std::vector<Finding> stateLeftBehind(const Context& context, const Judged& judged, const kernel::LaunchData& data,
                                     const LaunchOutcome& outcome, const ExecuteOptions& options);

/// Whether the module has variables that a launch could leave something in.
bool canRemember(const Context& context, const PtxKernel& kernel);

struct RowOptions {
    kernel::Symbols small, middle; ///< sizes of the row
    ExecuteOptions execute;
    std::uint64_t seed = 0;
};

/// A dozen launches whose module variables go from one to the next: same inputs, new values at the same addresses, same
/// values at other addresses. Findings bear `fresh_inputs` or `every_launch`. Returns how many launches were made.
Expected<std::uint32_t> launchInARow(const Context& context, const Judged& judged, const RowOptions& options,
                                     StageFindings& findings, CheckLedger& ledger);

} // namespace ptxwb::verify
