// What the counters panel says of a profile, as texts, without a widget.
// Used by CountersPanel.
#pragma once

#include "panels/figure_table.h"
#include "verify/profile_report.h"

namespace ptxwb::ui {

struct CounterFigures {
    QStringList columns; ///< "vectorized", "baseline", "difference"; one where there is no candidate
    std::vector<FigureRow> rows;
    QString measuredOn; ///< the GPU, the size, how often the kernel was replayed
    QString unknown;    ///< metrics that the chip does not have; may be empty
};

/// `report` has at least one kernel. Metrics that explain kernels come first, in a fixed order with words for names;
/// others follow by their own names. The difference is relative, of percentages in percentage points.
CounterFigures counterFigures(const verify::ProfileReport& report);

} // namespace ptxwb::ui
