// What a bundle says beside what the same kernel does here, judged again with other inputs.
// Called by `ptxwb verify BUNDLE`.
#pragma once

#include "session/session.h"

namespace ptxwb::bundle {

enum class Agreement : std::uint8_t {
    same,
    other,         ///< for a reason that is known and fine: another device, another assembler, another measurement
    contradiction, ///< what was approved does not hold here
};
std::string_view name(Agreement agreement); ///< "same", "other", "contradiction"

struct Comparison {
    std::string what, then, now; ///< "stress", "pass", "fail: y[31] is 1.5"
    Agreement agreement = Agreement::same;
};

/// Stage by stage, then machine code, resources and time. Machine code must be the same where the assembler is; a stage
/// that passed then and fails now is a contradiction, one that nobody could judge here is not.
std::vector<Comparison> compareWithNow(const session::Judgement& then, const session::Judgement& now);

/// One that none of the bundle's judgements had. `random` draws 32 bits.
template <class Random>
std::uint64_t newSeed(const std::vector<const session::Judgement*>& judgements, Random&& random) {
    for (;;) {
        const std::uint64_t seed = random();
        bool known = false;
        for (const session::Judgement* judgement : judgements) known |= judgement->seed == seed;
        if (!known) return seed;
    }
}

} // namespace ptxwb::bundle
