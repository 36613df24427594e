#include "panels/model_panel.h"

#include "panels/model_changes.h"
#include "panels/model_form.h"
#include "panels/model_preview.h"
#include "panels/model_talk.h"
#include "panels/panel_page.h"
#include "proposals/model_access.h"

#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace ptxwb::ui {

ModelPanel::ModelPanel(QAction* create, QWidget* parent)
    : QWidget(parent), m_tabs(new QTabWidget), m_ask(new QStackedWidget), m_form(new ModelForm),
      m_preview(new ModelPreview), m_talk(new ModelTalk), m_changes(new ModelChanges(create)), m_state(paragraph()),
      m_cost(paragraph()) {
    m_tabs->setObjectName(QStringLiteral("modelTabs"));
    m_tabs->setAccessibleName(tr("Ask, conversation, changes"));
    m_tabs->setDocumentMode(true);
    m_ask->addWidget(scrolling(m_form));
    m_ask->addWidget(m_preview);
    m_tabs->addTab(m_ask, tr("As&k"));
    m_tabs->addTab(m_talk, tr("C&onversation"));
    m_tabs->addTab(m_changes, tr("C&hanges"));
    m_cost->setObjectName(QStringLiteral("modelCost"));
    m_cost->setAccessibleName(tr("What the questions of this session have cost"));
    m_state->setObjectName(QStringLiteral("modelState"));
    for (QLabel* label : {m_state, m_cost}) label->setContentsMargins(8, 0, 8, 4);
    m_state->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(m_tabs, 1);
    column->addWidget(m_state);
    column->addWidget(m_cost);
    setSpent({}, {});
}

void ModelPanel::showPage(Page page) {
    if (page == Page::ask || page == Page::preview) {
        m_ask->setCurrentIndex(page == Page::preview ? 1 : 0);
        m_tabs->setCurrentIndex(0);
    } else {
        m_tabs->setCurrentIndex(page == Page::talk ? 1 : 2);
    }
}

void ModelPanel::focusWish() {
    if (page() == Page::ask || page() == Page::talk) {
        showPage(Page::ask);
        m_form->focusWish();
    }
}

void ModelPanel::setWish(const QString& wish) {
    m_form->setWish(wish);
    focusWish();
}

ModelPanel::Page ModelPanel::page() const {
    switch (m_tabs->currentIndex()) {
    case 1: return Page::talk;
    case 2: return Page::changes;
    default: return m_ask->currentIndex() == 1 ? Page::preview : Page::ask;
    }
}

void ModelPanel::setTheme(const Theme& theme) {
    m_changes->setTheme(theme);
}

void ModelPanel::setSpent(const llm::Spent& spent, const llm::BudgetLimits& limits) {
    QString line = spent.requests == 0 ? tr("No question has left this machine")
                                       : QString::fromStdString(proposals::textOf(spent));
    if (limits.dollars) line += tr("; budget $%1").arg(*limits.dollars, 0, 'f', 2);
    m_cost->setText(line);
}

QString ModelPanel::costLine() const {
    return m_cost->text();
}

void ModelPanel::setState(const QString& text) {
    say(m_state, text);
}

} // namespace ptxwb::ui
