// One thing that a stage of the funnel found: the value that the emulator, ptxas, the comparison of outputs and the
// benchmark all speak, and that becomes a `findings` element of `ptxwb verify --json`.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// The kinds of interfaces.md, in its order. `name()` gives the spelling used in JSON.
enum class FindingKind : std::uint8_t {
    syntax,
    type,
    assembler,
    unsupported,
    launch,
    mismatch,
    nonfinite,
    outOfBounds,
    misaligned,
    uninitialized,
    race,
    barrierDivergence,
    deadlock,
    timeout,
    inputModified,
    nondeterministic,
    outputNotWritten,
    outOfSpecification,
    fasterThanPossible,
    deviceBusy,
};
std::string_view name(FindingKind kind);
std::optional<FindingKind> findingKind(std::string_view name);

using Index3 = std::array<std::uint32_t, 3>;

/// The other side of a finding: the second access of a race, the lanes that wait elsewhere.
struct RelatedFinding {
    std::uint32_t line = 0; ///< PTX line, from 1
    std::uint32_t column = 0;
    std::optional<Index3> block;
    std::optional<Index3> thread;
    std::string access; ///< "read", "write", "atomic", or empty
    std::string message;
};

struct CudaPlace {
    std::string file;
    std::uint32_t line = 0;
};

struct Finding {
    FindingKind kind = FindingKind::mismatch;
    std::string check;   ///< the named check that found it ("elements", "bounds", "shared_race", "ptxas", ...)
    std::string message; ///< what and why, readable alone
    std::string hint;
    std::uint32_t line = 0; ///< PTX line, from 1; 0 where there is none
    std::uint32_t column = 0;
    std::uint32_t length = 0; ///< bytes, for the caret range
    std::optional<CudaPlace> cuda;
    std::string argument;             ///< the buffer of the spec, empty where none
    std::vector<std::uint64_t> index; ///< element index in it
    std::optional<double> got, expected, allowed;
    std::optional<Index3> block, thread;
    std::optional<std::uint64_t> address;    ///< byte offset from the start of the named allocation or window
    std::optional<std::uint32_t> bytes;      ///< size of the access
    std::map<std::string, std::int64_t> set; ///< the sizes of the run, `{"n": 32}`
    std::string fill;
    std::optional<std::uint64_t> seed;
    bool asAllocated = false; ///< buffers began at multiples of 256 bytes, beyond what the spec grants
    std::uint64_t occurrences = 1; ///< how often, where only the first is shown
    std::vector<RelatedFinding> related;
};

} // namespace ptxwb
