#include "panels/hot_lines.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <array>

namespace ptxwb::ui {

namespace {

constexpr double leastPercent = 0.5;

QString tr(const char* text) {
    return QCoreApplication::translate("HotLines", text);
}

/// Source: Nsight Compute, Profiling Guide, Warp Stall Reasons.
struct Reason {
    const char *name, *meaning;
};
constexpr std::array reasons{
    Reason{"selected", QT_TRANSLATE_NOOP("HotLines", "issued: the warp did not wait")},
    Reason{"not_selected", QT_TRANSLATE_NOOP("HotLines", "could go on while another warp was chosen")},
    Reason{"long_scoreboard", QT_TRANSLATE_NOOP("HotLines", "waits for global or local memory")},
    Reason{"short_scoreboard", QT_TRANSLATE_NOOP("HotLines", "waits for shared memory or a special function")},
    Reason{"barrier", QT_TRANSLATE_NOOP("HotLines", "waits at a barrier of its block")},
    Reason{"membar", QT_TRANSLATE_NOOP("HotLines", "waits for a memory fence")},
    Reason{"math_pipe_throttle", QT_TRANSLATE_NOOP("HotLines", "waits for an arithmetic pipe")},
    Reason{"lg_throttle", QT_TRANSLATE_NOOP("HotLines", "waits for the queue of global memory accesses")},
    Reason{"mio_throttle",
           QT_TRANSLATE_NOOP("HotLines", "waits for the queue of shared memory, shuffles and special functions")},
    Reason{"tex_throttle", QT_TRANSLATE_NOOP("HotLines", "waits for the queue of texture accesses")},
    Reason{"wait", QT_TRANSLATE_NOOP("HotLines", "waits for a fixed latency")},
    Reason{"no_instructions", QT_TRANSLATE_NOOP("HotLines", "waits for its instructions to be fetched")},
    Reason{"branch_resolving", QT_TRANSLATE_NOOP("HotLines", "waits for a branch's target")},
    Reason{"dispatch_stall", QT_TRANSLATE_NOOP("HotLines", "was chosen, but could not be dispatched")},
    Reason{"drain", QT_TRANSLATE_NOOP("HotLines", "has ended and waits for its stores")},
    Reason{"imc_miss", QT_TRANSLATE_NOOP("HotLines", "waits for a constant")},
    Reason{"misc", QT_TRANSLATE_NOOP("HotLines", "waits for something else")},
    Reason{"sleeping", QT_TRANSLATE_NOOP("HotLines", "sleeps")},
    Reason{"gmma", QT_TRANSLATE_NOOP("HotLines", "waits for wgmma")},
    Reason{"warpgroup_arrive", QT_TRANSLATE_NOOP("HotLines", "waits for the other warps of its warpgroup")},
};

QString words(const std::string& reason) {
    return QString::fromStdString(reason).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString percentOf(std::uint64_t part, std::uint64_t whole) {
    return QStringLiteral("%1 %").arg(
        QString::number(100.0 * static_cast<double>(part) / static_cast<double>(whole), 'f', 0));
}

void describe(const verify::SampledLine& line, HotLine& to) {
    std::vector<std::pair<std::uint64_t, std::string>> stalls;
    for (const auto& [reason, samples] : line.stalls) stalls.emplace_back(samples, reason);
    std::ranges::sort(stalls, std::ranges::greater());
    if (stalls.empty()) return;
    to.waits = QStringLiteral("%1 %2").arg(words(stalls.front().second), percentOf(stalls.front().first, line.samples));
    QStringList lines;
    for (const auto& [samples, reason] : stalls) {
        const auto known = std::ranges::find(reasons, reason, [](const Reason& each) { return each.name; });
        const QString meaning = known == reasons.end() ? QString() : QStringLiteral(": ") + tr(known->meaning);
        lines += percentOf(samples, line.samples) + QLatin1Char(' ') + words(reason) + meaning;
    }
    to.meaning = lines.join(QLatin1Char('\n'));
}

} // namespace

std::vector<HotLine> hotLines(const verify::PcSampling& sampling, const std::string& ptx, std::size_t most) {
    const QStringList text = QString::fromStdString(ptx).split(QLatin1Char('\n'));
    std::vector<HotLine> lines;
    for (const verify::SampledLine& line : sampling.lines) {
        const double percent = 100.0 * static_cast<double>(line.samples) / static_cast<double>(sampling.samples);
        if (line.line == 0 || percent < leastPercent) continue;
        HotLine one;
        one.line = static_cast<int>(line.line);
        one.percent = percent;
        if (one.line <= text.size()) one.instruction = text[one.line - 1].simplified();
        if (line.cudaLine > 0)
            one.source = QStringLiteral("%1:%2")
                             .arg(QFileInfo(QString::fromStdString(line.cudaFile)).fileName())
                             .arg(line.cudaLine);
        describe(line, one);
        lines.push_back(std::move(one));
    }
    std::ranges::stable_sort(lines, std::ranges::greater(), &HotLine::percent);
    if (lines.size() > most) lines.resize(most);
    return lines;
}

} // namespace ptxwb::ui
