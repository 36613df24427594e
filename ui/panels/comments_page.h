// The threads of a session's review: a list, the thread that is chosen, and a place to write.
// A part of the review panel; the window's Reviewing does what it asks for.
#pragma once

#include "session/review.h"

#include <QWidget>

#include <map>
#include <vector>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTextEdit;
class QTreeWidget;

namespace ptxwb::ui {

/// Lines count from 1.
struct CommentPlace {
    QString candidate, name; ///< id, and what it is called
    int line = 0, count = 0; ///< 0: nothing is chosen
};

class CommentsPage : public QWidget {
    Q_OBJECT

public:
    explicit CommentsPage(QWidget* parent = nullptr);

    /// `names`: of the candidates, by id. The chosen thread and what is being written stay.
    void setComments(const std::vector<session::Comment>& comments, const std::map<std::string, QString>& names);
    void choose(const QString& id);
    QString chosen() const; ///< empty: none
    /// Begins a comment about these lines: what is written next is its text.
    void begin(const CommentPlace& place);
    bool isWritingNew() const { return m_place.count > 0; }

    QTreeWidget& tree() { return *m_tree; }
    QPlainTextEdit& text() { return *m_text; }
    QString thread() const; ///< as it is shown, plain

signals:
    void newComment(const ptxwb::ui::CommentPlace& place, const QString& words);
    void answered(const QString& id, const QString& words);
    void resolved(const QString& id, bool resolved);
    void removed(const QString& id);
    void placeWanted(const QString& candidate, int line);
    void modelWanted(); ///< the open comments are to be sent to it

private:
    void fill();
    void showThread();
    void submit();
    void updateButtons();
    const session::Comment* find(const QString& id) const;

    std::vector<session::Comment> m_comments;
    std::map<std::string, QString> m_names;
    CommentPlace m_place;
    QTreeWidget* m_tree;
    QTextEdit* m_thread;
    QPlainTextEdit* m_text;
    QLabel* m_about;
    QCheckBox* m_all;
    QPushButton *m_submit, *m_cancel, *m_resolve, *m_remove, *m_model;
    bool m_filling = false;
};

} // namespace ptxwb::ui
