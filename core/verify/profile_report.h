// What the hardware counted of a candidate and of its baseline. Answered by the worker's profile job, read by the
// command line and by the window's counters panel.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptxwb::verify {

/// A PTX line at which warps stood when the hardware looked.
struct SampledLine {
    std::uint32_t line = 0; ///< PTX line, from 1; 0: machine code that no line accounts for
    std::string cudaFile;   ///< where a `.loc` tells; else empty
    std::uint32_t cudaLine = 0;
    std::uint64_t samples = 0;
    std::map<std::string, std::uint64_t> stalls; ///< why the warps waited; "selected": they did not
    std::vector<std::pair<std::uint64_t, std::uint64_t>> instructions; ///< byte offset in the code and its samples
};

struct PcSampling {
    std::uint64_t samples = 0, dropped = 0;
    std::uint32_t launches = 0;
    std::vector<SampledLine> lines; ///< by line
};

struct ProfiledKernel {
    std::string name;                                    ///< "baseline", "vectorized"
    std::string launch;                                  ///< its entry, where there are several; else empty
    std::vector<std::pair<std::string, double>> metrics; ///< by their names, as Nsight Compute spells them
    std::size_t passes = 0;                              ///< replays of the kernel
    std::optional<PcSampling>
        sampling;                ///< nothing where it was not asked for or refused; of all launches, with the first
    std::string samplingProblem; ///< why it was refused
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
