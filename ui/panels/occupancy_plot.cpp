#include "panels/occupancy_plot.h"

#include "theme/theme.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QLegend>
#include <QLineSeries>
#include <QScatterSeries>
#include <QToolTip>
#include <QValueAxis>
#include <QWheelEvent>

namespace ptxwb::ui {

OccupancyPlot::OccupancyPlot(QWidget* parent)
    : QChartView(new QChart, parent), m_line(new QLineSeries), m_drop(new QLineSeries), m_point(new QScatterSeries),
      m_x(new QValueAxis), m_y(new QValueAxis) {
    QChart* plot = chart();
    plot->setAnimationOptions(QChart::NoAnimation);
    plot->legend()->hide();
    plot->setMargins({2, 2, 8, 2});
    plot->layout()->setContentsMargins(0, 0, 0, 0);
    plot->setBackgroundRoundness(0);
    plot->addAxis(m_x, Qt::AlignBottom);
    plot->addAxis(m_y, Qt::AlignLeft);
    for (QXYSeries* series :
         {static_cast<QXYSeries*>(m_drop), static_cast<QXYSeries*>(m_line), static_cast<QXYSeries*>(m_point)}) {
        plot->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
    }
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    for (QValueAxis* axis : {m_x, m_y}) {
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickAnchor(0);
        axis->setLabelFormat(QStringLiteral("%.0f"));
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
    }
    m_y->setTitleText(tr("Warps per SM"));
    m_point->setMarkerSize(10);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::TabFocus);
    setMinimumWidth(200);
    setFixedHeight(fontMetrics().height() * 10);
}

void OccupancyPlot::setCurve(const OccupancyCurve& curve) {
    m_curve = curve;
    // Behind the last step no block runs at all.
    QList<QPointF> line = curve.corners;
    if (!line.isEmpty()) line += {line.last().x(), 0};
    m_line->replace(line);
    m_drop->replace(QList<QPointF>{{curve.current.x(), 0}, curve.current});
    m_point->replace(QList<QPointF>{curve.current});
    m_x->setRange(0, curve.xMax);
    m_x->setTickInterval(curve.xTick);
    m_x->setTitleText(curve.title);
    // Room above, so that a full SM's line is not the frame.
    m_y->setRange(0, curve.yMax * 1.08);
    m_y->setTickInterval(curve.yTick);
    setAccessibleName(tr("Occupancy against: %1").arg(curve.what));
    setAccessibleDescription(curve.description);
}

void OccupancyPlot::setTheme(const Theme& theme) {
    chart()->setBackgroundBrush(theme.base);
    setBackgroundBrush(theme.base);
    m_line->setPen(QPen(theme.addedMark, 2));
    m_drop->setPen(QPen(theme.removedMark, 1, Qt::DashLine));
    m_point->setBrush(theme.removedMark);
    m_point->setPen(QPen(theme.base, 1));
    for (QValueAxis* axis : {m_x, m_y}) {
        axis->setLabelsBrush(theme.text);
        axis->setTitleBrush(theme.text);
        axis->setLinePen(QPen(theme.border));
        axis->setGridLinePen(QPen(theme.border, 1, Qt::DotLine));
    }
}

bool OccupancyPlot::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QChartView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double x = chart()->mapToValue(chart()->mapFromScene(mapToScene(help->pos())), m_line).x();
    if (m_curve.corners.isEmpty() || x < 0 || x > m_curve.corners.last().x()) {
        QToolTip::hideText();
        return true;
    }
    QToolTip::showText(help->globalPos(),
                       tr("%1: %2\nWarps per SM: %3 of %4\nOccupancy is not speed.")
                           .arg(m_curve.what, QString::number(x, 'f', 0), QString::number(valueAt(m_curve, x)),
                                QString::number(m_curve.yMax)),
                       this);
    return true;
}

/// The wheel belongs to the panel that the plot stands in.
void OccupancyPlot::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

} // namespace ptxwb::ui
