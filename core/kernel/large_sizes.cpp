#include "kernel/sizes.h"

#include <algorithm>

namespace ptxwb::kernel {

namespace {

constexpr std::int64_t sixteenBits = 65536;
constexpr std::int64_t tries = 1024; ///< values from there on, until the requirements hold
constexpr double mostWork = 64.0 * 1024 * 1024;

std::int64_t largestOf(const std::vector<std::int64_t>& list) {
    return list.empty() ? 0 : *std::ranges::max_element(list);
}

/// The smallest listed value over 0; 1 where there is none.
std::int64_t smallestOf(const SymbolSizes& symbol) {
    std::int64_t smallest = 0;
    for (const auto* list : {&symbol.function, &symbol.stress})
        for (const std::int64_t value : *list)
            if (value > 0 && (smallest == 0 || value < smallest)) smallest = value;
    return std::max<std::int64_t>(smallest, 1);
}

} // namespace

Expected<std::vector<Symbols>> largeSizes(const KernelSpec& spec, std::size_t count, const SizesOptions& options) {
    std::vector<Symbols> result;
    for (const SymbolSizes& symbol : spec.symbols) {
        const std::int64_t listed = std::max(largestOf(symbol.function), largestOf(symbol.stress));
        const std::int64_t last = std::min(largestOf(symbol.benchmark), sixteenBits + tries);
        if (result.size() >= count || listed > sixteenBits) continue;
        Symbols sizes = options.builtins;
        for (const SymbolSizes& other : spec.symbols) sizes[other.name] = smallestOf(other);
        for (std::int64_t value = sixteenBits + 1; value <= last; ++value) {
            sizes[symbol.name] = value;
            if (extentOf(spec, sizes) > mostWork) break;
            const auto broken = violated(spec, options.require, sizes);
            if (!broken) return std::unexpected(broken.error());
            if (*broken) continue;
            result.push_back(sizes);
            break;
        }
    }
    return result;
}

} // namespace ptxwb::kernel
