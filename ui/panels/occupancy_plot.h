// One small plot of occupancy with the current point marked.
// Used by the resources panel, which stacks three of them.
#pragma once

#include "panels/occupancy_curve.h"

#include <QChartView>

class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace ptxwb::ui {

struct Theme;

/// The tooltip says the value under the pointer; a screen reader is told all steps.
class OccupancyPlot : public QChartView {
    Q_OBJECT

public:
    explicit OccupancyPlot(QWidget* parent = nullptr);

    void setCurve(const OccupancyCurve& curve);
    void setTheme(const Theme& theme);
    const OccupancyCurve& curve() const { return m_curve; }

protected:
    bool viewportEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    OccupancyCurve m_curve;
    QLineSeries* m_line;
    QLineSeries* m_drop; ///< from the current point down to its value on the axis
    QScatterSeries* m_point;
    QValueAxis *m_x, *m_y;
};

} // namespace ptxwb::ui
