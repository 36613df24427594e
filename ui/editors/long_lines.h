// Lines too long for an editor: shown shortened, their bytes kept.
// A part of the code pane; the highlighter asks which lines look shortened.
#pragma once

#include <QByteArray>
#include <QHash>

#include <cstddef>
#include <string_view>

namespace ptxwb::ui {

/// Over this a line is shown shortened: one edit of a 3 MB line takes Scintilla 1.5 s.
inline constexpr std::size_t longLineBytes = 8192;

/// A shortened line says so in its own text, with a number that no other has. So it is found again wherever undo, cut
/// or a move puts it, with nothing to keep in step.
class LongLines {
public:
    /// `text` with each over-long line shortened, and its bytes remembered.
    QByteArray shorten(const QByteArray& text);
    /// The bytes again. Costs nothing where no line was shortened.
    QByteArray restore(const QByteArray& shown) const;
    /// One line without its end.
    QByteArray restoreLine(const QByteArray& shown) const;
    bool empty() const { return m_bytes.isEmpty(); }
    void clear() { m_bytes.clear(); }

private:
    QHash<QByteArray, QByteArray> m_bytes; ///< shown line to whole line
};

/// `line` with or without its end.
bool looksShortened(std::string_view line);

} // namespace ptxwb::ui
