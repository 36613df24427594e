#include "models/line_counts.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace ptxwb::ui {

namespace {

using emulator::WorkCounts;

QString tr(const char* text) {
    return QCoreApplication::translate("LineCounts", text);
}

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

QString number(double value) {
    return QString::number(value, 'f', value < 10 ? 1 : 0);
}

/// 1234567 is "1.23M".
QString shortCount(std::uint64_t count) {
    constexpr std::array units{"", "k", "M", "G", "T"};
    auto value = static_cast<double>(count);
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
    return unit == 0 ? QString::number(count) : QString::number(value, 'g', 3) + QLatin1String(units[unit]);
}

std::optional<LineCount> executed(const WorkCounts& c, std::uint64_t most) {
    if (c.warpInstructions == 0) return std::nullopt;
    return LineCount{0, shortCount(c.warpInstructions),
                     tr("executed by %1 warps, %2 of 32 lanes active in the mean")
                         .arg(c.warpInstructions)
                         .arg(number(ratio(c.threadInstructions, c.warpInstructions))),
                     ratio(c.warpInstructions, most)};
}

std::optional<LineCount> sectors(const WorkCounts& c) {
    if (c.globalRequests == 0) return std::nullopt;
    const double each = ratio(c.globalSectors, c.globalRequests), ideal = ratio(c.globalIdealSectors, c.globalRequests);
    return LineCount{0, QStringLiteral("%1/%2").arg(number(each), number(ideal)),
                     tr("%1 sectors of 32 bytes a request of a warp, %2 would do").arg(number(each), number(ideal)),
                     1 - ratio(c.globalIdealSectors, c.globalSectors)};
}

std::optional<LineCount> wavefronts(const WorkCounts& c) {
    if (c.sharedRequests == 0) return std::nullopt;
    const double each = ratio(c.sharedWavefronts, c.sharedRequests),
                 ideal = ratio(c.sharedIdealWavefronts, c.sharedRequests);
    return LineCount{0, QStringLiteral("%1/%2").arg(number(each), number(ideal)),
                     tr("%1 wavefronts a request of shared memory, %2 without bank conflicts; the worst has %3 ways")
                         .arg(number(each), number(ideal))
                         .arg(c.sharedWays),
                     1 - ratio(c.sharedIdealWavefronts, c.sharedWavefronts)};
}

std::vector<LineCount> ofWork(CountKind kind, const verify::WorkReport& work) {
    std::uint64_t most = 0;
    for (const verify::WorkLine& line : work.lines) most = std::max(most, line.counts.warpInstructions);
    std::vector<LineCount> counts;
    for (const verify::WorkLine& line : work.lines) {
        auto one = kind == CountKind::executed  ? executed(line.counts, most)
                   : kind == CountKind::sectors ? sectors(line.counts)
                                                : wavefronts(line.counts);
        if (!one) continue;
        one->line = static_cast<int>(line.line);
        counts.push_back(std::move(*one));
    }
    return counts;
}

std::vector<LineCount> ofSampling(const verify::PcSampling& sampling) {
    std::vector<LineCount> counts;
    for (const verify::SampledLine& line : sampling.lines) {
        if (line.line == 0) continue;
        const double share = ratio(line.samples, sampling.samples);
        const auto most = std::ranges::max_element(line.stalls, {}, [](const auto& stall) { return stall.second; });
        const QString why = most == line.stalls.end() ? QString() : QString::fromStdString(most->first);
        counts.push_back({static_cast<int>(line.line), QString::number(share * 100, 'f', 1) + QStringLiteral(" %"),
                          tr("%1 samples of the GPU, mostly %2").arg(line.samples).arg(why), share});
    }
    return counts;
}

} // namespace

QString title(CountKind kind) {
    switch (kind) {
    case CountKind::executed: return tr("Executed warps (emulator)");
    case CountKind::sectors: return tr("Global sectors (emulator)");
    case CountKind::wavefronts: return tr("Shared wavefronts (emulator)");
    case CountKind::samples: return tr("Samples (GPU)");
    case CountKind::none: break;
    }
    return tr("None");
}

QString meaning(CountKind kind) {
    switch (kind) {
    case CountKind::executed: return tr("How many warps executed the line");
    case CountKind::sectors: return tr("Sectors a request of global memory, and how few would do");
    case CountKind::wavefronts: return tr("Wavefronts a request of shared memory, and how few would do");
    case CountKind::samples: return tr("Share of the samples at which warps stood at the line");
    case CountKind::none: break;
    }
    return tr("Nothing beside the lines");
}

std::vector<LineCount> lineCounts(CountKind kind, const verify::WorkReport* work, const verify::PcSampling* sampling) {
    if (kind == CountKind::samples) return sampling ? ofSampling(*sampling) : std::vector<LineCount>{};
    return kind != CountKind::none && work ? ofWork(kind, *work) : std::vector<LineCount>{};
}

} // namespace ptxwb::ui
