// All colours of the window, light, dark and of high contrast, as a value.
// Read by the editors, the panels and the window; `theme_source.h` says which of them is in force.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>

namespace ptxwb::ui {

/// What a piece of code is, as far as colour goes. PTX and CUDA share the list.
enum class SyntaxColour : unsigned char {
    text,
    comment,
    directive,       ///< `.visible`, `.reg`; of CUDA the preprocessor
    opcode,          ///< `fma`; of CUDA a keyword
    modifier,        ///< `.rn`, `.global`
    type,            ///< `.f32`; of CUDA its own words: `__global__`, `threadIdx`, `float4`
    reg,             ///< `%f1`
    specialRegister, ///< `%tid.x`
    label,
    number,
    string,
    punctuation,
    bad, ///< what the lexer cannot read
};
inline constexpr std::size_t syntaxColourCount = 13;

struct Theme {
    QString name; ///< "light", "dark" or "contrast"
    bool isDark = false;

    QColor background, text;
    std::array<QColor, syntaxColourCount> syntax;
    // Backgrounds of rows. `filler` is where the other side has a line and this one has none.
    QColor added, removed, moved, renamed, filler, fillerLine;
    // Underlines within a line, and glyphs in the margin.
    QColor addedMark, removedMark, movedMark, renamedMark;
    QColor marginBackground, marginText, currentLine, selection, findMatch, linked;
    QColor error, warning, note, finding;
    QColor passed, failed, stale, unverified, verifying; ///< text of the state chips
    std::array<QColor, 6> stripes;                       ///< source link: one colour a CUDA line, taken in turn

    // Window, panels, controls.
    QColor window, base, button, highlight, highlightedText, disabledText, border, link;

    QColor of(SyntaxColour colour) const { return syntax[static_cast<std::size_t>(colour)]; }
    QPalette palette() const;
};

/// `:/themes/light.json`, dark or contrast (black, every text at 7:1 or better). A theme that does not load is our own
/// mistake: it ends the program with a message that names file and key.
const Theme& lightTheme();
const Theme& darkTheme();
const Theme& contrastTheme(); ///< dark
const Theme& contrastLightTheme();
/// One theme from JSON text; on failure a theme without a name, and the reason in `problem`.
Theme readTheme(const QByteArray& json, QString* problem);

/// WCAG 2.1 contrast ratio, 1 to 21.
double contrast(const QColor& a, const QColor& b);

} // namespace ptxwb::ui
