// Lines of different text that may compute the same: commuted operands, a multiplication written as a shift.
// Called by the classification of rows; it only makes a note, such lines never count as equal.
#pragma once

#include "compare/document.h"

#include <functional>
#include <string>

namespace ptxwb::compare {

/// "possibly equivalent: ..." or empty. `fits` tells whether two tokens stand for each other.
std::string equivalenceNote(const Document& left, const Line& leftLine, const Document& right, const Line& rightLine,
                            const std::function<bool(const Token&, const Token&)>& fits);

/// Whether two number literals have the same value (`16` and `0x10`, `0F3f800000` and `0f3F800000`).
bool sameNumber(std::string_view a, std::string_view b);

} // namespace ptxwb::compare
