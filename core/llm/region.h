// Some lines of a kernel as a question of their own: what they get, what they must leave, and their new text put back.
// Used by prompts, by the loop for `--region`, and by the window's "rewrite these lines".
#pragma once

#include "ptx/module.h"
#include "support/diagnostic.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::llm {

/// Lines from 1, both included.
struct RegionRequest {
    std::uint32_t firstLine = 0, lastLine = 0;
};

struct RegionRegister {
    std::string name, type; ///< "%f12", "f32"
    bool operator==(const RegionRegister&) const = default;
};

/// What a region of an entry is.
struct RegionView {
    std::uint32_t firstLine = 0, lastLine = 0; ///< as asked, without labels and blank lines at its beginning
    std::uint32_t first = 0, end = 0;          ///< instructions
    std::string text;                          ///< of these lines, without line information
    std::vector<RegionRegister> liveIn, liveOut;
    std::vector<RegionRegister> inner;                       ///< used nowhere else: free for the new text
    std::vector<std::string> keptLabels;                     ///< inside, and jumped to from outside: they must stay
    std::vector<std::string> exits;                          ///< labels outside that the region jumps to
    bool fallsThrough = true;                                ///< control goes on below it
    bool leaves = false;                                     ///< it returns or exits somewhere
    bool isDivergent = false;                                ///< threads of a warp may be missing when it begins
    std::vector<std::string> barriers;                       ///< "bar.sync 0", one for each
    std::uint32_t pressureWords = 0, pressurePredicates = 0; ///< the most live values inside
    std::uint32_t loopDepth = 0;                             ///< of its first instruction
};

/// Errors (Cause::rejected, with the place): lines outside of the entry's body, no instruction among them, a
/// declaration, a scope or a call sequence that is only half inside.
Expected<RegionView> regionOf(const ptx::Module& module, const ptx::Function& entry, RegionRequest lines);

/// What decides which loop is the hottest.
enum class HotBasis : std::uint8_t {
    structure, ///< nothing was counted: the deepest loop, of equal ones that with most instructions
    executed,  ///< warp instructions that the emulator counted
    samples,   ///< where a GPU's warps stood when the hardware looked
};

/// How much each line of a text did, by one of the two ways of counting.
struct LineWeights {
    HotBasis basis = HotBasis::executed;
    std::map<std::uint32_t, std::uint64_t> lines; ///< by line, from 1
};

struct HotLoop {
    RegionRequest lines;
    HotBasis basis = HotBasis::structure;
    double percent = 0; ///< of all weights of the entry's lines; 0 for HotBasis::structure
};

/// The innermost loop whose lines weigh most, or by its structure where `weights` is absent or says nothing about any
/// loop; nothing where there is no loop.
std::optional<HotLoop> hottestLoop(const ptx::Module& module, const ptx::Function& entry,
                                   const LineWeights* weights = nullptr);
/// "lines 12 to 40, 83 % of the warp instructions that the emulator counted".
std::string describe(const HotLoop& loop);

struct Stitched {
    std::string text;                          ///< the whole file
    std::uint32_t firstLine = 0, lastLine = 0; ///< where the new lines are
};

/// The module's text with `code` in place of the region. What `code` declares (registers, labels, shared and local
/// variables) is renamed apart from everything else. Errors (Cause::rejected) say at which line of `code` what is
/// wrong: it does not parse; it declares a name anew that the region gets or must leave; it does not write what is
/// needed afterwards on every way on which the old lines did; it writes what is needed afterwards and was not its
/// business; it reads what may not have been written; barriers are lost or added; it jumps elsewhere, returns, or drops
/// a label.
Expected<Stitched> stitch(const ptx::Module& module, const ptx::Function& entry, const RegionView& region,
                          std::string_view code);

} // namespace ptxwb::llm
