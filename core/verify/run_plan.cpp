#include "verify/run_plan.h"

#include "kernel/sizes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ptxwb::verify {

namespace {

using kernel::FillKind;

constexpr auto firstPoison = kernel::Poison::first, secondPoison = kernel::Poison::second;
constexpr std::uint64_t secondSeedStep = 0x9E3779B9; ///< any odd number: the second seed only has to differ
constexpr std::uint64_t otherSchedule = 1;

/// Distributions beside the spec's own that every baseline should stand. Wide and denormal ones are runs of their own,
/// which are left out where the baseline cannot serve; special values are not a matter of tolerance.
constexpr std::array otherFills = {FillKind::uniform,    FillKind::zeros,  FillKind::ones,
                                   FillKind::cancelling, FillKind::sparse, FillKind::negative};
constexpr double otherNumbers = 0.75; ///< of scalars: a number of the same sign and size, and exact

/// How much a size set is likely to mean in work: the product of its values, in double against overflow.
double extent(const kernel::Symbols& sizes) {
    double product = 1;
    for (const auto& [symbol, value] : sizes) product *= 1 + std::abs(static_cast<double>(value));
    return product;
}

std::vector<kernel::Symbols> byExtent(std::span<const kernel::Symbols> sizes) {
    std::vector<kernel::Symbols> sorted(sizes.begin(), sizes.end());
    std::ranges::stable_sort(sorted, {}, extent);
    return sorted;
}

/// Whether a kernel may find its buffers more aligned than the spec grants and then use wider accesses.
bool grantsLittleAlignment(const kernel::KernelSpec& spec) {
    constexpr std::uint32_t widestAccess = 32; ///< bytes: .v8.b32 of sm_100
    return std::ranges::any_of(spec.arguments, [](const kernel::Argument& argument) {
        return argument.kind == kernel::ArgumentKind::buffer && argument.align < widestAccess;
    });
}

} // namespace

std::vector<PlannedRun> functionRuns(std::span<const kernel::Symbols> sizes, std::uint64_t seed) {
    std::vector<PlannedRun> runs;
    for (const kernel::Symbols& set : sizes) runs.push_back({set, std::nullopt, seed, firstPoison, 0, false});
    return runs;
}

std::uint64_t secondSeed(std::uint64_t seed) {
    return seed + secondSeedStep;
}

std::vector<PlannedRun> stressRuns(const kernel::KernelSpec& spec, std::span<const kernel::Symbols> sizes,
                                   std::uint64_t seed, const OtherSizes& others) {
    std::vector<PlannedRun> runs = functionRuns(sizes, seed);
    if (runs.empty()) return runs;
    for (std::size_t i = 1; i < runs.size(); i += 2) runs[i].poison = secondPoison;
    const auto sorted = byExtent(sizes);
    const kernel::Symbols& middle = sorted[sorted.size() / 2];
    for (PlannedRun& run : runs) run.repeat = run.sizes == middle || run.sizes == sorted.back();
    const std::size_t leastAligned = runs.size();
    if (grantsLittleAlignment(spec))
        for (const kernel::Symbols& set : sizes)
            runs.push_back({set, std::nullopt, seed, firstPoison, 0, false, "placements"});
    for (const kernel::Symbols& edge : others.edges)
        runs.push_back(
            {edge, std::nullopt, seed, runs.size() % 2 ? secondPoison : firstPoison, 0, false, "edge_sizes"});
    for (const kernel::Symbols& unseen : others.unseen)
        runs.push_back({unseen, std::nullopt, secondSeed(seed), firstPoison, 0, false, "unseen_sizes"});
    runs.push_back({middle, std::nullopt, secondSeed(seed), secondPoison, otherSchedule, false, "second_seed"});
    if (sorted.back() != middle)
        runs.push_back({sorted.back(), std::nullopt, secondSeed(seed), firstPoison, 0, false, "second_seed"});
    for (const kernel::Symbols& large : others.large)
        runs.push_back({large, std::nullopt, seed, firstPoison, 0, false, "large_sizes"});
    const bool anyFree = std::ranges::any_of(spec.arguments, kernel::isFillFree);
    const bool anyBounded = std::ranges::any_of(spec.arguments, kernel::isBounded);
    for (const FillKind fill : otherFills)
        if (anyFree || (anyBounded && (fill == FillKind::zeros || fill == FillKind::ones)))
            runs.push_back({middle, fill, seed, firstPoison, 0, false, "fills"});
    // All at one end: what counts or collides does so most where there are most.
    if (anyBounded && sorted.back() != middle)
        for (const FillKind fill : {FillKind::zeros, FillKind::ones})
            runs.push_back({sorted.back(), fill, seed, firstPoison, 0, false, "fills"});
    if (anyFree) runs.push_back({middle, FillKind::wide, seed, firstPoison, 0, false, "magnitudes"});
    if (std::ranges::any_of(spec.arguments, kernel::isScalarFree) &&
        spec.reference.kind != kernel::ReferenceKind::expected) {
        PlannedRun run{middle, std::nullopt, seed, firstPoison, 0, false, "other_scalars"};
        run.scalarFactor = otherNumbers;
        runs.push_back(run);
    }
    const auto takesSpecials = [](const kernel::Argument& argument) {
        return kernel::isFillFree(argument) && kernel::isFloat(argument.type);
    };
    if (std::ranges::any_of(spec.arguments, takesSpecials))
        runs.push_back({middle, FillKind::denormal, seed, firstPoison, 0, false, "subnormals"});
    if (!spec.compare && std::ranges::any_of(spec.arguments, takesSpecials)) {
        // Many of them make a NaN of every sum; a single one tells what becomes of it.
        runs.push_back({middle, FillKind::special, seed, firstPoison, 0, false, "special_values"});
        runs.push_back({middle, FillKind::isolated, seed, firstPoison, 0, false, "special_values"});
        if (sorted.back() != middle)
            runs.push_back({sorted.back(), FillKind::isolated, seed, firstPoison, 0, false, "special_values"});
    }
    for (const kernel::BuildOptions::Alias& alias : kernel::allowedAliases(spec))
        for (const kernel::Symbols* size : {&middle, &sorted.back()})
            runs.push_back({*size, std::nullopt, seed, firstPoison, 0, false, "aliasing", alias});
    for (std::size_t i = leastAligned; i < runs.size(); ++i) runs[i].placement = Placement::asAllocated;
    return runs;
}

std::vector<PlannedRun> sanitizeRuns(std::span<const kernel::Symbols> function, std::span<const kernel::Symbols> stress,
                                     std::uint64_t seed) {
    std::vector<kernel::Symbols> sizes(function.begin(), function.end());
    const auto sorted = byExtent(stress);
    for (std::size_t i = 0; i < (sorted.size() + 1) / 2; ++i)
        if (std::ranges::find(sizes, sorted[i]) == sizes.end()) sizes.push_back(sorted[i]);
    std::vector<PlannedRun> runs = functionRuns(sizes, seed);
    for (std::size_t i = 1; i < runs.size(); i += 2) runs[i].placement = Placement::asAllocated;
    return runs;
}

kernel::Symbols withoutBuiltins(kernel::Symbols sizes) {
    std::erase_if(sizes, [](const auto& symbol) {
        return std::ranges::find(kernel::builtinSymbols(), symbol.first) != kernel::builtinSymbols().end();
    });
    return sizes;
}

std::string describeSizes(kernel::Symbols sizes) {
    return kernel::describe(withoutBuiltins(std::move(sizes)));
}

kernel::BuildOptions buildOptions(const PlannedRun& run, const kernel::LaunchOverride* launch) {
    kernel::BuildOptions options;
    options.seed = run.seed;
    options.launch = launch;
    if (run.fill) options.fill.emplace().kind = *run.fill;
    options.alias = run.alias;
    options.scalarFactor = run.scalarFactor;
    // More than that takes its time on an emulator, and says no more.
    if (run.purpose == "large_sizes") options.byteLimit = std::uint64_t{64} << 20;
    if (run.poison == secondPoison) options.padding = kernel::otherPaddingByte;
    return options;
}

RunCase caseOf(const kernel::KernelSpec& spec, const PlannedRun& run) {
    RunCase result;
    for (const kernel::SymbolSizes& symbol : spec.symbols)
        if (const auto size = run.sizes.find(symbol.name); size != run.sizes.end())
            result.set[symbol.name] = size->second;
    result.fill = fillName(spec, run);
    result.seed = run.seed;
    result.purpose = run.purpose;
    result.asAllocated = run.placement == Placement::asAllocated;
    return result;
}

std::string fillName(const kernel::KernelSpec& spec, const PlannedRun& run) {
    // Where no input takes any value, zeros and ones stand for the two ends of what the spec names.
    if (run.fill && std::ranges::none_of(spec.arguments, kernel::isFillFree))
        return *run.fill == FillKind::ones ? "all at the upper end" : "all at the lower end";
    if (run.fill) return std::string(kernel::name(*run.fill));
    for (const kernel::Argument& argument : spec.arguments) {
        const bool isInput = argument.access == kernel::Access::in || argument.access == kernel::Access::inout;
        if (argument.kind == kernel::ArgumentKind::buffer && isInput)
            return std::string(kernel::name(argument.fill ? argument.fill->kind : FillKind::normal));
    }
    return {};
}

} // namespace ptxwb::verify
