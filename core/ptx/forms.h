// Which modifiers and types an opcode takes together: the forms of forms.def and forms_parallel.def, and how an
// instruction fits them. Used by the checker, by the cards for hover help and by completion.
#pragma once

#include "ptx/module.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::ptx {

/// A dotted word as a number: a modifier, a type, a state space or a vector width.
using WordKey = std::uint16_t;
inline constexpr WordKey noWord = 0;
WordKey wordKey(const ModifierUse& use);
std::string_view wordText(WordKey key); ///< without the dot

/// Words of which one stands: `.rn`, `.rz`, `.rm` or `.rp`.
struct WordGroup {
    bool optional = false;
    std::vector<WordKey> words; ///< in order of the table
    bool has(WordKey key) const { return key < inGroup.size() && inGroup[key]; }
    std::vector<bool> inGroup;
};

struct Form {
    Opcode opcode = Opcode::unknown;
    std::uint16_t firstPtx = 0;        ///< 10 * major + minor
    std::uint16_t firstTarget = 0;     ///< 75 for sm_75
    bool needsLetter = false;          ///< sm_90a, not sm_90
    std::uint16_t beforeTarget = 0;    ///< 120 where sm_120 and newer have it not; 0 where all have it
    std::string_view pattern;          ///< as forms.def has it
    std::vector<std::uint16_t> groups; ///< into `formGroups`
};

const WordGroup& formGroup(std::uint16_t group);
/// First PTX version and target of a word wherever it stands; zeros where it is as old as what it stands in.
struct WordAge {
    std::uint16_t firstPtx = 0, firstTarget = 0;
};
WordAge wordAge(WordKey key);
/// Empty where the table says nothing about the opcode.
std::span<const Form> formsOf(Opcode opcode);

/// How the words of an instruction fit one form. Bit i is modifier i, and group i of the form; past 32 all fit.
struct Fit {
    const Form* form = nullptr;
    std::uint32_t extra = 0;   ///< words for which the form has no group left
    std::uint32_t missing = 0; ///< groups that must have a word and have none
    bool fits() const { return extra == 0 && missing == 0; }
};
Fit fit(const Form& form, std::span<const ModifierUse> words);
/// The form that fits, of those the one that came first; else the nearest one. `form` is null where there is none.
Fit bestFit(Opcode opcode, std::span<const ModifierUse> words);

/// ".sat{.ftz}.f32" in the table's words, alternatives as `.{rn,rz}`, long lists cut: for help and messages.
std::string formText(const Form& form);

} // namespace ptxwb::ptx
