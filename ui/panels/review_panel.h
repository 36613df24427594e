// The dock of the review: comments, the decision, and the checklist that a reviewer goes through.
// Made by the window's Reviewing.
#pragma once

#include "panels/comments_page.h"
#include "panels/decision_page.h"
#include "review/checklist.h"

#include <QTabWidget>

class QTreeWidget;

namespace ptxwb::ui {

class ReviewPanel : public QTabWidget {
    Q_OBJECT

public:
    explicit ReviewPanel(QWidget* parent = nullptr);

    CommentsPage& comments() { return *m_comments; }
    DecisionPage& decision() { return *m_decision; }
    QTreeWidget& checklist() { return *m_checklist; }
    enum class Page : unsigned char { comments, decision, checklist };
    void showPage(Page page);

    void setOpenComments(int count); ///< in the tab's title
    /// Grouped by stage; what failed or is open is unfolded.
    void setChecklist(const std::vector<review::Item>& items);
    QString checklistSummary() const; ///< "41 met, 1 failed, 12 open"

private:
    CommentsPage* m_comments;
    DecisionPage* m_decision;
    QTreeWidget* m_checklist;
    std::vector<review::Item> m_items;
    QString m_summary;
};

} // namespace ptxwb::ui
