// Pairs the instructions of two functions of machine code: what stayed, what has other registers, what is new.
// Called by `ptxwb sass --against` and by the window's SASS panel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::compare {

enum class SassRowKind : std::uint8_t {
    same,    ///< to the letter
    renamed, ///< but for registers, predicates and labels
    changed, ///< the same opcode with other modifiers or operands
    removed, ///< on the left only
    added,   ///< on the right only
};
std::string_view name(SassRowKind kind);

struct SassRow {
    SassRowKind kind = SassRowKind::same;
    std::uint32_t left = 0, right = 0; ///< indices; `left` of an added row is where it would stand
};

/// `left` and `right`: instructions as nvdisasm writes them, without the semicolon.
std::vector<SassRow> sassRows(const std::vector<std::string>& left, const std::vector<std::string>& right);

/// The instruction with every register, predicate, barrier and label as the name of its kind: "@P LDG.E R, [R.64+0x10]".
std::string withoutNames(std::string_view instruction);

} // namespace ptxwb::compare
