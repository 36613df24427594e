// What one verification is asked to do: the kernel with its files, one candidate, and how far to go.
// Made by the command line and the window, carried by the worker protocol, read by the funnel.
#pragma once

#include "kernel/spec.h"
#include "verify/result.h"

#include <chrono>

namespace ptxwb::verify {

struct CandidateText {
    std::string name; ///< "vectorized"
    std::string file; ///< for messages
    std::string text; ///< the PTX
};

enum class ReferenceTrust : std::uint8_t {
    refused, ///< the reference does not run; the baseline is the oracle
    granted,
};

enum class Backend : std::uint8_t {
    automatic, ///< a GPU where there is one, the emulator otherwise; checkers always on the emulator
    emulator,
    gpu, ///< inconclusive where there is none
};
std::string_view name(Backend backend); ///< "auto", "emulator", "gpu"
std::optional<Backend> backend(std::string_view name);

struct Plan {
    std::vector<Stage> stages;              ///< empty: all. The others are skipped, and the verdict is then incomplete.
    std::vector<std::string> architectures; ///< for ptxas; empty: the spec's
    std::vector<std::string> toolkits;      ///< folders on the worker's machine, whose ptxas is tried too
    std::optional<std::uint64_t> seed;      ///< absent: `defaultSeed`
    ReferenceTrust reference = ReferenceTrust::refused;
    bool rebuildBaseline = false;
    std::uint64_t instructionLimit = std::uint64_t{1} << 32; ///< thread instructions of one launch, on the emulator
    std::size_t findingLimit = 32;                           ///< of one stage
    Backend backend = Backend::automatic;
    bool useCache = true;                           ///< what was judged before is taken over, but for the benchmark
    bool deep = false;                              ///< compute-sanitizer's tools too, where there is a GPU
    int device = 0;                                 ///< ordinal of the GPU
    std::chrono::milliseconds launchDeadline{5000}; ///< of one launch on a GPU
    double benchmarkSeconds = 3;                    ///< of measuring, warm-up and inputs not counted
};

struct VerifyInput {
    kernel::Kernel kernel;
    std::optional<CandidateText> candidate; ///< absent: the baseline itself
    Plan plan;
};

/// A hash of spec, source and reference, so that a run repeats without a seed being named. Fits 32 bits.
std::uint64_t defaultSeed(const kernel::Kernel& kernel);

/// Whether the plan asks for `stage`.
bool asks(const Plan& plan, Stage stage);

} // namespace ptxwb::verify
