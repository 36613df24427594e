// The commands that measure models and collect what they wrote.
// Called by main.cpp.
#pragma once

#include "command.h"

namespace ptxwb::cli {

void addEvaluate(Invocation& invocation);
void addExportDataset(Invocation& invocation);

} // namespace ptxwb::cli
