#include "dialogs/shortcut_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace ptxwb::ui {

namespace {

enum Column { Action, Key, Standard, ColumnCount };
constexpr int rowRole = Qt::UserRole + 1;

QString keyText(const QKeySequence& keys) {
    return keys.isEmpty() ? QStringLiteral("–") : keys.toString(QKeySequence::NativeText);
}

} // namespace

ShortcutTable::ShortcutTable(std::vector<ShortcutRow> rows, QWidget* parent)
    : QWidget(parent), m_rows(std::move(rows)), m_filter(new QLineEdit), m_tree(new QTreeWidget),
      m_key(new QKeySequenceEdit), m_standard(new QPushButton(tr("&Standard"))), m_none(new QPushButton(tr("&None"))),
      m_problem(new QLabel) {
    m_filter->setPlaceholderText(tr("Part of a name or a key"));
    m_filter->setAccessibleName(tr("Part of a name or a key"));
    m_filter->setClearButtonEnabled(true);
    m_tree->setColumnCount(ColumnCount);
    m_tree->setHeaderLabels({tr("Action"), tr("Key"), tr("Standard")});
    m_tree->setAccessibleName(tr("Actions and their keys"));
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_key->setAccessibleName(tr("Key of the chosen action"));
    m_standard->setToolTip(tr("The key that the action came with"));
    m_none->setToolTip(tr("No key"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("&Key:"));
    label->setBuddy(m_key);
    row->addWidget(label);
    row->addWidget(m_key, 1);
    row->addWidget(m_standard);
    row->addWidget(m_none);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_filter);
    column->addWidget(m_tree, 1);
    column->addLayout(row);
    column->addWidget(m_problem);
    for (int i = 0; i < int(m_rows.size()); ++i) {
        auto* item = new QTreeWidgetItem(m_tree);
        item->setText(Action, m_rows[std::size_t(i)].text);
        item->setText(Standard, keyText(m_rows[std::size_t(i)].standard));
        item->setData(Action, rowRole, i);
        updateRow(i);
    }
    m_tree->header()->setSectionResizeMode(Action, QHeaderView::Stretch);
    m_tree->header()->setStretchLastSection(false);
    for (const int narrow : {Key, Standard})
        m_tree->header()->setSectionResizeMode(narrow, QHeaderView::ResizeToContents);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &ShortcutTable::showCurrent);
    connect(m_key, &QKeySequenceEdit::editingFinished, this, [this] { setOwn(m_key->keySequence()); });
    connect(m_standard, &QPushButton::clicked, this, [this] {
        if (const int at = currentRow(); at >= 0) setOwn(m_rows[std::size_t(at)].standard);
    });
    connect(m_none, &QPushButton::clicked, this, [this] { setOwn({}); });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
            QTreeWidgetItem* item = m_tree->topLevelItem(i);
            item->setHidden(!item->text(Action).contains(text, Qt::CaseInsensitive) &&
                            !item->text(Key).contains(text, Qt::CaseInsensitive));
        }
    });
    m_tree->setCurrentItem(m_tree->topLevelItem(0));
}

int ShortcutTable::currentRow() const {
    const QTreeWidgetItem* item = m_tree->currentItem();
    return item ? item->data(Action, rowRole).toInt() : -1;
}

void ShortcutTable::showCurrent() {
    const int row = currentRow();
    for (QWidget* each : std::initializer_list<QWidget*>{m_key, m_standard, m_none}) each->setEnabled(row >= 0);
    if (row >= 0) m_key->setKeySequence(m_rows[std::size_t(row)].own);
}

void ShortcutTable::setOwn(const QKeySequence& keys) {
    const int row = currentRow();
    if (row < 0 || m_rows[std::size_t(row)].own == keys) return;
    m_rows[std::size_t(row)].own = keys;
    updateRow(row);
    showCurrent();
    m_problem->setText(problem());
    emit changed();
}

void ShortcutTable::updateRow(int row) {
    const ShortcutRow& shown = m_rows[std::size_t(row)];
    QTreeWidgetItem* item = m_tree->topLevelItem(row);
    item->setText(Key, keyText(shown.own));
    QFont bold = font();
    bold.setBold(shown.own != shown.standard);
    item->setFont(Key, bold);
    item->setData(Key, Qt::AccessibleTextRole,
                  shown.own == shown.standard ? keyText(shown.own) : tr("%1, changed").arg(keyText(shown.own)));
}

QString ShortcutTable::problem() const {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        for (std::size_t k = i + 1; k < m_rows.size(); ++k)
            if (!m_rows[i].own.isEmpty() && m_rows[i].own == m_rows[k].own)
                return tr("%1 belongs to two actions: “%2” and “%3”. Give one of them another key.")
                    .arg(keyText(m_rows[i].own), m_rows[i].text, m_rows[k].text);
    return {};
}

} // namespace ptxwb::ui
