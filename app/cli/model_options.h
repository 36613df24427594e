// The options that `propose` and `evaluate` share: which model, what it may spend.
#pragma once

#include "command.h"
#include "proposals/model_access.h"

namespace ptxwb::cli {

using proposals::ModelAccess;
using ModelOptions = proposals::ModelChoice;

void addModelOptions(CLI::App* command, ModelOptions& options);

/// With keys from environment variables.
Expected<std::unique_ptr<ModelAccess>> openModel(const ModelOptions& options);

} // namespace ptxwb::cli
