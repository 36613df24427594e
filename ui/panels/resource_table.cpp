#include "panels/resource_table.h"

#include "panels/copy_key.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPalette>
#include <QScrollBar>

#include <algorithm>

namespace ptxwb::ui {

ResourceTable::ResourceTable(QWidget* parent) : QTableWidget(parent) {
    setAccessibleName(tr("Figures of ptxas"));
    setEditTriggers(NoEditTriggers);
    setSelectionMode(ContiguousSelection);
    setTabKeyNavigation(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollMode(ScrollPerPixel);
    setWordWrap(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    new CopyKey(this, [this] { copy(); });
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    const QStringList names = resourceNames();
    setRowCount(static_cast<int>(names.size()));
    for (int row = 0; row < rowCount(); ++row) {
        auto* header = new QTableWidgetItem(names[row]);
        header->setToolTip(tr("%1, as ptxas reports it").arg(resourceMeaning(row)));
        setVerticalHeaderItem(row, header);
    }
}

void ResourceTable::setColumns(const std::vector<ResourceColumn>& columns, session::Freshness freshness) {
    setColumnCount(0);
    const bool oneEntry =
        std::ranges::all_of(columns, [&](const ResourceColumn& c) { return c.entry == columns.front().entry; });
    for (const ResourceColumn& column : columns) {
        const QString arch = QString::fromStdString(column.arch), entry = QString::fromStdString(column.entry);
        const QString who = QStringLiteral("%1, %2").arg(arch, entry);
        const QString below = oneEntry ? QString() : QLatin1Char('\n') + entry;
        QStringList own, baseline;
        for (int row = 0; row < rowCount(); ++row) {
            const ResourceCell& cell = column.cells.at(static_cast<std::size_t>(row));
            own += resourceText(row, cell);
            if (cell.baseline) baseline += resourceText(row, *cell.baseline);
        }
        addColumn(arch + below, own, who, freshness);
        if (!baseline.isEmpty())
            addColumn(tr("baseline") + below, baseline, tr("baseline, %1").arg(who), session::Freshness::current);
    }
    resizeColumnsToContents();
    fitHeight();
}

void ResourceTable::addColumn(const QString& title, const QStringList& texts, const QString& who,
                              session::Freshness freshness) {
    const int column = columnCount();
    const bool stale = freshness == session::Freshness::stale;
    insertColumn(column);
    auto* header = new QTableWidgetItem(title);
    header->setToolTip(who);
    setHorizontalHeaderItem(column, header);
    for (int row = 0; row < rowCount(); ++row) {
        auto* item = new QTableWidgetItem(texts[row]);
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const QString text = QStringLiteral("%1, %2: %3").arg(resourceNames()[row].toLower(), who, texts[row]);
        item->setData(Qt::AccessibleTextRole, stale ? tr("%1, stale").arg(text) : text);
        item->setToolTip(QStringLiteral("%1\n%2").arg(stale ? tr("%1, stale").arg(text) : text, resourceMeaning(row)));
        if (stale) item->setForeground(palette().brush(QPalette::Disabled, QPalette::Text));
        setItem(row, column, item);
    }
}

/// The selected cells as a spreadsheet takes them.
void ResourceTable::copy() const {
    QString text;
    for (const QTableWidgetSelectionRange& range : selectedRanges())
        for (int row = range.topRow(); row <= range.bottomRow(); ++row) {
            QStringList cells{verticalHeaderItem(row)->text()};
            for (int column = range.leftColumn(); column <= range.rightColumn(); ++column)
                cells += item(row, column)->text();
            text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
        }
    if (!text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void ResourceTable::fitHeight() {
    const bool scrolls = horizontalHeader()->length() > viewport()->width();
    const int bar = scrolls ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2 * frameWidth() + bar);
}

QSize ResourceTable::sizeHint() const {
    return {verticalHeader()->sizeHint().width() + horizontalHeader()->length() + 2 * frameWidth(), height()};
}

QSize ResourceTable::minimumSizeHint() const {
    return {verticalHeader()->sizeHint().width() + 60, height()};
}

void ResourceTable::resizeEvent(QResizeEvent* event) {
    QTableWidget::resizeEvent(event);
    fitHeight();
}

} // namespace ptxwb::ui
