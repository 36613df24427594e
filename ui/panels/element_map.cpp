#include "panels/element_map.h"

#include "panels/marks.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ptxwb::ui {

namespace {

constexpr qreal margin = 2, largestCell = 18;

/// "y[3, 17]" of the element by number.
QString place(const verify::OutputMap& map, std::uint64_t element) {
    QStringList index;
    for (std::size_t i = map.shape.size(); i-- > 0;) {
        index.prepend(QString::number(element % map.shape[i]));
        element /= map.shape[i];
    }
    return QStringLiteral("%1[%2]").arg(QString::fromStdString(map.argument), index.join(QStringLiteral(", ")));
}

/// Elements of a cell that there are: the last row may be short.
struct Extent {
    std::uint64_t first = 0, last = 0, count = 0;
};

Extent extentOf(const verify::OutputMap& map, int cell) {
    const auto row = std::uint64_t(cell) / map.columns, column = std::uint64_t(cell) % map.columns;
    const std::uint64_t left = column * map.cellWidth, right = std::min(left + map.cellWidth, map.width);
    Extent extent;
    extent.first = row * map.cellHeight * map.width + left;
    for (std::uint64_t y = row * map.cellHeight; y < (row + 1) * map.cellHeight; ++y) {
        const std::uint64_t from = y * map.width + left, to = std::min(y * map.width + right, map.elements);
        if (to <= from) break;
        extent.count += to - from;
        extent.last = to - 1;
    }
    return extent;
}

} // namespace

ElementMap::ElementMap(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Wrong elements of the output"));
    setMouseTracking(true);
}

void ElementMap::setMap(const verify::OutputMap& map) {
    m_map = map;
    setAccessibleName(tr("Wrong elements of %1").arg(QString::fromStdString(map.argument)));
    m_current = -1;
    setCurrent(firstWrong());
    update();
}

void ElementMap::clear() {
    m_map = {};
    m_current = -1;
    update();
}

int ElementMap::firstWrong() const {
    const auto found = std::ranges::find_if(m_map.cells, [](std::uint32_t wrong) { return wrong > 0; });
    return m_map.cells.empty() ? -1 : found == m_map.cells.end() ? 0 : int(found - m_map.cells.begin());
}

QString ElementMap::cellText(int cell) const {
    if (cell < 0 || cell >= int(m_map.cells.size())) return {};
    const Extent extent = extentOf(m_map, cell);
    const auto wrong = m_map.cells[std::size_t(cell)];
    if (extent.count == 0) return tr("behind the end");
    if (extent.count == 1)
        return wrong ? tr("%1: wrong").arg(place(m_map, extent.first))
                     : tr("%1: right").arg(place(m_map, extent.first));
    return tr("%1 to %2: %3 of %4 elements wrong")
        .arg(place(m_map, extent.first), place(m_map, extent.last))
        .arg(wrong)
        .arg(extent.count);
}

QRectF ElementMap::rectOf(int cell) const {
    const qreal columns = m_map.columns, rows = m_map.rows;
    const qreal width = std::min(largestCell, (this->width() - 2 * margin) / columns);
    const qreal height = std::min(largestCell, (this->height() - 2 * margin) / rows);
    const int column = cell % int(m_map.columns), row = cell / int(m_map.columns);
    return {margin + column * width, margin + row * height, width, height};
}

int ElementMap::cellAt(const QPointF& point) const {
    if (m_map.cells.empty()) return -1;
    const QRectF first = rectOf(0);
    const int column = int(std::floor((point.x() - margin) / first.width()));
    const int row = int(std::floor((point.y() - margin) / first.height()));
    if (column < 0 || row < 0 || column >= int(m_map.columns) || row >= int(m_map.rows)) return -1;
    const int cell = row * int(m_map.columns) + column;
    return extentOf(m_map, cell).count > 0 ? cell : -1;
}

void ElementMap::setCurrent(int cell) {
    if (cell < 0 || cell >= int(m_map.cells.size()) || extentOf(m_map, cell).count == 0) return;
    m_current = cell;
    setAccessibleDescription(cellText(cell));
    update();
    emit currentChanged(cellText(cell));
}

void ElementMap::paintEvent(QPaintEvent*) {
    if (m_map.cells.empty()) return;
    QPainter painter(this);
    const Theme& theme = themeFor(palette());
    for (int cell = 0; cell < int(m_map.cells.size()); ++cell) {
        const Extent extent = extentOf(m_map, cell);
        if (extent.count == 0) continue;
        const QRectF rect = rectOf(cell);
        const QRectF inside = rect.width() > 3 && rect.height() > 3 ? rect.adjusted(0, 0, -1, -1) : rect;
        const auto wrong = m_map.cells[std::size_t(cell)];
        painter.fillRect(inside, wrong > 0 ? theme.removed : theme.added);
        if (wrong == 0) continue;
        // At least a third of the side, so that one wrong element among thousands is still seen.
        const qreal side = std::max(1.0 / 3, std::sqrt(double(wrong) / double(extent.count)));
        const QSizeF size(std::max(1.0, inside.width() * side), std::max(1.0, inside.height() * side));
        painter.fillRect(QRectF(inside.center() - QPointF(size.width() / 2, size.height() / 2), size),
                         theme.removedMark);
    }
    if (m_current < 0) return;
    painter.setPen(QPen(hasFocus() ? theme.text : theme.border, hasFocus() ? 2 : 1));
    painter.drawRect(rectOf(m_current).adjusted(-1, -1, 0, 0));
}

void ElementMap::keyPressEvent(QKeyEvent* event) {
    const int columns = int(m_map.columns);
    switch (event->key()) {
    case Qt::Key_Left: return setCurrent(m_current - 1);
    case Qt::Key_Right: return setCurrent(m_current + 1);
    case Qt::Key_Up: return setCurrent(m_current - columns);
    case Qt::Key_Down: return setCurrent(m_current + columns);
    case Qt::Key_Home: return setCurrent(firstWrong());
    default: QWidget::keyPressEvent(event);
    }
}

void ElementMap::mousePressEvent(QMouseEvent* event) {
    setCurrent(cellAt(event->position()));
}

void ElementMap::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ElementMap::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

bool ElementMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = cellText(cellAt(help->pos()));
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace ptxwb::ui
