// Occupancy as a function of block size, registers or shared memory: the points of a plot, without a plot.
// Used by OccupancyPlot.
#pragma once

#include "gpu/occupancy.h"

#include <QList>
#include <QPointF>
#include <QString>

namespace ptxwb::ui {

/// x in threads, registers or KiB of shared memory (static and dynamic together); y in warps per SM.
struct OccupancyCurve {
    /// Corners from left to right. Each step holds up to and including its right end; y is 0 behind the last.
    QList<QPointF> corners;
    QPointF current;
    double xMax = 0, xTick = 0, yMax = 0, yTick = 0;
    QString what;        ///< "Threads per block"
    QString title;       ///< "Threads per block (now 256)"
    QString description; ///< the steps in words, for who does not see the plot
};

/// Every step is exact, as gpu::occupancy has it for each value between. Errors as gpu::occupancy.
Expected<OccupancyCurve> occupancyCurve(const gpu::Architecture& arch, const gpu::OccupancyRequest& request,
                                        gpu::SweepOver over);

/// y at x; 0 outside.
double valueAt(const OccupancyCurve& curve, double x);

} // namespace ptxwb::ui
