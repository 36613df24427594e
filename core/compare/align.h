// Pairs the lines of two ranges in order: unique lines first, then what lies between them.
// Called by `compare` for each pair of functions and for the lines outside of them.
#pragma once

#include "compare/compare.h"
#include "compare/line_keys.h"

namespace ptxwb::compare {

/// Lines [begin, end).
struct LineRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t size() const { return end - begin; }
};

/// How long we may go on, and whether something was left out for it.
struct Budget {
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::stop_token stop;
    bool approximate = false;
    /// Looks at the clock; once true, stays true, and marks the result approximate.
    bool isSpent();

private:
    bool m_spent = false;
};

/// A document and the keys of its lines. Lines of `excluded` have no partner (a function that only one side has).
struct Side {
    const Document* document = nullptr;
    Keys keys;
    std::vector<bool> excluded;
};

/// Partner of each line on the other side; `none` where it has none.
struct Pairs {
    std::vector<std::uint32_t> rightOf, leftOf;
    void connect(std::uint32_t left, std::uint32_t right) {
        rightOf[left] = right;
        leftOf[right] = left;
    }
};

/// Fills `pairs` for the lines of the two ranges. `withMap` uses KeyLevel::mapped as the strictest level.
void align(const Side& left, const Side& right, LineRange leftRange, LineRange rightRange, bool withMap, Budget& budget,
           Pairs& pairs);

} // namespace ptxwb::compare
