// Hashes of lines at falling strictness: what two lines must share to be taken for the same line.
// Made once a document by `makeKeys`; read by the aligner and by the search for moved lines.
#pragma once

#include "compare/document.h"

#include <array>

namespace ptxwb::compare {

/// Names of registers and labels never count. Ordered from the strictest to the loosest.
enum class KeyLevel : std::uint8_t {
    mapped,     ///< exact, with registers and labels replaced by their partners (once a map is known)
    definition, ///< exact, and so is all that its operands were computed from, and how its result is used
    neighbour,  ///< exact, and so are the lines that define its operands
    exact,      ///< opcode, modifiers, types, immediates, kinds of operands
    shape,      ///< exact without the values of immediates
    opcode,     ///< the opcode, or the first word of what is no instruction
};
inline constexpr std::size_t keyLevelCount = 6;

/// key[level][line]
struct Keys {
    std::array<std::vector<std::uint64_t>, keyLevelCount> key;
    const std::vector<std::uint64_t>& operator[](KeyLevel level) const { return key[static_cast<std::size_t>(level)]; }
    std::vector<std::uint64_t>& operator[](KeyLevel level) { return key[static_cast<std::size_t>(level)]; }
};

/// Everything but KeyLevel::mapped, which is empty.
Keys makeKeys(const Document& document);

/// KeyLevel::mapped: registers and labels count as `partner`, which gives partners on both sides the same number, and
/// `none` to what has no partner (that counts as any other of its type).
std::vector<std::uint64_t> mappedKeys(const Document& document, const std::vector<std::uint32_t>& rangePartner,
                                      const std::vector<std::uint32_t>& labelPartner);

} // namespace ptxwb::compare
