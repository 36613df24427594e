// A kernel's judge for the commands that ask a model: its notes go to stderr.
#pragma once

#include "kernel_argument.h"
#include "proposals/kernel_judge.h"

namespace ptxwb::cli {

using proposals::KernelJudge;
using proposals::outcomeOf;

std::unique_ptr<KernelJudge> makeJudge(const kernel::Kernel& kernel, std::unique_ptr<worker::WorkerClient> client,
                                       verify::Plan plan);

} // namespace ptxwb::cli
