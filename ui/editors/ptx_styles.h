// Which byte of PTX text has which style, from the lexer of core; no editor, no Qt widget.
// Called by the highlighter of the PTX panes, line by line as they come into view.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::ui {

/// Style numbers 0 to 12 are those of `SyntaxColour`, in its order; 13 is a line that is shown shortened.
enum class PtxStyle : char {
    text,
    comment,
    directive,
    opcode,
    modifier,
    type,
    reg,
    specialRegister,
    label,
    number,
    string,
    punctuation,
    bad,
    shortened,
};

/// What carries over a line's end: bit 0 an open comment, bits 1 and 2 the statement that is not finished.
using PtxLineState = std::uint8_t;

struct PtxStyles {
    std::string styles;                   ///< one byte (a PtxStyle) for each byte of the text
    std::vector<PtxLineState> lineStates; ///< at the end of each line that ends within the text
};

/// `text` begins at a line's start, with `state` from the end of the line before (0 at the top). Lines over 8 KiB get
/// `text` throughout: colouring them would cost more than the rest of the file.
PtxStyles stylePtx(std::string_view text, PtxLineState state);

} // namespace ptxwb::ui
