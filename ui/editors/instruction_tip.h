// The card of the instruction under the pointer or at the caret, as a tooltip.
// Used by the code panes that show PTX.
#pragma once

#include <QString>

#include <optional>
#include <string_view>

namespace ptxwb::ui {

/// The opcode with its modifiers on a line of PTX ("ld.global.v4.f32"), where `column` (bytes, from 0; -1: anywhere)
/// lies on it. Empty where it lies elsewhere, or the line holds a directive, a label alone or a comment.
std::string_view opcodeOnLine(std::string_view line, int column);

/// Rich text of the card; empty where the table has no such opcode.
QString instructionTip(std::string_view opcode);

} // namespace ptxwb::ui
