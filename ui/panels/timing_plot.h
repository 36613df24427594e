// The samples of a benchmark as histograms one above the other, over one axis in microseconds, medians marked.
// Used by the timing panel.
#pragma once

#include "panels/timing_strips.h"

#include <QChartView>

#include <array>

class QAreaSeries;
class QCategoryAxis;
class QLineSeries;
class QValueAxis;

namespace ptxwb::ui {

struct Theme;

/// Baseline and candidate each have a row with its name and a filling of its own, so that colour never stands alone.
/// The tooltip says the bin under the pointer; a screen reader is told samples, medians and ranges.
class TimingPlot : public QChartView {
    Q_OBJECT

public:
    explicit TimingPlot(QWidget* parent = nullptr);

    /// One or two strips, the topmost first.
    void setStrips(const TimingStrips& strips);
    enum class Ink : unsigned char { full, stale };
    void setTheme(const Theme& theme, Ink ink);
    const TimingStrips& strips() const { return m_strips; }

protected:
    bool viewportEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    struct Row {
        QLineSeries *outline, *floor, *median;
        QAreaSeries* area;
    };
    void fillRow(const Row& row, std::size_t strip, double floor);
    void nameRows();

    TimingStrips m_strips;
    std::array<Row, 2> m_rows{};
    QValueAxis* m_x;
    QCategoryAxis* m_y;
};

} // namespace ptxwb::ui
