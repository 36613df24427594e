// What the emulator counted of one launch, with CUDA lines, and its JSON. Counts, not time.
// Made by the sanitize stage and by `ptxwb run`; read by the command line and by the window's margin.
#pragma once

#include "emulator/counters.h"
#include "kernel/expression.h"
#include "ptx/module.h"
#include "support/finding.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ptxwb {
class JsonReader;
}

namespace ptxwb::verify {

struct WorkLine {
    std::uint32_t line = 0;        ///< of the PTX
    std::optional<CudaPlace> cuda; ///< where a `.loc` covers the line
    emulator::WorkCounts counts;
};

struct WorkReport {
    kernel::Symbols sizes; ///< of the launch, `{"n": 1000}`
    emulator::WorkCounts total;
    std::array<emulator::MixCounts, emulator::instructionClasses> mix{};
    std::vector<WorkLine> lines; ///< those that were executed, in order
};

/// Built-in symbols among the sizes are left out.
WorkReport workReport(const emulator::Work& work, const ptx::Module& module, const kernel::Symbols& sizes);

/// `{"set", "total", "mix", "lines"}`: a line has only the counts that are not 0.
nlohmann::json toJson(const WorkReport& report);
/// Errors name the key.
Expected<WorkReport> workReportFrom(const JsonReader& reader);

} // namespace ptxwb::verify
