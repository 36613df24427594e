// Which margin, marker, indicator and annotation style is used for what.
// Shared by the parts that paint into an editor, so that none takes another's number.
#pragma once

namespace ptxwb::ui {

namespace margin {
inline constexpr int lineNumbers = 0;
inline constexpr int changes = 1; ///< `+ - ~ ↕`
inline constexpr int checks = 2;  ///< E, W, N and findings
inline constexpr int stripe = 3;  ///< colour of the CUDA line
inline constexpr int count = 4;
} // namespace margin

/// Of two backgrounds on a line the higher number is seen.
namespace marker {
inline constexpr int renamed = 0;
inline constexpr int moved = 1;
inline constexpr int added = 2;
inline constexpr int removed = 3;
inline constexpr int hiddenBelow = 4;
inline constexpr int linked = 5;
inline constexpr int firstStripe = 6; ///< six of them
inline constexpr int note = 12;
inline constexpr int warning = 13;
inline constexpr int error = 14;
inline constexpr int relatedFinding = 15;
inline constexpr int finding = 16;
inline constexpr unsigned stripeMask = 0x3Fu << firstStripe;
inline constexpr unsigned checksMask = 0x1Fu << note;
inline constexpr unsigned rowMask = 0x0Fu << renamed;
} // namespace marker

namespace indicator {
inline constexpr int note = 8;
inline constexpr int warning = 9;
inline constexpr int error = 10;
inline constexpr int renamedSpan = 11;
inline constexpr int removedSpan = 12;
inline constexpr int addedSpan = 13;
inline constexpr int match = 14;
inline constexpr int finding = 15;
} // namespace indicator

/// Styles of margin text, above those of the lexers and Scintilla's own 32 to 39.
namespace style {
inline constexpr int changeAdded = 60;
inline constexpr int changeRemoved = 61;
inline constexpr int changeMoved = 62;
} // namespace style

} // namespace ptxwb::ui
