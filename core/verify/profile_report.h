// What the hardware counted of a candidate and of its baseline. Answered by the worker's profile job, read by the
// command line and by the window's counters panel.
#pragma once

#include "support/diagnostic.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ptxwb::verify {

struct ProfiledKernel {
    std::string name;                                    ///< "baseline", "vectorized"
    std::vector<std::pair<std::string, double>> metrics; ///< by their names, as Nsight Compute spells them
    std::size_t passes = 0;                              ///< replays of the kernel
};

struct ProfileReport {
    std::string kernel, device, size;
    std::vector<ProfiledKernel> kernels; ///< the baseline where there is one, then the candidate
    std::vector<std::string> unknown;    ///< metrics that the chip does not have
};

nlohmann::json toJson(const ProfileReport& report);
/// Errors name the key. Metrics come in the order of their names.
Expected<ProfileReport> profileReportFromJson(const nlohmann::json& value);

} // namespace ptxwb::verify
