// What an edit did: the figures of two versions of a kernel side by side, and the lines and hunks that moved them.
// Called by the window's panel of effects; counts are the emulator's and no time, time is a GPU's.
#pragma once

#include "compare/compare.h"
#include "verify/result.h"

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::report {

/// A version of a kernel with what was found of it.
struct Version {
    std::string name;
    std::string text;
    std::optional<verify::CandidateResult> result; ///< absent: not verified
};

enum class Figure : std::uint8_t {
    registers,
    spills, ///< bytes stored and loaded
    shared, ///< static, bytes
    stack,
    instructions, ///< of warps
    threadInstructions,
    sectors,    ///< of global memory
    wavefronts, ///< of shared memory
    conflicts,  ///< wavefronts beyond those without bank conflicts
    divergentBranches,
    barrierWaits,
    occupancy, ///< percent
    time,      ///< microseconds
    count_
};
inline constexpr std::size_t figureCount = static_cast<std::size_t>(Figure::count_);
std::string_view name(Figure figure); ///< "registers", "global sectors", ...
bool lessIsBetter(Figure figure);     ///< all but occupancy

/// Empty where it is not known: not verified, no toolkit, no GPU.
using Figures = std::array<std::optional<double>, figureCount>;
Figures figuresOf(const verify::CandidateResult& result, const std::string& arch);

/// What lines did before and do now. A side with no lines has counts of 0.
struct LineEffect {
    std::uint32_t leftLine = 0, rightLine = 0; ///< 0: that side has none
    compare::RowClass rowClass = compare::RowClass::identical;
    emulator::WorkCounts before, after;
};

/// A hunk of the comparison with what its lines did, and do now.
struct HunkEffect {
    std::string kernel;
    std::uint32_t leftFirst = 0, leftLast = 0, rightFirst = 0, rightLast = 0; ///< lines; 0: that side has none
    emulator::WorkCounts before, after;
};

struct EditEffect {
    Figures before, after;
    std::vector<HunkEffect> hunks; ///< in order of the text
    /// Rows whose counts differ, by how much they moved, most first. A row of an unchanged line is among them: an edit
    /// elsewhere changed how often it runs or what it touches.
    std::vector<LineEffect> lines;
    /// Why lines are not told: a version was not verified, or both were counted at other sizes. Empty where they are.
    std::string noLines;
    bool sameText = false;
};

/// `arch`: the target whose resources count. Parses and compares both texts: not on a window's thread.
EditEffect editEffect(const Version& before, const Version& after, const std::string& arch, std::stop_token stop = {});

} // namespace ptxwb::report
