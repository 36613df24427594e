#include "gpu/statistics.h"

#include <algorithm>
#include <cmath>

namespace ptxwb::gpu {

namespace {

constexpr int resamples = 2000;
constexpr double smallest = 0.005; ///< a difference that counts

/// SplitMix64. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}
    std::size_t below(std::size_t count) {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z ^= z >> 31;
        return static_cast<std::size_t>(z % count);
    }

private:
    std::uint64_t m_state;
};

} // namespace

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    const double at = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (at - static_cast<double>(below));
}

Ratio pairedRatio(std::span<const double> baseline, std::span<const double> candidate, std::uint64_t seed) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(baseline.size(), candidate.size()); ++i)
        if (candidate[i] > 0) ratios.push_back(baseline[i] / candidate[i]);
    if (ratios.empty()) return {};
    Random random(seed);
    std::vector<double> medians, sample(ratios.size());
    medians.reserve(resamples);
    for (int i = 0; i < resamples; ++i) {
        for (double& each : sample) each = ratios[random.below(ratios.size())];
        medians.push_back(median(sample));
    }
    return {median(ratios), quantile(medians, 0.025), quantile(medians, 0.975)};
}

std::string_view name(Call call) {
    switch (call) {
    case Call::faster: return "faster";
    case Call::slower: return "slower";
    case Call::same: return "same";
    case Call::unclear: break;
    }
    return "unclear";
}

Call callOf(const Ratio& ratio) {
    if (ratio.low > 1 && ratio.value >= 1 + smallest) return Call::faster;
    if (ratio.high < 1 && ratio.value <= 1 - smallest) return Call::slower;
    if (ratio.low >= 1 - smallest && ratio.high <= 1 + smallest) return Call::same;
    return Call::unclear;
}

} // namespace ptxwb::gpu
