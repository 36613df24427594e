// The bar below a pane: find a text, or go to a line.
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
    void showGoToLine();
    void findNext();
    void findPrevious();
    /// Marks the matches anew after the text has changed.
    void refresh();

signals:
    void lineWanted(int line, int column);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Mode : unsigned char { find, line };
    void setMode(Mode mode);
    void close();
    void textChanged();
    void accept(bool backwards);
    bool select(long from, long to);
    void count();
    void clearMarks();

    Editor& m_editor;
    QLabel* m_label;
    QLineEdit* m_text;
    QToolButton *m_previous, *m_next;
    QCheckBox* m_case;
    QLabel* m_result;
    Mode m_mode = Mode::find;
    long m_anchor = 0; ///< where the search began
};

} // namespace ptxwb::ui
