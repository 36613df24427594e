// The parts of an export as text, and names that C takes.
// Shared by the files of this folder only.
#pragma once

#include "kernel/candidate_header.h"
#include "ship/ship.h"

namespace ptxwb::ship {

/// Everything that the parts need: the shipment and what was read from it.
struct Parts {
    const Shipment& shipment;
    std::string name;  ///< "saxpy_vectorized": an identifier and the files' stem
    std::string upper; ///< "SAXPY_VECTORIZED"
    std::string entry;
    kernel::CandidateHeader header;
    std::string cubinSha256, ptxSha256, textSha256;
};

/// Letters, digits and _; never empty, never beginning with a digit.
std::string identifier(std::string_view text);
std::string upperCase(std::string_view text);
/// Inside of a C comment: one line, no end of a comment, nothing that a preprocessor takes.
std::string comment(std::string_view text);
/// A C string literal with its quotes.
std::string literal(std::string_view text);

/// "int64_t n, int64_t m": the spec's symbols, then sm_count and max_blocks_per_sm where the shape or a requirement
/// uses them.
std::string symbolParameters(const Parts& parts);
/// The same as arguments: "n, m".
std::string symbolArguments(const Parts& parts);

/// The body of a function that fills `shape` (see header.cpp) and returns 0 where no GPU takes the launch.
std::string shapeBody(const kernel::LaunchShape& launch, const kernel::LaunchOverride* own);
/// The body of a function that returns whether all requirements hold.
std::string requireBody(const Parts& parts, bool withOwn);

enum class Embed : std::uint8_t { no, cubin };
std::string headerSource(const Parts& parts, Embed embed);

Expected<std::vector<File>> harnessFiles(const Parts& parts);

// Made by CMake: code that is exported as it is.
std::string inputsSource();
std::string_view runtimeSource();

} // namespace ptxwb::ship
