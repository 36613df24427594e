// The dock of the model: asking, the conversation, a proposal's changes, and what it has cost.
// Made by the window's ModelChat, which does what its parts ask for.
#pragma once

#include "llm/budget.h"

#include <QWidget>

class QAction;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace ptxwb::ui {

class ModelChanges;
class ModelForm;
class ModelPreview;
class ModelTalk;
struct Theme;

class ModelPanel : public QWidget {
    Q_OBJECT

public:
    explicit ModelPanel(QAction* create, QWidget* parent = nullptr);

    enum class Page : unsigned char { ask, preview, talk, changes };
    void showPage(Page page);
    void focusWish(); ///< where a person begins
    /// For a question that somebody else writes, as the review does of its comments.
    void setWish(const QString& wish);
    Page page() const;
    void setTheme(const Theme& theme);
    /// "3 requests, 4100 tokens in, 900 out, $0.0123 of $0.50".
    void setSpent(const llm::Spent& spent, const llm::BudgetLimits& limits);
    QString costLine() const;
    void setState(const QString& text); ///< what is going on: "Building the question…"; empty: nothing

    ModelForm& form() { return *m_form; }
    ModelPreview& preview() { return *m_preview; }
    ModelTalk& talk() { return *m_talk; }
    ModelChanges& changes() { return *m_changes; }

private:
    QTabWidget* m_tabs;
    QStackedWidget* m_ask;
    ModelForm* m_form;
    ModelPreview* m_preview;
    ModelTalk* m_talk;
    ModelChanges* m_changes;
    QLabel *m_state, *m_cost;
};

} // namespace ptxwb::ui
