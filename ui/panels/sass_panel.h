// The dock of machine code: the current candidate's SASS beside the baseline's, each row leading to its PTX line.
// Made by the main window; Disassembly fills it.
#pragma once

#include "models/sass_model.h"

#include <QWidget>

#include <set>

class QAction;
class QLabel;
class QStackedWidget;
class QTableView;

namespace ptxwb::ui {

class EmptyPage;
class SassDelegate;
struct Theme;

class SassPanel : public QWidget {
    Q_OBJECT

public:
    explicit SassPanel(SassModel* model, QWidget* parent = nullptr);
    ~SassPanel() override;

    void setTheme(const Theme& theme);
    /// In place of the code: why there is none, and what to do.
    void showReason(const QString& text, QAction* action = nullptr);
    /// `stale`: of an earlier text.
    void showCode(bool stale);
    /// Marks what a PTX line became, and shows the first of it.
    void setCurrentLine(SassModel::Column side, int ptxLine);

    QString emptyText() const; ///< empty where code is shown
    QString summary() const;
    QTableView& table() { return *m_table; }

signals:
    void candidateLineWanted(int line);
    void baselineLineWanted(int line);
    void shown(); ///< became visible: what it shows may be old

protected:
    void showEvent(QShowEvent* event) override;

private:
    void follow(const QModelIndex& index);

    SassModel* m_model;
    QStackedWidget* m_pages;
    EmptyPage* m_empty;
    QLabel* m_summary;
    QTableView* m_table;
    SassDelegate* m_delegate;
};

} // namespace ptxwb::ui
