// Small looks into PTX as text, where no parsed module is at hand (it may not parse).
// Called by ptxas.cpp to place messages, and by whoever needs the file names of `.file`.
#pragma once

#include "support/diagnostic.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ptxwb::toolchain {

struct AsciiText {
    std::string text;
    std::size_t replaced = 0;    ///< bytes
    std::uint32_t firstLine = 0; ///< of the first replaced byte
};

/// Replaces each byte over 127 inside a comment by '?', so that lines and columns stay: ptxas refuses such bytes even
/// there. Outside of comments nothing is touched.
AsciiText asciiComments(std::string_view ptx);

/// Where a directive such as ".target" starts a line outside of comments, with the length of its value; line 0:
/// nowhere.
Place findDirective(std::string_view ptx, std::string_view directive);

/// What follows the directive on its line, without comment and blanks: "sm_90a, debug", "8.0".
std::string directiveValue(std::string_view ptx, std::string_view directive);

/// "sm_90a" of ".target sm_90a, debug"; empty where the text does not say.
std::string targetOf(std::string_view ptx);

/// The first place where `name` stands as a whole word, after `prefix` if that is found; line 0: nowhere.
Place findWord(std::string_view ptx, std::string_view prefix, std::string_view name);

/// The place of `word` in line `line`, else of the line's text from its first non-blank to its end.
Place placeInLine(std::string_view ptx, std::uint32_t line, std::string_view word);

/// `.version` set to `version`; the text as it is where there is no such directive.
std::string withVersion(std::string_view ptx, std::string_view version);

/// The name between the quotes of a `.file` directive, its octal (`\303`) and other escapes decoded to bytes.
std::string decodePtxFileName(std::string_view quoted);
/// The reverse, as nvcc writes it.
std::string encodePtxFileName(std::string_view name);

} // namespace ptxwb::toolchain
