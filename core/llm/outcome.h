// What the funnel said about a text, as the model's side needs it: read from the answer of `ptxwb verify --json`, so
// that nothing here knows compilers, emulator or GPU. Used by prompts, the loop, evaluation and data sets.
#pragma once

#include "support/diagnostic.h"
#include "support/finding.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::llm {

struct StageOutcome {
    std::string stage, status, backend, reason;
    std::vector<Finding> findings;
};

struct ResourceFigures {
    std::string arch, entry;
    std::uint32_t registers = 0, stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0, staticSharedBytes = 0,
                  barriers = 0;
};

struct OccupancyFigures {
    std::string arch, limiter;
    std::uint32_t block = 0, blocksPerSm = 0, warpsPerSm = 0;
    double percent = 0;
};

/// The baseline's time over the candidate's, with its interval.
struct SpeedFigures {
    double ratio = 1, low = 1, high = 1;
    std::string call; ///< faster, slower, same, unclear
};

struct Outcome {
    std::string verdict; ///< pass, fail, incomplete
    std::vector<StageOutcome> stages;
    std::vector<ResourceFigures> resources;
    std::vector<OccupancyFigures> occupancy;
    std::optional<double> medianUs; ///< only from a GPU
    std::string device;             ///< the GPU that judged; empty: none did
    std::optional<SpeedFigures> speedup;
    std::vector<std::pair<std::string, std::uint64_t>> counters; ///< of one run on the emulator; may be empty
    std::string textSha256;                                      ///< of the machine code; empty where there is none

    bool passed() const { return verdict == "pass"; }
    /// Whether a stage's findings say what is wrong; the first such stage, nullptr where none failed.
    const StageOutcome* firstFailure() const;
    const StageOutcome* stage(std::string_view name) const;
};

/// One element of `results` of `ptxwb verify --json`. Errors name the field.
Expected<Outcome> outcomeFromJson(const nlohmann::json& result);

/// Whether `a` is the better of two: what passed before what did not, then by verified time, else by what the emulator
/// counted (instructions of warps, then bytes loaded from global memory), else by registers.
bool isBetter(const Outcome& a, const Outcome& b);

} // namespace ptxwb::llm
