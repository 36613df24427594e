// What is usually written to test a generated kernel: compile it, run it once at one size behind the baseline, compare
// with a tolerance of a hundredth. Used by the gallery's test only: each liar must pass here.
#pragma once

#include "kernel/spec.h"

#include <optional>
#include <string>

namespace ptxwb::test {

struct NaiveTest {
    kernel::Symbols sizes;
    double tolerance = 0.01; ///< absolute and relative
    bool zeroTotals = false; ///< inout buffers begin with zeros, as most do who write such a test
    std::uint64_t seed = 1;
};

/// Empty where the candidate passes, otherwise what a naive harness would say.
///
/// As found in the field: buffers are allocated once, with room to spare and aligned as an allocator does; the baseline
/// runs first and its answer is copied; the candidate then runs over the same memory, outputs and all; nothing but the
/// outputs is looked at, and an element is wrong where `error > tolerance`, which no NaN is.
std::string naively(const kernel::Kernel& kernel, const std::string& baseline, const std::string& candidate,
                    const NaiveTest& test);

} // namespace ptxwb::test
