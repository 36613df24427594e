// The figures of a benchmark, a row for each, the candidate's beside the baseline's.
// Used by the timing panel.
#pragma once

#include "panels/timing_figures.h"

#include <QTableWidget>

namespace ptxwb::ui {

/// As wide as its dock and as high as its rows: what is long is wrapped, and the panel around it scrolls.
class TimingTable : public QTableWidget {
    Q_OBJECT

public:
    explicit TimingTable(QWidget* parent = nullptr);

    /// Without a baseline to compare with it has one column.
    void setFigures(const TimingFigures& figures, const QString& candidate, session::Freshness freshness);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void fillColumn(int column, const QString& who, const std::vector<TimingRow>& rows, QString TimingRow::* text,
                    session::Freshness freshness);
    void copy() const;
    void fit(); ///< texts of the header to its width, the height to the rows
};

} // namespace ptxwb::ui
