// Makes the rows of the side-by-side view, the counts, the outline of functions and the hunks.
// Called by `compare` as its last step.
#pragma once

#include "compare/classify.h"

namespace ptxwb::compare {

/// Ranges of lines that face each other; together they tile both texts in order.
struct Segment {
    LineRange left, right;
};

/// What the alignment found. Everything is in the order in which the sides were aligned; `exchanged` means that the
/// person's left is our right.
struct Alignment {
    const Side& left;
    const Side& right;
    const std::vector<Segment>& segments;
    const Pairs& pairs;
    const Pairs& moved;
    bool exchanged = false;
};

Comparison makeComparison(const Alignment& alignment, Classifier& classifier, Level level);

} // namespace ptxwb::compare
