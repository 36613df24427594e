// Medians, bootstrap intervals and the call of a paired comparison. No GPU is needed here.
// Called by the benchmark and by whoever shows its samples.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ptxwb::gpu {

/// The value below which `share` (0 to 1) of the values lie, between neighbours by proportion. 0 for no values.
double quantile(std::vector<double> values, double share);
inline double median(std::vector<double> values) {
    return quantile(std::move(values), 0.5);
}

struct Ratio {
    double value = 1, low = 1, high = 1; ///< baseline's time over the candidate's, with its 95 % interval
};

/// The median of the ratios of pairs, with a percentile bootstrap over the pairs. Both spans have one length, at least
/// 1; the same seed gives the same interval.
Ratio pairedRatio(std::span<const double> baseline, std::span<const double> candidate, std::uint64_t seed);

enum class Call : std::uint8_t { faster, slower, same, unclear };
std::string_view name(Call call);

/// `faster` or `slower` where the interval excludes 1 and the ratio differs from it by at least 0.5 %; `same` where the
/// interval lies within 1 +- 0.5 %; `unclear` otherwise. Source: verification.md.
Call callOf(const Ratio& ratio);

} // namespace ptxwb::gpu
