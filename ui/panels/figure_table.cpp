#include "panels/figure_table.h"

#include "panels/copy_key.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPalette>

#include <utility>

namespace ptxwb::ui {

namespace {

constexpr int headerMargins = 10; ///< pixels
const QChar mayBreak(0x200B);     ///< zero width space

/// A symbol's name may be longer than a narrow column: it breaks behind an underscore.
QString breakable(QString text) {
    return text.replace(QLatin1Char('_'), QLatin1Char('_') + QString(mayBreak));
}

} // namespace

FigureTable::FigureTable(const QString& accessibleName, QWidget* parent) : QTableWidget(parent) {
    setAccessibleName(accessibleName);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(ContiguousSelection);
    setTabKeyNavigation(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrap(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    new CopyKey(this, [this] { copy(); });
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    // Stretched columns get their widths after the table's own resize, one after the other: fitted is what they end at.
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        if (std::exchange(m_fitPending, true)) return;
        QMetaObject::invokeMethod(this, &FigureTable::fit, Qt::QueuedConnection);
    });
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 6);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

void FigureTable::setFigures(const std::vector<FigureRow>& rows, const QStringList& columns,
                             session::Freshness freshness) {
    clear();
    setRowCount(static_cast<int>(rows.size()));
    setColumnCount(static_cast<int>(columns.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const FigureRow& one = rows[static_cast<std::size_t>(row)];
        auto* header = new QTableWidgetItem(one.name);
        header->setToolTip(one.meaning);
        setVerticalHeaderItem(row, header);
    }
    for (int column = 0; column < columnCount(); ++column) fillColumn(column, columns[column], rows, freshness);
    fit();
}

void FigureTable::fillColumn(int column, const QString& who, const std::vector<FigureRow>& rows,
                             session::Freshness freshness) {
    const bool stale = freshness == session::Freshness::stale;
    auto* header = new QTableWidgetItem(who);
    header->setToolTip(who);
    header->setData(Qt::AccessibleTextRole, who);
    setHorizontalHeaderItem(column, header);
    for (int row = 0; row < rowCount(); ++row) {
        const FigureRow& one = rows[static_cast<std::size_t>(row)];
        const QString& cell = one.cells[column];
        auto* item = new QTableWidgetItem(breakable(cell));
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        QString sentence = QStringLiteral("%1, %2: %3").arg(one.name.toLower(), who, cell);
        if (stale) sentence = tr("%1, stale").arg(sentence);
        item->setData(Qt::AccessibleTextRole, sentence);
        item->setToolTip(QStringLiteral("%1\n%2").arg(sentence, one.meaning));
        if (stale) item->setForeground(palette().brush(QPalette::Disabled, QPalette::Text));
        setItem(row, column, item);
    }
}

/// The selected cells as a spreadsheet takes them.
void FigureTable::copy() const {
    QString text;
    for (const QTableWidgetSelectionRange& range : selectedRanges())
        for (int row = range.topRow(); row <= range.bottomRow(); ++row) {
            QStringList cells{verticalHeaderItem(row)->text()};
            for (int column = range.leftColumn(); column <= range.rightColumn(); ++column)
                cells += item(row, column)->text().remove(mayBreak);
            text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
        }
    if (!text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void FigureTable::fit() {
    m_fitPending = false;
    for (int column = 0; column < columnCount(); ++column)
        if (QTableWidgetItem* header = horizontalHeaderItem(column))
            header->setText(horizontalHeader()->fontMetrics().elidedText(header->toolTip(), Qt::ElideMiddle,
                                                                         columnWidth(column) - headerMargins));
    resizeRowsToContents();
    setFixedHeight(horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2 * frameWidth());
}

QSize FigureTable::sizeHint() const {
    return {verticalHeader()->sizeHint().width() + 160, height()};
}

QSize FigureTable::minimumSizeHint() const {
    return {verticalHeader()->sizeHint().width() + 60, height()};
}

} // namespace ptxwb::ui
