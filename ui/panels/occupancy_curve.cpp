#include "panels/occupancy_curve.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ptxwb::ui {

namespace {

using gpu::SweepOver;

constexpr int mostStepsInWords = 12;

QString tr(const char* text) {
    return QCoreApplication::translate("OccupancyCurve", text);
}

/// Occupancy is `warps` for all values up to `end`, from the end of the step before.
struct Step {
    std::uint32_t end = 0;
    std::uint32_t warps = 0;
};

/// The request with one value in place of its own. Shared memory counts as a whole: static and dynamic take the same.
gpu::OccupancyRequest with(gpu::OccupancyRequest request, SweepOver over, std::uint32_t value) {
    switch (over) {
    case SweepOver::block: request.block = value; break;
    case SweepOver::registers: request.registers = value; break;
    case SweepOver::shared:
        request.sharedStatic = 0;
        request.sharedDynamic = value;
        break;
    }
    return request;
}

std::uint32_t valueOf(const gpu::OccupancyRequest& request, SweepOver over) {
    switch (over) {
    case SweepOver::block: return request.block;
    case SweepOver::registers: return request.registers;
    case SweepOver::shared: return request.sharedStatic + request.sharedDynamic;
    }
    return 0;
}

class Stepper {
public:
    Stepper(const gpu::Architecture& arch, const gpu::OccupancyRequest& request, SweepOver over)
        : m_arch(arch), m_request(request), m_over(over) {}

    std::uint32_t warps(std::uint32_t value) const {
        const auto occupancy = gpu::occupancy(m_arch, with(m_request, m_over, value));
        return occupancy ? occupancy->warpsPerSm : 0;
    }

    std::vector<Step> steps() {
        switch (m_over) {
        case SweepOver::block: every(m_arch.warpSize, m_arch.warpSize, m_arch.maxThreadsPerBlock); break;
        case SweepOver::registers:
            every(1, m_arch.registerAllocationUnit / m_arch.warpSize, m_arch.maxRegistersPerThread);
            break;
        case SweepOver::shared:
            halve(0, warps(0), m_arch.sharedPerBlockOptIn, warps(m_arch.sharedPerBlockOptIn));
            break;
        }
        return std::move(m_steps);
    }

private:
    void add(std::uint32_t end, std::uint32_t value) {
        if (!m_steps.empty() && m_steps.back().warps == value)
            m_steps.back().end = end;
        else
            m_steps.push_back({end, value});
    }

    /// What lies between two multiples of `unit` is rounded up by the hardware.
    void every(std::uint32_t first, std::uint32_t unit, std::uint32_t last) {
        for (std::uint32_t end = std::max(first, unit); end < last; end += unit) add(end, warps(end));
        add(last, warps(last));
    }

    /// Never rises with shared memory: where both ends agree, so does all between.
    void halve(std::uint32_t from, std::uint32_t fromWarps, std::uint32_t to, std::uint32_t toWarps) {
        if (fromWarps == toWarps) return add(to, toWarps);
        if (to - from == 1) {
            add(from, fromWarps);
            return add(to, toWarps);
        }
        const std::uint32_t middle = from + (to - from) / 2, between = warps(middle);
        halve(from, fromWarps, middle, between);
        halve(middle, between, to, toWarps);
    }

    const gpu::Architecture& m_arch;
    const gpu::OccupancyRequest& m_request;
    SweepOver m_over;
    std::vector<Step> m_steps;
};

double shownX(SweepOver over, std::uint32_t value) {
    return over == SweepOver::shared ? value / 1024.0 : value;
}

QString number(double value) {
    return QString::number(value, 'f', value == std::floor(value) ? 0 : 1);
}

QString inWords(const OccupancyCurve& curve, const std::vector<Step>& steps, SweepOver over) {
    QStringList parts;
    for (const Step& step : steps) {
        if (parts.size() == mostStepsInWords) break;
        parts += tr("%1 warps up to %2").arg(step.warps).arg(number(shownX(over, step.end)));
    }
    QString text = tr("%1: %2 of %3 warps per SM. Steps: %4")
                       .arg(curve.title, number(curve.current.y()), number(curve.yMax), parts.join(tr(", ")));
    const auto left = static_cast<qsizetype>(steps.size()) - parts.size();
    if (left > 0) text += tr(", and %1 further steps").arg(left);
    return text;
}

} // namespace

Expected<OccupancyCurve> occupancyCurve(const gpu::Architecture& arch, const gpu::OccupancyRequest& request,
                                        SweepOver over) {
    const auto now = gpu::occupancy(arch, request);
    if (!now) return std::unexpected(now.error());
    const std::vector<Step> steps = Stepper(arch, request, over).steps();
    OccupancyCurve curve;
    double left = 0;
    for (const Step& step : steps) {
        const double right = shownX(over, step.end);
        curve.corners += {left, static_cast<double>(step.warps)};
        curve.corners += {right, static_cast<double>(step.warps)};
        left = right;
    }
    curve.current = {shownX(over, valueOf(request, over)), static_cast<double>(now->warpsPerSm)};
    curve.yMax = arch.maxWarpsPerSm;
    curve.yTick = curve.yMax / 4;
    switch (over) {
    case SweepOver::block:
        curve.what = tr("Threads per block");
        curve.xTick = 256;
        break;
    case SweepOver::registers:
        curve.what = tr("Registers per thread");
        curve.xTick = 64;
        break;
    case SweepOver::shared:
        curve.what = tr("Shared KiB per block");
        curve.xTick = left > 128 ? 64 : 32;
        break;
    }
    curve.xMax = std::ceil(std::max(left, curve.current.x()) / curve.xTick) * curve.xTick;
    curve.title = tr("%1 (now %2)").arg(curve.what, number(curve.current.x()));
    curve.description = inWords(curve, steps, over);
    return curve;
}

double valueAt(const OccupancyCurve& curve, double x) {
    if (x < 0) return 0;
    for (qsizetype i = 1; i < curve.corners.size(); i += 2)
        if (x <= curve.corners[i].x()) return curve.corners[i].y();
    return 0;
}

} // namespace ptxwb::ui
