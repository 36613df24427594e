// What a panel shows while it has nothing: why, and the buttons that fill it.
// Used by the panels.
#pragma once

#include <QList>
#include <QScrollArea>

class QAction;
class QLabel;
class QToolButton;

namespace ptxwb::ui {

/// Scrolls where a dock is too small for it.
class EmptyPage : public QScrollArea {
    Q_OBJECT

public:
    explicit EmptyPage(const QString& text, const QList<QAction*>& actions = {}, QWidget* parent = nullptr);

    void setText(const QString& text);
    /// What fills the panel, a button each; nullptr is skipped.
    void setActions(const QList<QAction*>& actions);
    QString text() const;

private:
    QLabel* m_text;
    QList<QAction*> m_actions;
    QList<QToolButton*> m_buttons;
};

} // namespace ptxwb::ui
