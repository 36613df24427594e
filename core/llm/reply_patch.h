// Diffs as models write them, applied to the text that they are about.
// Used by reply.cpp.
#pragma once

#include "support/diagnostic.h"

#include <string>
#include <string_view>

namespace ptxwb::llm {

struct Patched {
    std::string text;
    std::uint32_t hunks = 0;
    std::uint32_t moved = 0; ///< hunks whose line numbers were wrong
};

/// `diff`: a unified diff, with or without its `---` lines, whose line numbers and counts need not be right, or blocks
/// of `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`. A hunk belongs where its old lines stand, blanks
/// apart; of several such places the one nearest to its line number. Errors (Cause::rejected): a hunk whose lines stand
/// nowhere, or in several places without a number to tell; a hunk without a change; a file of several.
Expected<Patched> applyDiff(std::string_view base, std::string_view diff);

} // namespace ptxwb::llm
