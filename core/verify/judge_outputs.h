// Whether one launch left the right things in memory: outputs, untouched inputs, whole padding.
// Called by the function and stress stages after each launch.
#pragma once

#include "verify/oracle.h"

namespace ptxwb::verify {

struct OutputJudgement {
    std::vector<Finding> findings;
    std::string doubt;        ///< why the baseline's own error makes a comparison meaningless; empty where it does not
    bool wasCompared = false; ///< by the spec's own `compare`, in place of the tolerance; special values: any element
};

/// Of each buffer of the launch, one byte an element; empty where none was compared.
using WrongElements = std::vector<std::vector<std::uint8_t>>;

/// `isBaseline`: the launch judged is the baseline's own; it is compared with a reference only.
OutputJudgement judgeOutputs(const Context& context, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                             const Oracle& oracle, const OracleRun& expected, bool isBaseline,
                             WrongElements* wrong = nullptr);

/// Under NaN and infinities among the inputs: findings `special_values` for elements where one of the two is not finite
/// and the other is something else. Rounding is not looked at. Elements where the baseline differs from the reference
/// in that are left out, and `doubt` tells of the first; `wasCompared` where any was left to compare.
OutputJudgement judgeSpecials(const Context& context, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                              const Oracle& oracle, const OracleRun& expected, bool isBaseline);

/// A finding `input_dependence` where two launches of one size with different inputs have left every output the same
/// although the expected ones differ.
std::optional<Finding> sameWhateverTheInput(const kernel::LaunchData& data, const LaunchOutcome& first,
                                            const OracleRun& firstExpected, const LaunchOutcome& second,
                                            const OracleRun& secondExpected);

/// Findings about one output of a candidate whose expected content is the verified baseline's, as at benchmark sizes:
/// the error allowed is doubled.
std::vector<Finding> judgeAgainst(const Context& context, const kernel::LaunchData& data, std::size_t buffer,
                                  std::span<const std::uint8_t> baseline, std::span<const std::uint8_t> candidate);

/// What must hold whatever the oracle says: `in` buffers unchanged, padding whole, `out` elements written.
std::vector<Finding> judgeMemory(const kernel::LaunchData& data, const LaunchOutcome& outcome);

/// Findings `nondeterministic`: elements of outputs that differ between two launches of the same inputs, bit by bit.
std::vector<Finding> compareRepeats(const kernel::LaunchData& data, const LaunchOutcome& first,
                                    const LaunchOutcome& second);

} // namespace ptxwb::verify
