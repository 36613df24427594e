// Is an output right? The comparison of one buffer with the reference, with the baseline's own error as the measure.
// Called by the funnel for every output of every run.
//
// The rule `auto`: reference in double, ref_i; scale s_i = max(|ref_i|, mean |ref|); e = max |got_i - ref_i| / s_i; e0
// the same for the baseline on the same inputs. Allowed: max(4 e0, 2 u_out + 8 u_acc sqrt(R)), u the unit roundoff of
// the output type and of the accumulator, R the additions that go into one element. If e0 > max(2^-6, 2 u_out) the
// baseline itself is in doubt. The mean is over the elements whose reference is finite and within the type's range. An
// element that is the reference rounded to the output type is right whatever e says (subnormals), an infinity is right
// where |ref| exceeds the type's range (for e4m3, which has none: NaN or the largest number), NaN where the reference
// is NaN. Integers: exact.
#pragma once

#include "kernel/layout.h"
#include "support/finding.h"

namespace ptxwb::kernel {

struct Comparison {
    const Buffer* buffer = nullptr; ///< name, type and shape
    /// The reference's answer, laid out as the buffer: `reals` for floating-point types, `bits` for the others.
    std::span<const double> referenceReals;
    std::span<const std::uint8_t> referenceBits;
    std::span<const std::uint8_t> candidate; ///< bytes of the buffer after the launch
    std::span<const std::uint8_t> baseline;  ///< the same of the baseline; empty where there is none
    std::span<const std::uint8_t> written;   ///< one byte an element, 0: never written; empty: all were
    Tolerance tolerance;
    double reduction = 1;                   ///< R
    std::optional<ElementType> accumulator; ///< absent: f32, f64 for f64 output
    std::optional<double> baselineError;    ///< e0 as measured elsewhere (smaller sizes), where `baseline` is empty
    double allowedFactor = 1;               ///< 2 where the baseline at benchmark size is the oracle
    std::size_t findingLimit = 3;
    std::vector<std::uint8_t>* wrong = nullptr; ///< gets one byte an element, 1 where it is wrong
};

struct Judgement {
    enum class Call : std::uint8_t { right, wrong, inDoubt } call = Call::right;
    std::string reason; ///< why in doubt
    double error = 0;   ///< e; under absolute_relative and ulp the largest share of what is allowed
    double allowed = 0;
    std::optional<double> baselineError; ///< e0
    std::uint64_t wrongElements = 0;
    /// At most one for elements that were not written, one for NaN and infinities, the first and the worst mismatch.
    /// `allowed` of a finding is the largest |got - expected| at that element; the message has the relative figures and
    /// e0. `occurrences` counts the elements of its kind.
    std::vector<Finding> findings;
};

Judgement judge(const Comparison& comparison);

} // namespace ptxwb::kernel
