#include "panels/empty_page.h"

#include <QAction>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace ptxwb::ui {

EmptyPage::EmptyPage(const QString& text, const QList<QAction*>& actions, QWidget* parent)
    : QScrollArea(parent), m_text(new QLabel) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 8, 12, 8);
    column->addStretch(1);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(m_text);
    column->addStretch(1);
    setWidget(page);
    setActions(actions);
    setText(text);
}

void EmptyPage::setActions(const QList<QAction*>& actions) {
    if (actions == m_actions) return;
    m_actions = actions;
    for (QToolButton* each : std::exchange(m_buttons, {})) {
        each->hide();
        each->deleteLater(); // it may be the one that was pressed
    }
    auto* column = static_cast<QVBoxLayout*>(widget()->layout());
    for (QAction* action : actions) {
        if (!action) continue;
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFocusPolicy(Qt::StrongFocus);
        column->insertWidget(column->count() - 1, button, 0, Qt::AlignHCenter); // above the lower stretch
        m_buttons += button;
    }
}

void EmptyPage::setText(const QString& text) {
    if (text == m_text->text()) return;
    m_text->setText(text);
    m_text->setAccessibleName(text);
    setAccessibleName(text);
}

QString EmptyPage::text() const {
    return m_text->text();
}

} // namespace ptxwb::ui
