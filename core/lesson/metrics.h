// The figures that a lesson's goals speak of: what the emulator counted, and what the text alone tells.
// Called by the check of a submission, and by the loader, which compiles goals against the names.
#pragma once

#include "lesson/lesson.h"
#include "verify/result.h"

namespace ptxwb::lesson {

/// Every count of emulator::WorkCounts ("global_sectors"), the warp instructions of each class ("mix_warp"), and
/// - loads_in_flight: the most loads from global memory that stand in one block of code before the first of their
///   results is used
/// - block_threads, shared_size (bytes, static and dynamic), blocks_per_sm, warps_per_sm, occupancy (whole percent), all for
///   the lesson's architecture and the registers that it assumes
const std::vector<std::string>& metricNames();

/// Of a submission that ran. Errors: a launch that cannot be shaped, an architecture that the table lacks.
Expected<kernel::Symbols> metricsOf(const Lesson& lesson, const std::string& ptx, const verify::WorkReport& work);

/// Whether an instruction of the text is `word`: "cp.async" is each cp with .async among its modifiers. Lines from 1.
std::vector<std::uint32_t> linesWith(const std::string& ptx, std::string_view word);

} // namespace ptxwb::lesson
