// What a paired benchmark alone says of two kernels. Answered by the worker's bench job, read by the command line.
#pragma once

#include "verify/result.h"

namespace ptxwb::verify {

/// The state that a launch meets.
enum class BenchMode : std::uint8_t {
    cold, ///< the L2 was flushed before it
    hot,  ///< the same launch ended just before it
    graph ///< it is one of many inside of a graph: one figure, and no interval
};
std::string_view name(BenchMode mode); ///< "cold", "hot", "graph"
std::optional<BenchMode> benchMode(std::string_view name);

/// Times in microseconds.
struct BenchFigure {
    double medianUs = 0;
    std::string against; ///< the other kernel's name; empty: the candidate was measured alone
    double againstUs = 0, ratio = 0;
    std::optional<double> low, high; ///< 95 %; absent for a graph
    std::string call;                ///< faster, slower, same, unclear; empty for a graph
};

struct BenchReport {
    std::string kernel, device, driver, size, candidate;
    std::uint64_t seed = 0;
    BenchMode mode = BenchMode::cold;
    StageResult stage;                 ///< fails where timed outputs differ or it is faster than the device can be
    std::optional<Timing> timing;      ///< of the candidate, in every mode; nothing where it was not measured
    std::optional<BenchFigure> figure; ///< in the mode that was asked for; nothing where that was not measured
};

nlohmann::json toJson(const BenchReport& report);
/// Errors name the key.
Expected<BenchReport> benchReportFromJson(const nlohmann::json& value);

} // namespace ptxwb::verify
