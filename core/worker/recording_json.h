// A recording of one warp inside an answer: what a person reads as JSON, the rest packed and in base64.
// Written by the worker's run job; read by clients that show the steps.
#pragma once

#include "emulator/recording.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::worker {

/// `{"block", "warp", "steps", "stopped_early", "findings", "data"}`.
nlohmann::json toJson(const emulator::Recording& recording);
/// Errors name the key, or say what does not fit in the data.
Expected<emulator::Recording> recordingFromJson(const nlohmann::json& value);

} // namespace ptxwb::worker
