#include "panels/counter_figures.h"

#include "models/candidate_figures.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace ptxwb::ui {

namespace {

const QString dash = QStringLiteral("–");

QString tr(const char* text) {
    return QCoreApplication::translate("CounterFigures", text);
}

enum class Unit : unsigned char { percent, nanoseconds, bytes, count, ratio };

/// Source: Nsight Compute, Profiling Guide, Metrics Reference.
struct KnownMetric {
    const char *metric, *name, *meaning;
    Unit unit;
};
#define STALL(reason) "smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio"
constexpr std::array known{
    KnownMetric{"gpu__time_duration.sum", QT_TRANSLATE_NOOP("CounterFigures", "Time, profiled"),
                QT_TRANSLATE_NOOP("CounterFigures",
                                  "One launch alone under the profiler; the Timing panel has the time that counts"),
                Unit::nanoseconds},
    KnownMetric{
        "sm__throughput.avg.pct_of_peak_sustained_elapsed", QT_TRANSLATE_NOOP("CounterFigures", "SM throughput"),
        QT_TRANSLATE_NOOP("CounterFigures", "The busiest unit of the multiprocessors, of its peak"), Unit::percent},
    KnownMetric{"dram__throughput.avg.pct_of_peak_sustained_elapsed",
                QT_TRANSLATE_NOOP("CounterFigures", "DRAM throughput"),
                QT_TRANSLATE_NOOP("CounterFigures", "Device memory, of its peak"), Unit::percent},
    KnownMetric{
        "sm__warps_active.avg.pct_of_peak_sustained_active", QT_TRANSLATE_NOOP("CounterFigures", "Achieved occupancy"),
        QT_TRANSLATE_NOOP("CounterFigures", "Warps resident on a multiprocessor, of what it can hold"), Unit::percent},
    KnownMetric{"dram__bytes_read.sum", QT_TRANSLATE_NOOP("CounterFigures", "DRAM read"),
                QT_TRANSLATE_NOOP("CounterFigures", "Bytes from device memory"), Unit::bytes},
    KnownMetric{"dram__bytes_write.sum", QT_TRANSLATE_NOOP("CounterFigures", "DRAM written"),
                QT_TRANSLATE_NOOP("CounterFigures", "Bytes to device memory"), Unit::bytes},
    KnownMetric{"l1tex__t_sector_hit_rate.pct", QT_TRANSLATE_NOOP("CounterFigures", "L1 hit rate"),
                QT_TRANSLATE_NOOP("CounterFigures", "Sectors found in the L1"), Unit::percent},
    KnownMetric{"lts__t_sector_hit_rate.pct", QT_TRANSLATE_NOOP("CounterFigures", "L2 hit rate"),
                QT_TRANSLATE_NOOP("CounterFigures", "Sectors found in the L2"), Unit::percent},
    KnownMetric{"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
                QT_TRANSLATE_NOOP("CounterFigures", "Sectors a load"),
                QT_TRANSLATE_NOOP("CounterFigures",
                                  "32-byte sectors that a warp's load from global memory asks for; a coalesced one of "
                                  "4 bytes a lane has 4, of 16 bytes 16"),
                Unit::ratio},
    KnownMetric{"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
                QT_TRANSLATE_NOOP("CounterFigures", "Sectors a store"),
                QT_TRANSLATE_NOOP("CounterFigures", "32-byte sectors that a warp's store to global memory writes"),
                Unit::ratio},
    KnownMetric{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
                QT_TRANSLATE_NOOP("CounterFigures", "Bank conflicts"),
                QT_TRANSLATE_NOOP("CounterFigures", "Additional passes of shared-memory accesses"), Unit::count},
    KnownMetric{"smsp__inst_executed.sum", QT_TRANSLATE_NOOP("CounterFigures", "Warp instructions"),
                QT_TRANSLATE_NOOP("CounterFigures", "Instructions executed, once a warp"), Unit::count},
    KnownMetric{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                QT_TRANSLATE_NOOP("CounterFigures", "Thread FFMA"),
                QT_TRANSLATE_NOOP("CounterFigures", "f32 fused multiply-adds, once a thread"), Unit::count},
    KnownMetric{"sm__inst_executed_pipe_tensor.sum", QT_TRANSLATE_NOOP("CounterFigures", "Tensor instructions"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warp instructions on the tensor pipe"), Unit::count},
    KnownMetric{STALL("long_scoreboard"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: long scoreboard"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warps that wait for global or local memory, an issue"),
                Unit::ratio},
    KnownMetric{STALL("short_scoreboard"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: short scoreboard"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warps that wait for shared memory or special functions, an issue"),
                Unit::ratio},
    KnownMetric{STALL("barrier"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: barrier"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warps that wait at a barrier of their block, an issue"),
                Unit::ratio},
    KnownMetric{STALL("math_pipe_throttle"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: math pipe"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warps that wait for an arithmetic pipe, an issue"), Unit::ratio},
    KnownMetric{
        STALL("lg_throttle"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: LG throttle"),
        QT_TRANSLATE_NOOP("CounterFigures", "Warps that wait for the queue of global memory accesses, an issue"),
        Unit::ratio},
    KnownMetric{STALL("mio_throttle"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: MIO throttle"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warps that wait for the queue of shared memory, shuffles and "
                                                    "special functions, an issue"),
                Unit::ratio},
    KnownMetric{STALL("wait"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: wait"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warps that wait for a fixed latency, an issue"), Unit::ratio},
    KnownMetric{STALL("not_selected"), QT_TRANSLATE_NOOP("CounterFigures", "Stall: not selected"),
                QT_TRANSLATE_NOOP("CounterFigures", "Warps that could go on while another was chosen, an issue"),
                Unit::ratio},
};
#undef STALL

const double* find(const verify::ProfiledKernel& kernel, std::string_view metric) {
    const auto found = std::ranges::find(kernel.metrics, metric, &std::pair<std::string, double>::first);
    return found == kernel.metrics.end() ? nullptr : &found->second;
}

/// 39845900 is "39.85 M".
QString scaled(double value, const char* unit) {
    constexpr std::array prefixes{"", "k", "M", "G", "T"};
    std::size_t step = 0;
    for (; std::abs(value) >= 999.95 && step + 1 < prefixes.size(); ++step) value /= 1000;
    const QString digits = step == 0 && value == std::floor(value) ? QString::number(value) : fourDigits(value);
    const QString suffix = QLatin1String(prefixes[step]) + QLatin1String(unit);
    return suffix.isEmpty() ? digits : digits + QLatin1Char(' ') + suffix;
}

QString valueText(const double* value, Unit unit) {
    if (!value || !std::isfinite(*value)) return dash;
    switch (unit) {
    case Unit::percent: return QStringLiteral("%1 %").arg(QString::number(*value, 'f', 1));
    case Unit::nanoseconds: return tr("%1 us").arg(fourDigits(*value / 1000));
    case Unit::bytes: return scaled(*value, "B");
    case Unit::count: return scaled(*value, "");
    case Unit::ratio: break;
    }
    return QString::number(*value, 'g', 4);
}

QString signedNumber(double value, int decimals) {
    const QString digits = QString::number(std::abs(value), 'f', decimals);
    const bool isZero = digits.toDouble() == 0;
    return isZero ? digits : (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + digits;
}

QString difference(const double* own, const double* base, Unit unit) {
    if (!own || !base || !std::isfinite(*own) || !std::isfinite(*base)) return dash;
    if (unit == Unit::percent) return tr("%1 pp").arg(signedNumber(*own - *base, 1));
    if (*own == *base) return QStringLiteral("0 %");
    if (*base == 0) return dash; // no share of nothing
    const double share = (*own / *base - 1) * 100;
    if (share >= 1000) return tr("%1 x").arg(fourDigits(*own / *base));
    return QStringLiteral("%1 %").arg(signedNumber(share, 1));
}

FigureRow rowOf(const verify::ProfileReport& report, const QString& name, const QString& meaning,
                const std::string& metric, Unit unit) {
    FigureRow row{name,
                  meaning.isEmpty() ? QString::fromStdString(metric)
                                    : meaning + QLatin1Char('\n') + QString::fromStdString(metric),
                  {}};
    const double* own = find(report.kernels.back(), metric);
    row.cells += valueText(own, unit);
    if (report.kernels.size() < 2) return row;
    const double* base = find(report.kernels.front(), metric);
    row.cells += valueText(base, unit);
    row.cells += difference(own, base, unit);
    return row;
}

} // namespace

CounterFigures counterFigures(const verify::ProfileReport& report) {
    CounterFigures figures;
    figures.columns += QString::fromStdString(report.kernels.back().name);
    if (report.kernels.size() > 1)
        figures.columns += {QString::fromStdString(report.kernels.front().name), tr("difference")};
    const auto& metrics = report.kernels.back().metrics;
    for (const KnownMetric& one : known)
        if (find(report.kernels.back(), one.metric))
            figures.rows.push_back(rowOf(report, tr(one.name), tr(one.meaning), one.metric, one.unit));
    for (const auto& [metric, value] : metrics)
        if (std::ranges::none_of(known, [&](const KnownMetric& one) { return metric == one.metric; }))
            figures.rows.push_back(rowOf(report, QString::fromStdString(metric), {}, metric, Unit::ratio));
    figures.measuredOn = tr("Counted on %1, %2, in %3 replays of the kernel.")
                             .arg(QString::fromStdString(report.device), QString::fromStdString(report.size),
                                  QString::number(report.kernels.back().passes));
    QStringList names;
    for (const std::string& name : report.unknown) names += QString::fromStdString(name);
    if (!names.isEmpty()) figures.unknown = tr("Not known to this chip: %1.").arg(names.join(QStringLiteral(", ")));
    return figures;
}

} // namespace ptxwb::ui
