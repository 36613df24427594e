// Texts of files and models made harmless: for HTML, for Markdown, for a shell.
// Called by the writers of this folder for everything that this program did not write itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::report {

/// Well-formed UTF-8 of what a person can see: bytes that are none become U+FFFD; control characters but tab and
/// newline, and those that turn the direction of writing, become a visible `\u{202E}`. Ends of lines become `\n`.
std::string visible(std::string_view text);

/// `visible`, with the characters of HTML escaped. For text and for values of attributes in double quotes.
std::string html(std::string_view text);

enum class Inside : std::uint8_t { paragraph, cell };
/// One line of Markdown as a code span, so that nothing in it is a link, a mention, a tag or an emphasis. Newlines
/// become blanks. An empty text stays empty.
std::string codeSpan(std::string_view text, Inside place = Inside::paragraph);

/// A fenced block whose fence is longer than any in `text`. `language` is ours.
std::string codeBlock(std::string_view text, std::string_view language = {});

/// One word of a POSIX shell.
std::string shellWord(std::string_view text);

/// Lines without their ends; the last one even where no newline ends it.
std::vector<std::string_view> linesOf(std::string_view text);
/// Line `number`, from 1; empty where there is none.
std::string_view lineOf(std::string_view text, std::uint32_t number);

} // namespace ptxwb::report
