#include "dialogs/action_search.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {

QString plainText(const QAction* action) {
    return action->text().remove(QLatin1Char('&')).remove(QChar(0x2026));
}

/// Every word that was typed stands somewhere in the name or in what it does.
bool fits(const QAction* action, const QStringList& words) {
    const QString text = plainText(action) + QLatin1Char(' ') + action->statusTip();
    return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

ActionSearch::ActionSearch(const std::vector<QAction*>& actions, QWidget* parent)
    : QDialog(parent), m_actions(actions), m_line(new QLineEdit(this)), m_hits(new QListWidget(this)) {
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
    fill();
}

void ActionSearch::fill() {
    m_hits->clear();
    const QStringList words = m_line->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        const QAction* action = m_actions[i];
        if (!fits(action, words)) continue;
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(
            action->icon(), key.isEmpty() ? plainText(action) : QStringLiteral("%1   %2").arg(plainText(action), key));
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
    QAction* action = m_actions[std::size_t(item->data(Qt::UserRole).toInt())];
    accept();
    // After this dialog has gone: the action may open another.
    QTimer::singleShot(0, action, &QAction::trigger);
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
