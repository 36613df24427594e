// Where the lines of a comment are in a text that was edited since: found by what they and their neighbours say.
// Called by comments.h for every comment whenever a candidate's text has changed.
//
// A line number alone points at something else after the first insertion. A comment therefore keeps its lines and three
// neighbours on each side; the place where most of them stand is taken, the nearest of several.
#pragma once

#include "session/review.h"

#include <unordered_map>

namespace ptxwb::review {

/// A text cut into lines without their ends (`\n` or `\r\n`), with where each occurs. The views live as long as it.
class TextLines {
public:
    explicit TextLines(std::string_view text);

    std::uint32_t count() const { return static_cast<std::uint32_t>(m_lines.size()); }
    /// Line `number`, from 1 to `count()`.
    std::string_view at(std::uint32_t number) const { return m_lines[number - 1]; }
    /// The numbers of the lines that read so; empty where there is none.
    const std::vector<std::uint32_t>& of(std::string_view line) const;

private:
    std::vector<std::string_view> m_lines;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> m_where;
};

/// The anchor of `lineCount` lines from `line`, both clipped to the text. Empty for a text without lines.
session::Anchor anchorAt(const TextLines& text, std::uint32_t line, std::uint32_t lineCount);

enum class Fit : std::uint8_t {
    same,   ///< the lines stand there as they are in the anchor
    edited, ///< something about them has changed, their place is known by what surrounds them
    lost,   ///< they are gone
};
struct Found {
    Fit fit = Fit::lost;
    std::uint32_t line = 0, lineCount = 0; ///< 0 where they are lost
};
/// `lastLine`: where the first of them was; of several places that fit as well the nearest is taken.
Found locate(const session::Anchor& anchor, std::uint32_t lastLine, const TextLines& text);

} // namespace ptxwb::review
