// The operand under the pointer or at the caret: what it is, where it was declared and where its value comes from.
// Used by the code panes that show PTX, in tooltips and in the card of F1.
#pragma once

#include "ptx/analysis/register_use.h"

#include <QString>

namespace ptxwb::ui {

/// Rich text; lines are links "line:12". Empty for what needs no explanation (a number).
QString operandTip(const ptx::Module& module, const ptx::OperandAt& operand);

} // namespace ptxwb::ui
