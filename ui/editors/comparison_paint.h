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

/// Tints, glyphs and underlines of one side's lines of some rows, in place of what these lines had. What is right
/// already is not touched, so that after a letter nothing is painted anew.
void paintRows(Editor& editor, std::span<const compare::Row> rows, Side side);
void clearRows(Editor& editor);

/// Annotations in place of those there were, and lines of hidden rows hidden. Only annotations that differ are touched;
/// many of them while they are invisible: 5,000 cost 6 ms so, 47 ms otherwise.
void paintFillers(Editor& editor, const RowLayout& layout, Side side, const std::vector<bool>& hiddenRows);
/// Of any rows; no line is hidden.
void paintFillers(Editor& editor, const std::vector<Filler>& fillers);
void clearFillers(Editor& editor);

/// The colour of the CUDA line that each line came from; `sourceLines` at line - 1, 0 for none. Of lines [first, end),
/// from 0; what is right already is not touched.
void paintStripes(Editor& editor, const std::vector<std::uint32_t>& sourceLines, std::size_t first, std::size_t end);

/// A tint on lines (from 1) that belong together, in place of the one there was.
void paintLinked(Editor& editor, const std::vector<int>& lines);

} // namespace ptxwb::ui
