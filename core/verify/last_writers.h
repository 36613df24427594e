// Who wrote a wrong element of an output: the launch is made once more, with an eye on that element.
// Called by the stages that compare outputs, for what they found.
#pragma once

#include "verify/execute.h"

namespace ptxwb::verify {

/// Sets line, column, length, block and thread of every finding about an output's element to those of the last store or
/// atomic that touched the element, and its CUDA place. `options`: of the launch that gave the findings. A finding
/// stays as it is where no thread wrote the element, or where the launch does not complete this time.
void addLastWriters(std::vector<Finding>& findings, const PtxKernel& kernel, const kernel::LaunchData& data,
                    ExecuteOptions options, std::stop_token stop);

} // namespace ptxwb::verify
