// Which margin, marker, indicator and annotation style is used for what.
// Shared by the parts that paint into an editor, so that none takes another's number.
#pragma once

namespace ptxwb::ui {

namespace margin {
inline constexpr int lineNumbers = 0;
inline constexpr int changes = 1; ///< `+ - ~ ↕`
inline constexpr int checks = 2;  ///< E, W, N and findings
inline constexpr int stripe = 3;  ///< colour of the CUDA line
inline constexpr int range = 4; ///< live range of the register that was clicked; as wide as nothing while there is none
inline constexpr int count = 5;
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
inline constexpr int openComment = 22;
inline constexpr int resolvedComment = 23;
inline constexpr unsigned commentMask = 3u << openComment;
inline constexpr int step = 17;     ///< the arrow of the warp stepper
inline constexpr int stepLine = 18; ///< and the tint of its line
inline constexpr int live = 19;
inline constexpr int read = 20;
inline constexpr int write = 21;
inline constexpr unsigned rangeMask = 7u << live;
inline constexpr unsigned stripeMask = 0x3Fu << firstStripe;
inline constexpr unsigned checksMask = 0x1Fu << note;
inline constexpr unsigned stepMask = 1u << step;
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
inline constexpr int use = 16;      ///< of the register that was clicked: of this value
inline constexpr int otherUse = 17; ///< and of another value in the same register
} // namespace indicator

/// Styles of margin text, above those of the lexers and Scintilla's own 32 to 39.
namespace style {
inline constexpr int changeAdded = 60;
inline constexpr int changeRemoved = 61;
inline constexpr int changeMoved = 62;
} // namespace style

} // namespace ptxwb::ui
