// `ptxwb verify --register-sweep`: the baseline with fewer registers, judged beside it.
#pragma once

#include "kernel_argument.h"
#include "verify/plan.h"
#include "worker/client.h"

#include <stop_token>
#include <vector>

namespace ptxwb::cli {

/// One text for each number of registers at which a further block fits; none, told on stderr, where fewer registers
/// change nothing. Errors: no baseline (badRequest), no ptxas or nvcc where they are needed (missing), what the
/// worker says.
Expected<std::vector<verify::CandidateText>> sweptBaselines(const KernelArgument& kernel, const verify::Plan& plan,
                                                            worker::WorkerClient& client, std::stop_token stop);

} // namespace ptxwb::cli
