#include "panels/case_table.h"

#include "panels/marks.h"

#include <QEvent>
#include <QHeaderView>

#include <algorithm>

namespace ptxwb::ui {

namespace {

constexpr int caseRole = Qt::UserRole + 1; ///< index of the case that is run again

QString asQString(const std::string& text) {
    return QString::fromStdString(text);
}

QString statusText(verify::CaseStatus status) {
    switch (status) {
    case verify::CaseStatus::pass: return CaseTable::tr("right");
    case verify::CaseStatus::fail: return CaseTable::tr("wrong");
    case verify::CaseStatus::leftOut: break;
    }
    return CaseTable::tr("left out");
}

/// What a cell gathers.
struct Cell {
    int passed = 0, failed = 0, leftOut = 0;
    int first = -1; ///< the case that is worth running again
    QStringList lines;
};

} // namespace

QString sizeText(const verify::RunCase& runCase) {
    QStringList parts;
    for (const auto& [symbol, size] : runCase.set) parts += QStringLiteral("%1 = %2").arg(asQString(symbol)).arg(size);
    return parts.isEmpty() ? CaseTable::tr("the only size") : parts.join(QStringLiteral(", "));
}

CaseTable::CaseTable(QWidget* parent) : QTableWidget(parent) {
    setAccessibleName(tr("Sizes and distributions of inputs"));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setTabKeyNavigation(false);
    setMinimumSize(100, 40);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    connect(this, &QTableWidget::itemActivated, this, [this] {
        if (const auto wanted = currentCase()) emit caseWanted(*wanted);
    });
}

void CaseTable::setStages(const std::vector<verify::StageResult>& stages) {
    std::vector<verify::RunCase> cases;
    for (const verify::StageResult& stage : stages) cases.insert(cases.end(), stage.cases.begin(), stage.cases.end());
    if (cases == m_cases) return; // called with every letter that is typed
    m_cases = std::move(cases);
    fill();
}

std::optional<verify::RunCase> CaseTable::currentCase() const {
    const QTableWidgetItem* item = currentItem();
    const int index = item ? item->data(caseRole).toInt() : -1;
    if (index < 0 || index >= int(m_cases.size())) return std::nullopt;
    return m_cases[std::size_t(index)];
}

void CaseTable::fill() {
    using Set = std::map<std::string, std::int64_t>;
    std::vector<Set> sizes;
    std::vector<std::string> fills;
    for (const verify::RunCase& each : m_cases) {
        if (std::ranges::find(sizes, each.set) == sizes.end()) sizes.push_back(each.set);
        if (std::ranges::find(fills, each.fill) == fills.end()) fills.push_back(each.fill);
    }
    std::ranges::stable_sort(sizes);
    clear();
    setRowCount(int(sizes.size()));
    setColumnCount(int(fills.size()));
    std::vector<Cell> cells(sizes.size() * fills.size());
    m_failed = 0;
    m_launches = int(m_cases.size());
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        const verify::RunCase& each = m_cases[i];
        const auto row = std::size_t(std::ranges::find(sizes, each.set) - sizes.begin());
        const auto column = std::size_t(std::ranges::find(fills, each.fill) - fills.begin());
        Cell& cell = cells[row * fills.size() + column];
        const bool isFailure = each.status == verify::CaseStatus::fail;
        if (cell.first < 0 || (isFailure && cell.failed == 0)) cell.first = int(i);
        cell.passed += each.status == verify::CaseStatus::pass;
        cell.leftOut += each.status == verify::CaseStatus::leftOut;
        cell.failed += isFailure;
        m_failed += isFailure;
        cell.lines +=
            tr("%1: seed %2, made for %3").arg(statusText(each.status)).arg(each.seed).arg(asQString(each.purpose));
    }
    for (std::size_t column = 0; column < fills.size(); ++column)
        setHorizontalHeaderItem(int(column), new QTableWidgetItem(asQString(fills[column])));
    const Theme& theme = themeFor(palette());
    int firstFailure = -1;
    for (std::size_t row = 0; row < sizes.size(); ++row) {
        setVerticalHeaderItem(int(row), new QTableWidgetItem(sizeText({sizes[row], {}, 0, {}, {}})));
        for (std::size_t column = 0; column < fills.size(); ++column) {
            const Cell& cell = cells[row * fills.size() + column];
            auto* item = new QTableWidgetItem;
            const int launches = cell.passed + cell.failed + cell.leftOut;
            if (cell.failed > 0) {
                item->setText(launches > 1 ? tr("\u2717 %1 of %2").arg(cell.failed).arg(launches)
                                           : QStringLiteral("\u2717"));
                item->setBackground(theme.removed);
                if (firstFailure < 0) firstFailure = int(row * fills.size() + column);
            } else if (cell.passed > 0) {
                item->setText(cell.passed > 1 ? QStringLiteral("\u2713 %1").arg(cell.passed)
                                              : QStringLiteral("\u2713"));
                item->setBackground(theme.added);
            } else if (cell.leftOut > 0) {
                item->setText(tr("\u2013 left out"));
            }
            item->setTextAlignment(Qt::AlignCenter);
            item->setForeground(theme.text);
            item->setToolTip(cell.lines.join(QLatin1Char('\n')));
            item->setData(caseRole, cell.first);
            item->setData(
                Qt::AccessibleTextRole,
                launches == 0
                    ? tr("%1, %2: no launch").arg(verticalHeaderItem(int(row))->text(), asQString(fills[column]))
                    : tr("%1, %2: launches %3, wrong %4")
                          .arg(verticalHeaderItem(int(row))->text(), asQString(fills[column]))
                          .arg(launches)
                          .arg(cell.failed));
            setItem(int(row), int(column), item);
        }
    }
    resizeColumnsToContents();
    // Where a person would begin.
    const int start = std::max(0, firstFailure);
    if (!fills.empty()) setCurrentCell(start / int(fills.size()), start % int(fills.size()));
}

void CaseTable::changeEvent(QEvent* event) {
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_cases.empty()) fill(); // tints are the theme's
}

} // namespace ptxwb::ui
