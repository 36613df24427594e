// A comparison as text for a terminal and as JSON.
// Called by `ptxwb diff`.
#pragma once

#include "compare/compare.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::compare {

enum class Color : std::uint8_t { no, yes };

struct PrintOptions {
    Level level = Level::changed; ///< `all` prints every row, the others hunks with context around
    Color color = Color::no;      ///< `auto` is the caller's decision
    unsigned context = 3;         ///< rows around a hunk
};

/// Hunk headers `@@ -12,4 +12,5 @@ kernel` (first line and number of lines of each side), then a glyph, both line
/// numbers and the line: `-` removed, `+` added, `~` the two lines of a changed row, `=` of a renamed one, `↕` moved, a
/// space otherwise (of a row whose names differ the left line stands for both). With no colour a line of carets marks
/// what differs within a changed line; with colour it is underlined. Notes stand below their row. The first two lines
/// name the texts, the last one sums up. Control characters are shown as `?`, lines over 2,000 bytes are cut and say
/// so. `left` and `right` are the compared texts. UTF-8, ends with a newline.
std::string printText(const Comparison& comparison, std::string_view leftName, std::string_view left,
                      std::string_view rightName, std::string_view right, const PrintOptions& options = {});

/// The answer of `ptxwb diff --json`. Rows stand under their pair of functions; those outside of all under an entry
/// with null for both names. `level` selects the rows that are listed, the counts are always complete. A filler's line
/// is null.
nlohmann::json toJson(const Comparison& comparison, std::string_view leftName, std::string_view rightName,
                      Level level = Level::all);

} // namespace ptxwb::compare
