// The lines around a finding, with those that it is about marked.
// Called by the three writers.
#pragma once

#include "support/finding.h"

namespace ptxwb::report {

enum class LineRole : std::uint8_t { context, found, related };
std::string_view name(LineRole role); ///< "context", "found", "related"

struct ExcerptLine {
    std::uint32_t number = 0; ///< from 1
    LineRole role = LineRole::context;
    std::string_view text; ///< into the candidate's
    bool afterGap = false; ///< lines were left out before it
};

/// Three lines around the finding's own and one around each of its related places. Empty where the finding has no line
/// or the text has no such line.
std::vector<ExcerptLine> excerptOf(const Finding& finding, std::string_view text);

} // namespace ptxwb::report
