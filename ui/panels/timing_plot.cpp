#include "panels/timing_plot.h"

#include "models/candidate_figures.h"
#include "theme/theme.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QLegend>
#include <QLineSeries>
#include <QToolTip>
#include <QValueAxis>
#include <QWheelEvent>

#include <cmath>

namespace ptxwb::ui {

namespace {

constexpr double barHeight = 0.8, medianHeight = 0.95; ///< of a row
constexpr int longestName = 12;                        ///< characters beside the plot: the dock is narrow

} // namespace

TimingPlot::TimingPlot(QWidget* parent) : QChartView(new QChart, parent), m_x(new QValueAxis), m_y(new QCategoryAxis) {
    QChart* plot = chart();
    plot->setAnimationOptions(QChart::NoAnimation);
    plot->legend()->hide();
    plot->setMargins({2, 2, 8, 2});
    plot->layout()->setContentsMargins(0, 0, 0, 0);
    plot->setBackgroundRoundness(0);
    plot->addAxis(m_x, Qt::AlignBottom);
    plot->addAxis(m_y, Qt::AlignLeft);
    for (Row& row : m_rows) {
        // An area does not own its two lines.
        row.outline = new QLineSeries(this);
        row.floor = new QLineSeries(this);
        row.area = new QAreaSeries(row.outline, row.floor);
        row.median = new QLineSeries;
        for (QAbstractSeries* series :
             {static_cast<QAbstractSeries*>(row.area), static_cast<QAbstractSeries*>(row.median)}) {
            plot->addSeries(series);
            series->attachAxis(m_x);
            series->attachAxis(m_y);
        }
    }
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    for (QValueAxis* axis : {m_x, static_cast<QValueAxis*>(m_y)}) {
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
    }
    m_x->setTickType(QValueAxis::TicksDynamic);
    m_x->setTitleText(tr("us a launch, cold"));
    m_y->setLabelsPosition(QCategoryAxis::AxisLabelsPositionCenter);
    m_y->setStartValue(0);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::TabFocus);
    setMinimumWidth(200);
    setAccessibleName(tr("Distribution of the cold samples"));
}

void TimingPlot::setStrips(const TimingStrips& strips) {
    m_strips = strips;
    const std::size_t count = std::min(strips.strips.size(), m_rows.size());
    setFixedHeight(fontMetrics().height() * (4 + 4 * int(count)));
    m_x->setRange(strips.low, strips.high());
    m_x->setTickAnchor(std::ceil(strips.low / strips.tick) * strips.tick);
    m_x->setTickInterval(strips.tick);
    m_x->setLabelFormat(QStringLiteral("%.%1f").arg(strips.decimals));
    nameRows();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        for (QAbstractSeries* series :
             {static_cast<QAbstractSeries*>(m_rows[i].area), static_cast<QAbstractSeries*>(m_rows[i].median)})
            series->setVisible(i < count);
        if (i < count) fillRow(m_rows[i], i, double(count - 1 - i));
    }
    setAccessibleDescription(stripsDescription(strips));
}

/// The topmost row is the last category: the axis grows upwards.
void TimingPlot::nameRows() {
    for (const QString& label : m_y->categoriesLabels()) m_y->remove(label);
    const auto count = m_strips.strips.size();
    m_y->setRange(0, double(std::max<std::size_t>(1, count)));
    for (std::size_t i = 0; i < count; ++i) {
        const TimingStrip& strip = m_strips.strips[count - 1 - i];
        QString name = strip.name;
        if (name.size() > longestName) name = name.left(longestName - 1) + QStringLiteral("…");
        QString label = tr("%1<br>median<br>%2 us").arg(name.toHtmlEscaped(), fourDigits(strip.median));
        // Two categories of one name would be one.
        while (m_y->categoriesLabels().contains(label)) label += QStringLiteral("<br>");
        m_y->append(label, double(i + 1));
    }
}

void TimingPlot::fillRow(const Row& row, std::size_t strip, double floor) {
    const TimingStrip& one = m_strips.strips[strip];
    const double scale = barHeight / std::max(1e-9, m_strips.largestShare());
    QList<QPointF> outline{{m_strips.low, floor}};
    for (std::size_t bin = 0; bin < one.counts.size(); ++bin) {
        const double from = m_strips.low + double(bin) * m_strips.binWidth, top = floor + scale * one.share(bin);
        if (outline.last().y() != top) {
            outline += {from, outline.last().y()};
            outline += {from, top};
        }
    }
    outline += {m_strips.high(), outline.last().y()};
    row.outline->replace(outline);
    row.floor->replace(QList<QPointF>{{m_strips.low, floor}, {m_strips.high(), floor}});
    row.median->replace(QList<QPointF>{{one.median, floor}, {one.median, floor + medianHeight}});
}

void TimingPlot::setTheme(const Theme& theme, Ink ink) {
    const bool stale = ink == Ink::stale;
    chart()->setBackgroundBrush(theme.base);
    setBackgroundBrush(theme.base);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const bool isBaseline = i < m_strips.strips.size() && m_strips.strips[i].role == TimingRole::baseline;
        const QColor colour = stale ? theme.disabledText : isBaseline ? theme.removedMark : theme.addedMark;
        m_rows[i].area->setPen(QPen(colour, 1));
        m_rows[i].area->setBrush(QBrush(colour, isBaseline ? Qt::BDiagPattern : Qt::SolidPattern));
        m_rows[i].median->setPen(
            QPen(stale ? theme.disabledText : theme.text, 2, isBaseline ? Qt::DashLine : Qt::SolidLine));
    }
    const QColor words = stale ? theme.disabledText : theme.text;
    for (QValueAxis* axis : {m_x, static_cast<QValueAxis*>(m_y)}) {
        axis->setLabelsBrush(words);
        axis->setTitleBrush(words);
        axis->setLinePen(QPen(theme.border));
        axis->setGridLinePen(QPen(theme.border, 1, Qt::DotLine));
    }
}

bool TimingPlot::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QChartView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPointF value = chart()->mapToValue(chart()->mapFromScene(mapToScene(help->pos())), m_rows[0].median);
    const auto count = static_cast<int>(m_strips.strips.size());
    const int row = count - 1 - int(std::floor(value.y()));
    const QString text = row < 0 || row >= count ? QString() : binText(m_strips, std::size_t(row), value.x());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

/// The wheel belongs to the panel that the plot stands in.
void TimingPlot::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

} // namespace ptxwb::ui
