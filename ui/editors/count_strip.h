// A column at the right of a pane: a figure for each line, with a tint by how much it weighs.
// A part of the code pane.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <map>
#include <vector>

namespace ptxwb::ui {

class Editor;
struct Theme;

struct LineCount {
    int line = 0; ///< from 1
    QString text, tip;
    double weight = 0; ///< 0 to 1: how strong the tint is
};

class CountStrip : public QWidget {
    Q_OBJECT

public:
    explicit CountStrip(Editor* editor, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Hidden where `counts` is empty. `title`: what is counted, for tool tip and screen reader.
    void setCounts(const QString& title, const std::vector<LineCount>& counts, bool stale);
    /// What stands beside a line; empty for nothing.
    QString textAt(int line) const;
    QSize sizeHint() const override { return {m_width, 0}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Lines of the text, from 0, that the editor shows, each with its y.
    std::vector<std::pair<int, int>> shownLines() const;
    int lineHeight() const;
    void fit();

    Editor* m_editor;
    std::map<int, LineCount> m_counts; ///< by line, from 1
    QString m_title;
    bool m_stale = false;
    int m_width = 0;
    QColor m_paper, m_text, m_quiet, m_tint;
};

} // namespace ptxwb::ui
