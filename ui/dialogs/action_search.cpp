#include "dialogs/action_search.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {

QString plainText(const QAction* action) {
    return action->text().remove(QLatin1Char('&')).remove(QChar(0x2026));
}

/// Every word that was typed stands somewhere in the name or in what it does.
bool fits(const QString& text, const QStringList& words) {
    return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

ActionSearch::ActionSearch(const QMenuBar& menus, QWidget* parent)
    : QDialog(parent), m_line(new QLineEdit(this)), m_hits(new QListWidget(this)) {
    setWindowTitle(tr("Search actions"));
    resize(560, 380);
    auto* column = new QVBoxLayout(this);
    m_line->setPlaceholderText(tr("What do you want to do?"));
    m_line->setAccessibleName(tr("Words to search for"));
    m_line->installEventFilter(this);
    m_hits->setAccessibleName(tr("Actions"));
    column->addWidget(m_line);
    column->addWidget(m_hits);
    connect(m_line, &QLineEdit::textChanged, this, &ActionSearch::fill);
    connect(m_line, &QLineEdit::returnPressed, this, &ActionSearch::run);
    connect(m_hits, &QListWidget::itemActivated, this, &ActionSearch::run);
    for (const QAction* menu : menus.actions())
        if (menu->menu()) collect(menu->menu()->actions(), {});
    fill();
}

void ActionSearch::collect(const QList<QAction*>& actions, const QString& menu) {
    for (QAction* action : actions) {
        if (action->isSeparator()) continue;
        if (QMenu* inner = action->menu()) {
            emit inner->aboutToShow(); // some are filled when they open
            collect(inner->actions(), plainText(action));
        } else {
            m_entries.push_back(
                {action, menu.isEmpty() ? plainText(action) : QStringLiteral("%1: %2").arg(menu, plainText(action))});
        }
    }
}

void ActionSearch::fill() {
    m_hits->clear();
    const QStringList words = m_line->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const auto& [action, text] = m_entries[i];
        if (!action || !fits(text + QLatin1Char(' ') + action->statusTip(), words)) continue;
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        auto* item =
            new QListWidgetItem(action->icon(), key.isEmpty() ? text : QStringLiteral("%1   %2").arg(text, key));
        item->setToolTip(action->statusTip());
        item->setData(Qt::UserRole, int(i));
        if (!action->isEnabled()) item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
        m_hits->addItem(item);
    }
    for (int row = 0; row < m_hits->count(); ++row)
        if (m_hits->item(row)->flags() & Qt::ItemIsEnabled) return m_hits->setCurrentRow(row);
}

void ActionSearch::run() {
    const QListWidgetItem* item = m_hits->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
    const QPointer<QAction> action = m_entries[std::size_t(item->data(Qt::UserRole).toInt())].action;
    accept();
    // After this dialog has gone: the action may open another.
    if (action) QTimer::singleShot(0, action, &QAction::trigger);
}

/// The arrow keys move in the list while one types.
bool ActionSearch::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            QCoreApplication::sendEvent(m_hits, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace ptxwb::ui
