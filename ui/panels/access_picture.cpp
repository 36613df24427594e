#include "panels/access_picture.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace ptxwb::ui {

namespace {
constexpr int edge = 8, gap = 6; ///< pixels
}

AccessPicture::AccessPicture(QWidget* parent) : QAbstractScrollArea(parent) {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("The access that comes next"));
    setFocusPolicy(Qt::StrongFocus);
}

void AccessPicture::setTheme(const Theme& theme) {
    m_theme = theme;
    viewport()->update();
}

void AccessPicture::setGrids(std::vector<AccessGrid> grids, const QString& reason) {
    m_grids = std::move(grids);
    m_reason = reason;
    QStringList lines;
    for (const AccessGrid& grid : m_grids) lines += grid.title;
    setAccessibleDescription(m_grids.empty() ? reason : lines.join(QLatin1Char('\n')));
    fit();
    viewport()->update();
}

AccessPicture::Measures AccessPicture::measuresOf(const AccessGrid& grid) const {
    Measures m;
    m.line = fontMetrics().height() + 4;
    for (const AccessGrid::Row& row : grid.rows) {
        m.label = std::max(m.label, fontMetrics().horizontalAdvance(row.label));
        for (const QString& cell : row.cells) m.cell = std::max(m.cell, fontMetrics().horizontalAdvance(cell));
    }
    for (const QString& column : grid.columns) m.cell = std::max(m.cell, fontMetrics().horizontalAdvance(column));
    m.label += 2 * gap;
    m.cell += gap;
    return m;
}

void AccessPicture::fit() {
    int height = edge, width = 0;
    for (const AccessGrid& grid : m_grids) {
        const Measures m = measuresOf(grid);
        height += m.line * (1 + int(grid.rows.size()) + !grid.columns.empty() + (grid.rowsLeftOut > 0)) + 2 * gap;
        width = std::max(width, 2 * edge + (grid.columns.empty() ? 0 : m.label + m.cell * int(grid.columns.size())));
        width = std::max(width, 2 * edge + fontMetrics().horizontalAdvance(grid.title));
    }
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(fontMetrics().height() + 4);
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(20);
}

void AccessPicture::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.base);
    painter.setFont(font());
    painter.setPen(m_theme.text);
    if (m_grids.empty()) {
        painter.drawText(viewport()->rect().adjusted(edge, edge, -edge, -edge), Qt::AlignCenter | Qt::TextWordWrap,
                         m_reason);
        return;
    }
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    int y = edge;
    for (const AccessGrid& grid : m_grids) {
        const Measures m = measuresOf(grid);
        QFont bold = font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(m_theme.text);
        painter.drawText(QRect(edge, y, 1 << 14, m.line), Qt::AlignLeft | Qt::AlignVCenter, grid.title);
        painter.setFont(font());
        y += m.line;
        if (!grid.columns.empty()) {
            painter.setPen(m_theme.marginText);
            for (int c = 0; c < grid.columns.size(); ++c)
                painter.drawText(QRect(edge + m.label + c * m.cell, y, m.cell, m.line), Qt::AlignCenter,
                                 grid.columns[c]);
            y += m.line;
        }
        for (const AccessGrid::Row& row : grid.rows) {
            painter.setPen(m_theme.text);
            painter.drawText(QRect(edge, y, m.label - gap, m.line), Qt::AlignRight | Qt::AlignVCenter, row.label);
            for (std::size_t c = 0; c < row.cells.size(); ++c) {
                const QRect cell(edge + m.label + int(c) * m.cell, y, m.cell, m.line);
                QColor tint = m_theme.stripes[grid.columns.size() > 8 ? c % m_theme.stripes.size() : 0];
                tint.setAlphaF(row.cells[c].isEmpty() ? 0.06F : 0.4F);
                painter.fillRect(cell.adjusted(1, 1, -1, -1), tint);
                painter.setPen(row.cells[c].isEmpty() ? m_theme.border : m_theme.text);
                painter.drawRect(cell.adjusted(0, 0, -1, -1));
                painter.drawText(cell, Qt::AlignCenter, row.cells[c]);
            }
            y += m.line;
        }
        if (grid.rowsLeftOut > 0) {
            painter.setPen(m_theme.marginText);
            painter.drawText(QRect(edge, y, 1 << 14, m.line), Qt::AlignLeft | Qt::AlignVCenter,
                             tr("and %n more row(s)", nullptr, grid.rowsLeftOut));
            y += m.line;
        }
        y += 2 * gap;
    }
}

QString AccessPicture::tipAt(QPoint position) const {
    position += QPoint(horizontalScrollBar()->value(), verticalScrollBar()->value());
    int y = edge;
    for (const AccessGrid& grid : m_grids) {
        const Measures m = measuresOf(grid);
        y += m.line * (1 + !grid.columns.empty());
        for (const AccessGrid::Row& row : grid.rows) {
            const int column = (position.x() - edge - m.label) / std::max(1, m.cell);
            if (position.y() >= y && position.y() < y + m.line && position.x() >= edge + m.label &&
                column < grid.columns.size() && !row.cells[std::size_t(column)].isEmpty())
                return grid.columns.size() > 8
                           ? tr("bank %1: lanes %2").arg(grid.columns[column], row.cells[std::size_t(column)])
                           : tr("%1 %2: lanes %3").arg(row.label, grid.columns[column], row.cells[std::size_t(column)]);
            y += m.line;
        }
        y += m.line * (grid.rowsLeftOut > 0) + 2 * gap;
    }
    return {};
}

bool AccessPicture::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), viewport());
    return true;
}

void AccessPicture::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    fit();
}

void AccessPicture::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

} // namespace ptxwb::ui
