// A proposal beside the current candidate, change by change: what can be taken, and what was taken and can go back.
// A part of the Model panel; whoever owns the texts does the replacing.
#pragma once

#include "models/text_changes.h"

#include <QWidget>

class QAction;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace ptxwb::ui {

class EmptyPage;
struct Theme;

class ModelChanges : public QWidget {
    Q_OBJECT

public:
    /// `create`: makes a candidate; offered where there is none to change.
    explicit ModelChanges(QAction* create, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Why there is nothing to compare.
    void showReason(const QString& text);
    /// `open`: from the current candidate to the proposal; `taken`: from the current candidate back to what it was when
    /// the review began.
    void setChanges(const QString& title, std::vector<TextChange> open, std::vector<TextChange> taken);
    const std::vector<TextChange>& open() const { return m_open; }
    const std::vector<TextChange>& taken() const { return m_taken; }
    QString reason() const; ///< empty while changes are shown

signals:
    /// One of `open` or of `taken` shall be done.
    void replaceWanted(const ptxwb::ui::TextChange& change);
    void acceptAllWanted();
    void lineWanted(int line);

private:
    const TextChange* selected(bool* isOpen) const;
    void showSelected();
    void doSelected();

    std::vector<TextChange> m_open, m_taken;
    QStackedWidget* m_pages;
    EmptyPage* m_empty;
    QLabel* m_title;
    QTreeWidget* m_tree;
    QPlainTextEdit* m_diff;
    QPushButton *m_accept, *m_acceptAll, *m_revert;
};

} // namespace ptxwb::ui
