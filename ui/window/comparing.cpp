#include "window/comparing.h"

#include "models/document.h"

#include <QActionGroup>
#include <QMenu>

namespace ptxwb::ui {

Comparing::Comparing(Document* document, QMenu* menu, QObject* parent)
    : QObject(parent), m_document(document), m_menu(menu) {
    connect(menu, &QMenu::aboutToShow, this, &Comparing::fill);
    fill();
}

void Comparing::fill() {
    m_menu->clear();
    auto* group = new QActionGroup(m_menu);
    const auto add = [&](const QString& words, const QString& id) {
        QAction* action = m_menu->addAction(words, this, [this, id] { m_document->compareWith(id); });
        action->setStatusTip(tr("Show the differences of the current candidate to %1").arg(words));
        action->setCheckable(true);
        action->setChecked(id == m_document->left());
        group->addAction(action);
    };
    add(tr("the baseline"), Document::baselineId());
    for (const session::Candidate& each : m_document->session().candidates)
        if (const QString id = QString::fromStdString(each.id); id != m_document->current())
            add(QString::fromStdString(each.name).replace(QLatin1Char('&'), QStringLiteral("&&")), id);
}

} // namespace ptxwb::ui
