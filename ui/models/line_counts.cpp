#include "models/line_counts.h"

#include "ptx/analysis/liveness.h"
#include "ptx/analysis/uniformity.h"

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

/// The words of 32 bits, and the predicates where there are any.
LineCount ofPressure(const ptx::Pressure& pressure, std::uint32_t most) {
    return {0,
            pressure.predicates ? QStringLiteral("%1+%2p").arg(pressure.words).arg(pressure.predicates)
                                : QString::number(pressure.words),
            tr("%1 registers of 32 bits and %2 predicates hold values that are still needed. ptxas may allot more or "
               "fewer: it moves instructions.")
                .arg(pressure.words)
                .arg(pressure.predicates),
            ratio(pressure.words, most)};
}

/// A branch that may part a warp, an instruction that part of a warp reaches, a guard that may differ.
std::optional<LineCount> ofDivergence(const ptx::Function& function, const ptx::ControlFlow& flow,
                                      const ptx::Uniformity& uniformity, std::uint32_t i) {
    const ptx::Instruction& instruction = function.instructions[i];
    if (uniformity.divergentBranch[i])
        return LineCount{0, QStringLiteral("\u2442"), tr("Lanes of one warp may go different ways here."), 1};
    const bool apart = uniformity.divergentInside[flow.blockOf[i]];
    const bool guarded = instruction.guard != ptx::noIndex;
    const bool differs = guarded && uniformity.divergentRegister[instruction.guard];
    if (differs)
        return LineCount{0, apart ? QStringLiteral("@\u2260 \u2026") : QStringLiteral("@\u2260"),
                         tr("The predicate may differ between lanes of a warp: some execute it, the others wait."),
                         0.6};
    if (apart)
        return LineCount{0, guarded ? QStringLiteral("@= \u2026") : QStringLiteral("\u2026"),
                         tr("Only a part of a warp's lanes may be here."), 0.4};
    if (guarded) return LineCount{0, QStringLiteral("@="), tr("The predicate is the same in all lanes of a warp."), 0};
    return std::nullopt;
}

} // namespace

std::vector<LineCount> staticLineCounts(CountKind kind, const ptx::Module& module) {
    std::vector<LineCount> counts;
    for (const ptx::Function& function : module.functions) {
        if (!function.hasBody || function.instructions.empty()) continue;
        const ptx::ControlFlow flow = ptx::controlFlow(module, function);
        const auto add = [&](LineCount one, std::uint32_t i) {
            one.line = static_cast<int>(module.lineOf(function.instructions[i].opcodeSpan.offset));
            counts.push_back(std::move(one));
        };
        if (kind == CountKind::pressure) {
            const auto pressure = ptx::registerPressure(function, flow, ptx::liveness(function, flow));
            std::uint32_t most = 1;
            for (const ptx::Pressure& one : pressure) most = std::max(most, one.words);
            for (std::uint32_t i = 0; i < pressure.size(); ++i) add(ofPressure(pressure[i], most), i);
        } else if (kind == CountKind::divergence) {
            const ptx::Uniformity uniformity = ptx::uniformity(module, function, flow);
            for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
                if (auto one = ofDivergence(function, flow, uniformity, i)) add(std::move(*one), i);
        }
    }
    return counts;
}

QString title(CountKind kind) {
    switch (kind) {
    case CountKind::executed: return tr("Executed warps (emulator)");
    case CountKind::sectors: return tr("Global sectors (emulator)");
    case CountKind::wavefronts: return tr("Shared wavefronts (emulator)");
    case CountKind::samples: return tr("Samples (GPU)");
    case CountKind::pressure: return tr("Live registers");
    case CountKind::divergence: return tr("Predicates and divergence");
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
    case CountKind::pressure: return tr("How many registers hold a value that is still needed");
    case CountKind::divergence: return tr("Where lanes of a warp may part, and what they do apart");
    case CountKind::none: break;
    }
    return tr("Nothing beside the lines");
}

std::vector<LineCount> lineCounts(CountKind kind, const verify::WorkReport* work, const verify::PcSampling* sampling) {
    if (kind == CountKind::samples) return sampling ? ofSampling(*sampling) : std::vector<LineCount>{};
    return kind != CountKind::none && work ? ofWork(kind, *work) : std::vector<LineCount>{};
}

} // namespace ptxwb::ui
