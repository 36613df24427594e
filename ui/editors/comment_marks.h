// Which lines of a pane have comments: a flag in the margin, its words in the tooltip, a click that opens the thread.
// Made by the window's Reviewing, one for each pane of PTX.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace ptxwb::ui {

class CodePane;
struct Theme;

struct CommentMark {
    int line = 1;     ///< from 1
    bool open = true; ///< not resolved
    QString id, words;
    bool operator==(const CommentMark&) const = default;
};

class CommentMarks : public QObject {
    Q_OBJECT

public:
    explicit CommentMarks(CodePane* pane);

    void setTheme(const Theme& theme);
    /// In place of those there were, if they are others. They move along with their lines as a person types.
    void show(std::vector<CommentMark> marks);
    /// Lines (from 1) that carry a flag, for tests and screen readers.
    std::vector<int> lines() const;
    QString toolTip(int line) const; ///< line from 1

signals:
    void clicked(const QString& id);

private:
    bool shows(const std::vector<CommentMark>& marks) const;
    const CommentMark* at(int line) const; ///< line from 0

    CodePane* m_pane;
    std::vector<CommentMark> m_marks;
    std::vector<int> m_handles; ///< Scintilla's, one a mark
};

} // namespace ptxwb::ui
