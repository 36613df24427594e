// The dock of the problems: what the checker, ptxas and the funnel have against the current candidate.
// Made by the main window, which shows the places and takes the title for the dock's.
#pragma once

#include "models/problem_model.h"

#include <QSet>
#include <QString>
#include <QWidget>

class QAction;
class QStackedWidget;
class QTreeView;

namespace ptxwb::ui {

class EmptyPage;

/// A click, Enter or a double click on a row or on one of its further places jumps there.
/// "line:column: severity: message" is what Ctrl+C copies.
class ProblemPanel : public QWidget {
    Q_OBJECT

public:
    explicit ProblemPanel(ProblemModel* model, QAction* verify = nullptr, QWidget* parent = nullptr);

    QTreeView& tree() { return *m_tree; }
    /// Said while there is no problem: why there is none.
    void setEmptyText(const QString& text);
    QString title() const { return m_title; } ///< "Problems (2 errors, 1 warning)"

signals:
    /// Lines from 1, columns and lengths in bytes; column 0: the whole line.
    void placeWanted(ptxwb::ui::ProblemModel::Pane pane, const QString& file, int line, int column, int length);
    void titleChanged(const QString& title);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectModel();
    void jump(const QModelIndex& index);
    void copy();
    void updateTitle();
    void fitColumns();

    ProblemModel* m_model;
    QTreeView* m_tree;
    EmptyPage* m_empty;
    QStackedWidget* m_pages;
    QString m_title;
    QString m_selected;       ///< message of the selected row while the model is filled anew
    QSet<QString> m_expanded; ///< messages of open rows, likewise
    bool m_fitting = false;   ///< widths change by us, and not by a person
    bool m_ownWidths = false; ///< a person has chosen widths: they stay
};

} // namespace ptxwb::ui
