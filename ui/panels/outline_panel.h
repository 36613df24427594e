// The dock of the outline: kernels, functions and blocks of the shown candidate (or baseline), each leading to its
// line. Made by the main window, which hands it what the analysis found.
#pragma once

#include "ptx/analysis/outline.h"

#include <QWidget>

class QAction;
class QLabel;
class QStackedWidget;
class QTreeWidget;

namespace ptxwb::ui {

class OutlinePanel : public QWidget {
    Q_OBJECT

public:
    explicit OutlinePanel(QAction* open = nullptr, QWidget* parent = nullptr);

    /// In place of what was shown; what is folded stays folded.
    void setOutline(const std::vector<ptx::OutlineFunction>& functions);
    /// Marks the entry that holds the caret's line.
    void setCurrentLine(int line);
    QTreeWidget& tree() { return *m_tree; }

signals:
    void lineWanted(int line);

private:
    QStackedWidget* m_pages;
    QTreeWidget* m_tree;
};

} // namespace ptxwb::ui
