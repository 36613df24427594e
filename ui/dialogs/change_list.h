// Every change of the comparison as a sentence: for those who hear the screen, and as an overview.
// Shown by SideWindows.
#pragma once

#include "editors/comparison_view.h"

#include <QDialog>

class QListWidget;

namespace ptxwb::ui {

/// Enter or a double click shows the change in the panes and leaves the list open.
class ChangeList : public QDialog {
    Q_OBJECT

public:
    ChangeList(const std::vector<ListedChange>& changes, const QString& summary, QWidget* parent = nullptr);

    QListWidget& list() { return *m_list; }

signals:
    void lineWanted(ptxwb::ui::PaneId pane, int line);

private:
    QListWidget* m_list;
};

} // namespace ptxwb::ui
