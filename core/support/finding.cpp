#include "support/finding.h"

namespace ptxwb {

namespace {
constexpr std::array<std::string_view, 20> kindNames = {"syntax",
                                                        "type",
                                                        "assembler",
                                                        "unsupported",
                                                        "launch",
                                                        "mismatch",
                                                        "nonfinite",
                                                        "out_of_bounds",
                                                        "misaligned",
                                                        "uninitialized",
                                                        "race",
                                                        "barrier_divergence",
                                                        "deadlock",
                                                        "timeout",
                                                        "input_modified",
                                                        "nondeterministic",
                                                        "output_not_written",
                                                        "out_of_specification",
                                                        "faster_than_possible",
                                                        "device_busy"};
}

std::string_view name(FindingKind kind) {
    return kindNames[static_cast<std::size_t>(kind)];
}

std::optional<FindingKind> findingKind(std::string_view text) {
    for (std::size_t i = 0; i < kindNames.size(); ++i)
        if (kindNames[i] == text) return static_cast<FindingKind>(i);
    return std::nullopt;
}

} // namespace ptxwb
