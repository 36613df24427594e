// A comparison's marks put into one editor: tints, glyphs, underlines, fillers, hidden lines, stripes.
// A part of the comparison view.
#pragma once

#include "compare/compare.h"
#include "editors/row_layout.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ptxwb::ui {

class Editor;

/// Adds tints, glyphs and underlines to one side's lines of some rows.
void paintRows(Editor& editor, std::span<const compare::Row> rows, Side side);
void clearRows(Editor& editor);

/// Annotations in place of those there were, and lines of hidden rows hidden. Only annotations that differ are touched;
/// many of them while they are invisible: 5,000 cost 6 ms so, 47 ms otherwise.
void paintFillers(Editor& editor, const RowLayout& layout, Side side, const std::vector<bool>& hiddenRows);
void clearFillers(Editor& editor);

/// The colour of the CUDA line that each line came from; `sourceLines` at line - 1, 0 for none.
void paintStripes(Editor& editor, const std::vector<std::uint32_t>& sourceLines);

/// A tint on lines (from 1) that belong together, in place of the one there was.
void paintLinked(Editor& editor, const std::vector<int>& lines);

} // namespace ptxwb::ui
