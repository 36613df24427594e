// compute-sanitizer's four tools over the launches of the function stage, each in a process of its own.
// Called by the funnel after the emulator's checks where the plan asks for it. Source: verification.md, "F5 and deep".
#pragma once

#include "verify/context.h"

namespace ptxwb::verify {

struct DeepChecks {
    std::vector<Finding> findings;
    std::vector<std::string> notes; ///< a tool that could not run, and why
    std::uint32_t toolsRun = 0;
};

/// memcheck, racecheck, initcheck and synccheck, about half a second to a second each. Errors: cancellation.
Expected<DeepChecks> deepChecks(const Context& context, const PtxKernel& kernel);

/// The other side: launches a candidate over plain memory at the function sizes, with nothing else in the process.
/// `ptxwb launch-for-tools` calls it under a tool.
Expected<void> launchForTools(const VerifyInput& input, const Machine& machine, std::stop_token stop);

/// The findings in what a tool saved with --xml. Errors: no XML.
Expected<std::vector<Finding>> findingsOfSanitizer(std::string_view tool, const std::string& xml);

} // namespace ptxwb::verify
