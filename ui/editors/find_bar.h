// The bar below a pane: find a text, replace it, or go to a line.
// A part of the code pane.
#pragma once

#include <QByteArray>
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace ptxwb::ui {

class Editor;

class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(Editor& editor, QWidget* parent = nullptr);

    void showFind(); ///< with the selected text, if it is on one line
    /// Where the text takes edits; else as `showFind`.
    void showReplace();
    void showGoToLine();
    void findNext();
    void findPrevious();
    /// The selected match, then on to the next one; selects the first where none is selected.
    void replaceOne();
    void replaceAll(); ///< one undo step; matches on shortened lines stay
    /// Marks the matches anew after the text has changed.
    void refresh();

signals:
    void lineWanted(int line, int column);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Mode : unsigned char { find, replace, line };
    void makeReplaceRow();
    void setMode(Mode mode);
    void close();
    void textChanged();
    void accept(bool backwards);
    bool select(long from, long to);
    void count();
    void clearMarks();
    bool isFinding() const { return m_mode != Mode::line; }
    void openFind(Mode mode);
    int searchFlags() const;

    Editor& m_editor;
    QLabel* m_label;
    QLineEdit* m_text;
    QToolButton *m_previous, *m_next;
    QCheckBox* m_case;
    QLabel* m_result;
    QWidget* m_replaceRow;
    QLineEdit* m_replacement;
    Mode m_mode = Mode::find;
    long m_anchor = 0; ///< where the search began
};

} // namespace ptxwb::ui
