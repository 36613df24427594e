// What an editor paints over its rows, since Scintilla cannot: the hatching of fillers, a letter for the worst check of
// a line, and how many lines are hidden below one.
// A part of the editor.
#pragma once

#include <QColor>
#include <QRect>
#include <QString>

#include <array>

class QPainter;

namespace ptxwb::ui {

class Editor;
struct Theme;

class RowOverlays {
public:
    explicit RowOverlays(const Editor& editor) : m_editor(editor) {}

    void setTheme(const Theme& theme);
    /// `painter`: of the viewport, once Scintilla has painted.
    void paint(QPainter& painter) const;
    /// Pixels of the viewport that say what is hidden below a line (from 0); empty where nothing is.
    QRect hiddenLabel(int line) const;

private:
    QString hiddenText(int line) const;
    void paintFillers(QPainter& painter) const;
    void paintLetters(QPainter& painter) const;
    void paintHidden(QPainter& painter) const;

    const Editor& m_editor;
    QColor m_filler, m_fillerLine, m_quiet;
    std::array<QColor, 3> m_letters; ///< note, warning, error
};

} // namespace ptxwb::ui
