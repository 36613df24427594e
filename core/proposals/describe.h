// One line about what came of a reply.
// Used by the commands that ask a model, and by the window's Model panel.
#pragma once

#include "llm/loop.h"

namespace ptxwb::proposals {

/// "failed at function: y[31] is 1.5 ... (line 12)", "passed, 24 registers, ...", "nothing usable: ..." for a person.
std::string describe(const llm::Attempt& attempt);

} // namespace ptxwb::proposals
