#include "editors/overview_ruler.h"

#include "theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace ptxwb::ui {

OverviewRuler::OverviewRuler(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setAccessibleName(tr("Overview of changes"));
    setToolTip(tr("Where the changes are: - left, ~ both, + right"));
}

void OverviewRuler::setTheme(const Theme& theme) {
    m_paper = theme.marginBackground;
    m_border = theme.currentLine;
    m_added = theme.addedMark;
    m_removed = theme.removedMark;
    m_moved = theme.movedMark;
    update();
}

void OverviewRuler::setMarks(std::vector<Mark> marks, int rows) {
    m_marks = std::move(marks);
    m_rows = rows;
    update();
}

void OverviewRuler::setView(int firstRow, int rowCount) {
    if (firstRow == m_firstRow && rowCount == m_shownRows) return;
    m_firstRow = firstRow;
    m_shownRows = rowCount;
    update();
}

double OverviewRuler::yOf(int row) const {
    // A text that fits on the screen is drawn as tall as it is there.
    return double(height()) * row / std::max({1, m_rows, m_shownRows});
}

void OverviewRuler::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_paper);
    const double half = width() / 2.0;
    std::array<double, 4> painted{}; // by kind, down to where
    for (const Mark& mark : m_marks) {
        const double top = yOf(mark.row), tall = std::max(2.0, yOf(mark.row + mark.count) - top);
        // Thousands of changes share a pixel.
        double& down = painted[std::size_t(mark.kind)];
        if (top + tall < down + 0.5) continue;
        down = top + tall;
        const QRectF left(1, top, half - 1, tall), right(half, top, half - 1, tall);
        switch (mark.kind) {
        case Kind::removed: painter.fillRect(left, m_removed); break;
        case Kind::added: painter.fillRect(right, m_added); break;
        case Kind::moved: painter.fillRect(QRectF(half / 2, top, half, tall), m_moved); break;
        case Kind::changed:
            painter.fillRect(left, m_removed);
            painter.fillRect(right, m_added);
            break;
        }
    }
    if (m_shownRows > 0 && m_rows > m_shownRows) {
        painter.setPen(m_border);
        painter.drawRect(QRectF(0.5, yOf(m_firstRow) + 0.5, width() - 1, std::max(4.0, yOf(m_shownRows)) - 1));
    }
}

void OverviewRuler::mousePressEvent(QMouseEvent* event) {
    const int rows = std::max({1, m_rows, m_shownRows});
    emit rowWanted(std::clamp(int(event->position().y() / std::max(1, height()) * rows), 0, rows));
}

void OverviewRuler::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) mousePressEvent(event);
}

} // namespace ptxwb::ui
