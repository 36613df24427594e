// The experiment behind the program: of what a model proposes, how much assembles, is right, is faster, by kind of
// kernel. Used by `ptxwb evaluate`.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::llm {

/// A share with its 95 % interval. Source: Wilson, "Probable Inference, the Law of Succession, and Statistical
/// Inference" (1927): unlike the usual one it stays inside 0 to 1 and says something for few samples.
struct Share {
    std::uint64_t count = 0, of = 0;
    double low = 0, high = 1; ///< all of 0 to 1 where `of` is 0
};
Share share(std::uint64_t count, std::uint64_t of);

/// One proposed candidate.
struct Trial {
    std::string kernel, kernelClass, name;
    std::uint32_t candidate = 1, round = 1;
    bool usable = false;                   ///< the reply held PTX
    bool assembled = false;                ///< ptxas took it
    bool correct = false;                  ///< the verdict is pass
    std::optional<bool> faster;            ///< only from a GPU's benchmark
    std::optional<bool> fewerInstructions; ///< on the emulator, than the baseline
    std::string reason;                    ///< why it failed, for a person
    bool operator==(const Trial&) const = default;
};

nlohmann::json toJson(const Trial& trial);
Expected<Trial> trialFromJson(const nlohmann::json& value);

/// One row of the table. A candidate counts with its last round: what it came to.
struct ClassRow {
    std::string kernelClass; ///< "all" for the last row
    std::uint64_t kernels = 0;
    Share assembled, correct, faster,
        fewerInstructions; ///< of the candidates; the last two of those that were measured
    Share firstRound;      ///< right at the first try
};
std::vector<ClassRow> table(const std::vector<Trial>& trials);

/// "tensor cores", "multiply-add loops", "shared memory", "streaming": by what `features` says of the baseline.
std::string kernelClass(const std::vector<std::string>& features);

} // namespace ptxwb::llm
