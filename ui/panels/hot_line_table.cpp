#include "panels/hot_line_table.h"

#include <QFontDatabase>
#include <QHeaderView>

namespace ptxwb::ui {

namespace {
enum Column { Line, Samples, Waits, Instruction, columns };
}

HotLineTable::HotLineTable(QWidget* parent) : QTableWidget(parent) {
    setColumnCount(columns);
    setHorizontalHeaderLabels({tr("Line"), tr("Samples"), tr("Waits mostly for"), tr("Instruction")});
    setAccessibleName(tr("Busiest lines"));
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(Instruction, QHeaderView::Stretch);
    horizontalHeaderItem(Instruction)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what is cut off stands in the tool tip
    connect(this, &QTableWidget::cellActivated, this,
            [this](int row) { emit lineWanted(item(row, Line)->data(Qt::UserRole).toInt()); });
    connect(this, &QTableWidget::cellClicked, this,
            [this](int row) { emit lineWanted(item(row, Line)->data(Qt::UserRole).toInt()); });
}

void HotLineTable::setLines(const std::vector<HotLine>& lines, bool stale) {
    setRowCount(static_cast<int>(lines.size()));
    for (int row = 0; row < rowCount(); ++row) fillRow(row, lines[static_cast<std::size_t>(row)], stale);
    setFixedHeight(horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2 * frameWidth() + 2);
}

void HotLineTable::fillRow(int row, const HotLine& line, bool stale) {
    const QString percent = QStringLiteral("%1 %").arg(QString::number(line.percent, 'f', 1));
    const QStringList cells{QString::number(line.line), percent, line.waits, line.instruction};
    const QString place = line.source.isEmpty() ? tr("line %1").arg(line.line)
                                                : tr("line %1, from %2").arg(QString::number(line.line), line.source);
    const QString sentence = tr("%1 of the samples at %2: %3").arg(percent, place, line.instruction);
    for (int column = 0; column < columns; ++column) {
        auto* cell = new QTableWidgetItem(cells[column]);
        const bool isNumber = column == Line || column == Samples;
        cell->setTextAlignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        cell->setToolTip(sentence + QLatin1Char('\n') + line.meaning);
        cell->setData(Qt::AccessibleTextRole, stale ? tr("%1, stale").arg(sentence) : sentence);
        cell->setData(Qt::UserRole, line.line);
        if (column == Instruction) cell->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        if (stale) cell->setForeground(palette().brush(QPalette::Disabled, QPalette::Text));
        setItem(row, column, cell);
    }
}

QSize HotLineTable::sizeHint() const {
    return {320, height()};
}

QSize HotLineTable::minimumSizeHint() const {
    return {120, height()};
}

} // namespace ptxwb::ui
