// Which sizes a stage runs: combinations of the symbols' values that satisfy every requirement.
// Called by the funnel for function, stress and benchmark, and by `ptxwb run` for its default.
//
// The rule. One symbol: its list in the spec's order. Several: all combinations in lexicographic order of the lists, if
// there are no more than `limit`; otherwise first combinations that together hold every value of every list (each adds
// the most values not yet seen, earlier ones first), then the mixed extremes (each symbol at its smallest or its
// largest value), up to `limit`. Benchmark: by position, a list of one goes with all others. Combinations that violate
// a requirement are left out before anything is chosen, so that a value is run wherever some combination allows it.
// Lists: `function` falls back to `stress` and `stress` to `function`. Without symbols there is one run.
#pragma once

#include "kernel/candidate_header.h"

namespace ptxwb::kernel {

enum class Use : std::uint8_t { function, stress, benchmark };
std::string_view name(Use use);

struct SizesOptions {
    std::span<const Expression> require; ///< a candidate's own, in addition to the spec's
    std::size_t limit = 24;              ///< runs
    Symbols builtins;                    ///< sm_count, max_blocks_per_sm where known; part of every result
};

/// Never empty, except for benchmark without sizes. Errors: a symbol with benchmark sizes only, no combination
/// satisfies the requirements (the message names the requirements and one combination that fails), a requirement that
/// cannot be computed.
Expected<std::vector<Symbols>> sizes(const KernelSpec& spec, Use use, const SizesOptions& options = {});

/// `count` combinations that no list holds, drawn from `seed` between the smallest and the largest function and stress
/// size of each symbol; fewer where requirements leave few, none without symbols.
Expected<std::vector<Symbols>> drawnSizes(const KernelSpec& spec, std::uint64_t seed, std::size_t count,
                                          const SizesOptions& options = {});

/// At most `count` combinations that no list holds, at the edges of the work: 0, 1, and around the numbers that launch
/// and buffers are computed with (tile - 1, tile, tile + 1, twice the tile + 1), then primes. One symbol moves at a
/// time (one that all lists hold at a single value is left alone); none exceeds the largest listed value of its symbol,
/// nor the largest listed product of all. Within the requirements. `own`: a candidate's launch, or null.
Expected<std::vector<Symbols>> edgeSizes(const KernelSpec& spec, const LaunchOverride* own, std::size_t count,
                                         const SizesOptions& options = {});

/// Combinations with one symbol over 65,536, where a 16-bit index starts anew and a grid's y and z end: for symbols
/// whose benchmark sizes go beyond it and whose other lists do not. The others are at their smallest listed value over
/// 0. At most `count`, within the requirements.
Expected<std::vector<Symbols>> largeSizes(const KernelSpec& spec, std::size_t count, const SizesOptions& options = {});

/// How much a combination is likely to mean in work: the product of 1 + |value| of the spec's symbols.
double extentOf(const KernelSpec& spec, const Symbols& symbols);

/// The first requirement, of the spec or of `extra`, that `symbols` violate; nullptr where all hold.
Expected<const Expression*> violated(const KernelSpec& spec, std::span<const Expression> extra, const Symbols& symbols);

} // namespace ptxwb::kernel
