// Small changes of a candidate that make it wrong: how many of them the funnel notices tells how much it would notice.
// Called by the funnel for deep checks. Source: verification.md, "the tests were too weak to notice".
#pragma once

#include "verify/dynamic_stages.h"

namespace ptxwb::verify {

struct Mutant {
    std::string text;       ///< of the whole module; no line changes its number
    std::uint32_t line = 0; ///< PTX line of the change
    std::string what;       ///< "bar.sync dropped", "comparison lt became le", "address 4 bytes further"
};

/// Barriers and waits dropped, comparisons moved by one, addresses and added numbers one element or one further; of the
/// entry and in the order of the text. At most `limit`, spread evenly over all that there are.
std::vector<Mutant> mutantsOf(const ptx::Module& module, const ptx::Function& entry, std::size_t limit);

/// Function, stress and sanitize on the emulator for each mutant until one of them fails; adds to `strength`. `judged`
/// is the candidate itself, which has passed. Errors: as `runStage`.
Expected<void> killMutants(const Context& context, const Judged& judged, Strength& strength);

} // namespace ptxwb::verify
