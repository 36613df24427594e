// Names that new lines of a region bring along, and the same lines with names that nothing else has.
// Used by stitch.cpp.
#pragma once

#include "ptx/module.h"

#include <string>
#include <vector>

namespace ptxwb::llm {

struct OwnName {
    std::string name;        ///< "%t" of `.reg .f32 %t<4>;`, a label, a variable
    std::uint32_t count = 0; ///< of registers declared as a range
    bool isLabel = false;
    std::uint32_t offset = 0; ///< of the declaration

    /// Whether `word` is this name, or one of its range ("%t3").
    bool covers(std::string_view word) const;
};

/// What is declared directly in `scope`.
std::vector<OwnName> ownNames(const ptx::Module& module, const ptx::Function& entry, ptx::Index scope);

/// `code` with every own name under a prefix that `rest` (the text around) has nowhere; `kept` stay.
std::string renamed(std::string_view code, const std::vector<OwnName>& own, const std::vector<std::string>& kept,
                    std::string_view rest);

} // namespace ptxwb::llm
