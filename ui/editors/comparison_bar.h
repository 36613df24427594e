// The strip above the three panes: what differs in numbers, which rows are shown, previous and next.
// A part of the comparison view.
#pragma once

#include "compare/compare.h"

#include <QWidget>

class QAction;
class QComboBox;
class QToolButton;

namespace ptxwb::ui {

class ElidedLabel;

class ComparisonBar : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonBar(QWidget* parent = nullptr);

    void setComparison(const compare::Comparison& comparison, bool isCoarse);
    void setReason(const QString& text); ///< there is no comparison, and why
    void setLevel(compare::Level level);
    QString summary() const;
    /// What does the same from anywhere: its tip, with the key that it has now.
    void setActions(QAction* level, QAction* previous, QAction* next);

signals:
    void levelChosen(ptxwb::compare::Level level);
    void nextWanted();
    void previousWanted();

private:
    ElidedLabel* m_summary;
    QComboBox* m_level;
    QToolButton *m_previous, *m_next;
};

/// "3 changed, 30 added, 4 removed, 52 renamed only"; says so where nothing differs.
QString countsText(const compare::Comparison& comparison);

} // namespace ptxwb::ui
