// The text widget of a pane: QScintilla with our margins, filler lines and hover.
// A part of the code pane, the comparison view and the marks; outside of editors/ nobody includes it.
#pragma once

#include "editors/row_overlays.h"

#include <Qsci/qsciscintilla.h>

#include <cstdint>
#include <functional>
#include <string_view>

class QAction;
class QToolButton;

namespace ptxwb::ui {

struct Theme;

/// Lines count from 0 here, as Scintilla does; positions are bytes.
class Editor : public QsciScintilla {
    Q_OBJECT
public:
    explicit Editor(QWidget* parent = nullptr);

    /// One message, without the ambiguous overloads of the base class.
    long send(unsigned message, std::uintptr_t first = 0, long second = 0) const;
    long send(unsigned message, std::uintptr_t first, const char* second) const;
    const char* bytes(long position, long length) const; ///< valid until the text changes

    void setTheme(const Theme& theme);
    void setCodeFont(const QFont& font);

    /// Another text with its own undo history; a new one is empty.
    void show(const QsciDocument& document);

    long length() const { return send(SCI_GETLENGTH); }
    int lineFrom(long position) const { return static_cast<int>(send(SCI_LINEFROMPOSITION, std::uintptr_t(position))); }
    long lineStart(int line) const { return send(SCI_POSITIONFROMLINE, std::uintptr_t(line)); }
    long lineEnd(int line) const { return send(SCI_GETLINEENDPOSITION, std::uintptr_t(line)); }
    int lineTotal() const { return static_cast<int>(send(SCI_GETLINECOUNT)); }
    /// Line under a point of the viewport; -1 below the text. A filler belongs to none.
    int lineAtY(int y) const;
    int lineHeight() const { return static_cast<int>(send(SCI_TEXTHEIGHT)); }

    /// Rows on the screen: lines and fillers, without what is hidden.
    int firstVisibleRow() const { return static_cast<int>(send(SCI_GETFIRSTVISIBLELINE)); }
    void setFirstVisibleRow(int row);
    long xOffset() const { return send(SCI_GETXOFFSET); } ///< pixels scrolled to the right
    void setXOffset(long pixels);
    int rowOfLine(int line) const { return static_cast<int>(send(SCI_VISIBLEFROMDOCLINE, std::uintptr_t(line))); }
    int rowsOnScreen() const { return static_cast<int>(send(SCI_LINESONSCREEN)); }
    void showRangeMargin(bool shown);
    void showRow(int row); ///< in the upper third, unless it is on the screen already

    /// Said in the middle while there is no text, with a button below it for `action` (nullptr: none).
    void setEmptyText(const QString& text, QAction* action = nullptr);
    /// What a tooltip says at a position of the text (-1 in the margin) and line; empty for none.
    std::function<QString(long position, int line)> toolTipAt;
    /// What is said at the end of a line below which lines are hidden; empty for nothing. A click on it is told.
    std::function<QString(int line)> hiddenText;
    /// Whether a line takes no edit. Scintilla's protected styles only keep the caret out, and not always.
    std::function<bool(int line)> isLocked;
    /// Whether an edit of the selected text, or at the caret, would touch a locked line.
    bool selectionIsLocked() const;

signals:
    void hoveredLine(int line); ///< -1 when the pointer leaves
    void focusGained();
    void hiddenClicked(int line); ///< on what `hiddenText` says of a line
    void scrolledVertically();
    void scrolledHorizontally();
    void textModified();
    /// In lines from 1: `count` new ones below `line` (0: above the first), or [first, first + count) gone.
    void linesInserted(int line, int count);
    void linesRemoved(int first, int count);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    // A dropped file is the window's to open, not its address to be inserted here.
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void defineMargins();
    void defineIndicators(const Theme& theme);
    void defineMarkers(const Theme& theme);
    void fitLineNumbers();
    void fitScrollWidth();
    void growWidest(int position, std::string_view inserted);
    void setWidest(long columns);
    void modified(int position, int type, const char* text, int length, int linesAdded);
    void noticeScrolling();
    bool touchesLocked(long from, long to) const;
    void placeEmptyButton();
    void fitDocument();
    template <class Handle>
    void whileLocked(bool locked, Handle handle);

    QString m_emptyText;
    QToolButton* m_emptyButton;
    QColor m_quiet;
    RowOverlays m_overlays{*this};
    bool m_rangeShown = false;
    int m_hovered = -1;
    int m_firstRow = 0;
    long m_widest = 0; ///< columns of the widest line so far
    bool m_scrollWidthPending = false;
    long m_xOffset = 0;
};

/// Marks set in its life are painted once, at its end. Nests.
class BatchUpdate {
public:
    explicit BatchUpdate(Editor& editor);
    ~BatchUpdate();
    BatchUpdate(const BatchUpdate&) = delete;
    BatchUpdate& operator=(const BatchUpdate&) = delete;

private:
    Editor& m_editor;
    bool m_wasEnabled;
};

} // namespace ptxwb::ui
