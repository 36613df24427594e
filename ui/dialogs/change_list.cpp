#include "dialogs/change_list.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace ptxwb::ui {

ChangeList::ChangeList(const std::vector<ListedChange>& changes, const QString& summary, QWidget* parent)
    : QDialog(parent), m_list(new QListWidget(this)) {
    setWindowTitle(tr("Changes from the baseline"));
    resize(640, 420);
    auto* column = new QVBoxLayout(this);
    auto* heading = new QLabel(summary, this);
    heading->setWordWrap(true);
    column->addWidget(heading);
    m_list->setAccessibleName(tr("Changes"));
    column->addWidget(m_list, 1);
    for (const ListedChange& change : changes) m_list->addItem(change.text);
    m_list->setCurrentRow(0);
    connect(m_list, &QListWidget::itemActivated, this, [this, changes](const QListWidgetItem* item) {
        const ListedChange& change = changes[std::size_t(m_list->row(item))];
        if (change.candidateLine > 0)
            emit lineWanted(PaneId::candidate, change.candidateLine);
        else
            emit lineWanted(PaneId::baseline, change.baselineLine);
    });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

} // namespace ptxwb::ui
