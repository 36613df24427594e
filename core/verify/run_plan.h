// Which launches a stage makes: sizes, inputs, poison, order of warps. The same spec and seed give the same list.
// Called by the function, stress and sanitize stages. Source: verification.md.
#pragma once

#include "kernel/layout.h"
#include "verify/placement.h"
#include "verify/run_case.h"

#include <span>

namespace ptxwb::verify {

struct PlannedRun {
    kernel::Symbols sizes;
    std::optional<kernel::FillKind> fill;          ///< in place of the spec's; absent: as the spec says
    std::uint64_t seed = 0;                        ///< of the inputs
    kernel::Poison poison = kernel::Poison::first; ///< of the outputs before the launch
    std::uint64_t schedule = 0;                    ///< order of warps, 0: as they are numbered
    bool repeat = false; ///< run once more in another order of warps; must be bitwise equal if `deterministic`
    std::string_view purpose = "sizes";                              ///< the check that it is made for
    std::optional<kernel::BuildOptions::Alias> alias = std::nullopt; ///< two buffers in one place
    double scalarFactor = 1;                                         ///< of the numbers that the spec gives scalars
    Placement placement = Placement::leastAligned;

    /// Of a kind that the spec's author may not have thought of, with sizes, values or numbers that the spec does not
    /// list: where baseline or reference cannot serve, the run is left out.
    bool isGenerated() const {
        return purpose == "edge_sizes" || purpose == "large_sizes" || purpose == "magnitudes" ||
               purpose == "subnormals" || purpose == "other_scalars";
    }
    bool isSpecial() const { return purpose == "special_values"; }
};

/// One run for each size, as the spec says.
std::vector<PlannedRun> functionRuns(std::span<const kernel::Symbols> sizes, std::uint64_t seed);

/// Sizes that no list of the spec holds.
struct OtherSizes {
    std::vector<kernel::Symbols> edges, unseen, large;
};

/// Each stress size with the spec's fills, every second one under a second poison, and once more with buffers as a
/// program allocates them where the spec grants less alignment than the widest access needs; edge sizes likewise, and
/// from here on all as allocated; sizes that nobody has seen with a second seed; then, at a middle size and at the
/// largest, the second seed, and at the middle one the other distributions that the spec's arguments allow and special
/// values, many and single ones; repeated runs at the middle and the largest size.
std::vector<PlannedRun> stressRuns(const kernel::KernelSpec& spec, std::span<const kernel::Symbols> sizes,
                                   std::uint64_t seed, const OtherSizes& others = {});

/// The seed of the inputs that are the second ones.
std::uint64_t secondSeed(std::uint64_t seed);

/// The function sizes and the smaller half of the stress sizes, each once, by turns least aligned and as allocated:
/// with every checker on, a run costs more.
std::vector<PlannedRun> sanitizeRuns(std::span<const kernel::Symbols> function, std::span<const kernel::Symbols> stress,
                                     std::uint64_t seed);

/// The launch of a run, with the candidate's own shape or null.
kernel::BuildOptions buildOptions(const PlannedRun& run, const kernel::LaunchOverride* launch);

/// The run as results tell it; its status is for the stage to say.
RunCase caseOf(const kernel::KernelSpec& spec, const PlannedRun& run);

kernel::Symbols withoutBuiltins(kernel::Symbols sizes);

/// "m = 64, n = 33", without the built-in symbols.
std::string describeSizes(kernel::Symbols sizes);

/// "normal", "cancelling", ...: what the run's inputs were, for findings.
std::string fillName(const kernel::KernelSpec& spec, const PlannedRun& run);

} // namespace ptxwb::verify
