#include "panels/timing_strips.h"

#include "gpu/statistics.h"
#include "models/candidate_figures.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ptxwb::ui {

namespace {

constexpr double spreadsShown = 5, leastReach = 0.02;
constexpr double mostBins = 80, mostTicks = 4;

QString tr(const char* text) {
    return QCoreApplication::translate("TimingStrips", text);
}

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
};

Range shownRange(const std::vector<TimingSamples>& all) {
    Range shown;
    for (const TimingSamples& one : all) {
        const double middle = gpu::median(one.us);
        const double spread = gpu::quantile(one.us, 0.9) - gpu::quantile(one.us, 0.1);
        const double reach = std::max(spreadsShown * spread, leastReach * middle);
        for (const double us : one.us) {
            if (std::abs(us - middle) > reach) continue;
            shown.low = std::min(shown.low, us);
            shown.high = std::max(shown.high, us);
        }
    }
    return shown;
}

/// Half of what Freedman and Diaconis advise, as it is rounded up then; of the set that needs the finest.
double leastBinWidth(const std::vector<TimingSamples>& all) {
    double width = std::numeric_limits<double>::infinity();
    for (const TimingSamples& one : all) {
        const double middleHalf = gpu::quantile(one.us, 0.75) - gpu::quantile(one.us, 0.25);
        if (middleHalf > 0) width = std::min(width, middleHalf / std::cbrt(double(one.us.size())));
    }
    return std::isfinite(width) ? width : 0;
}

QString number(const TimingStrips& strips, double us) {
    // A bin may be finer than a tick.
    return QString::number(us, 'f', std::max(0, -int(std::floor(std::log10(strips.binWidth) + 1e-9))));
}

} // namespace

double niceStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

double TimingStrips::largestShare() const {
    double largest = 0;
    for (const TimingStrip& strip : strips)
        for (std::size_t bin = 0; bin < strip.counts.size(); ++bin) largest = std::max(largest, strip.share(bin));
    return largest;
}

TimingStrips timingStrips(const std::vector<TimingSamples>& given) {
    std::vector<TimingSamples> all;
    std::ranges::copy_if(given, std::back_inserter(all), [](const TimingSamples& one) { return !one.us.empty(); });
    TimingStrips made;
    if (all.empty()) return made;
    const Range shown = shownRange(all);
    // All alike: still an axis, and one bin in its middle.
    const double span = std::max({shown.high - shown.low, std::abs(shown.high) * 0.01, 1e-6});
    made.binWidth = niceStep(std::max(span / mostBins, std::min(leastBinWidth(all), span)));
    made.tick = niceStep(span / mostTicks);
    made.decimals = std::max(0, -int(std::floor(std::log10(made.tick) + 1e-9)));
    // Room at both sides, so that no bin stands on the frame.
    const double margin = span * 0.05;
    made.low = std::floor((shown.low - margin) / made.binWidth) * made.binWidth;
    const double high = std::ceil((shown.high + margin) / made.binWidth) * made.binWidth;
    const auto bins = static_cast<std::size_t>(std::max(1.0, std::round((high - made.low) / made.binWidth)));
    for (const TimingSamples& one : all) {
        TimingStrip& strip = made.strips.emplace_back();
        strip.name = one.name;
        strip.role = one.role;
        strip.samples = one.us.size();
        strip.median = gpu::median(one.us);
        strip.counts.resize(bins);
        for (const double us : one.us) {
            const double bin = std::floor((us - made.low) / made.binWidth + 1e-9);
            if (bin < 0)
                ++strip.below;
            else if (bin >= double(bins))
                ++strip.above;
            else
                ++strip.counts[static_cast<std::size_t>(bin)];
        }
    }
    return made;
}

QString outsideText(const TimingStrips& strips) {
    QStringList sentences;
    for (const TimingStrip& strip : strips.strips) {
        const auto say = [&](unsigned count, const char* where, double edge) {
            if (count > 0) sentences += tr(where).arg(count).arg(strip.samples).arg(strip.name, number(strips, edge));
        };
        say(strip.below, QT_TRANSLATE_NOOP("TimingStrips", "%1 of %2 samples of %3 below %4 us are not shown."),
            strips.low);
        say(strip.above, QT_TRANSLATE_NOOP("TimingStrips", "%1 of %2 samples of %3 above %4 us are not shown."),
            strips.high());
    }
    return sentences.join(QLatin1Char(' '));
}

QString stripsDescription(const TimingStrips& strips) {
    QStringList sentences;
    for (const TimingStrip& strip : strips.strips) {
        const auto filled = [](unsigned count) { return count > 0; };
        const auto first = std::ranges::find_if(strip.counts, filled);
        const auto last = std::find_if(strip.counts.rbegin(), strip.counts.rend(), filled);
        const auto from = double(first - strip.counts.begin()), to = double(strip.counts.rend() - last);
        sentences += tr("%1: %2 samples, median %3 us, from %4 to %5 us.")
                         .arg(strip.name)
                         .arg(strip.samples)
                         .arg(fourDigits(strip.median), number(strips, strips.low + from * strips.binWidth),
                              number(strips, strips.low + to * strips.binWidth));
    }
    if (const QString outside = outsideText(strips); !outside.isEmpty()) sentences += outside;
    return sentences.join(QLatin1Char('\n'));
}

QString binText(const TimingStrips& strips, std::size_t strip, double us) {
    if (strip >= strips.strips.size() || us < strips.low || us >= strips.high()) return {};
    const TimingStrip& one = strips.strips[strip];
    const double position = std::floor((us - strips.low) / strips.binWidth + 1e-9);
    const auto bin = std::min(static_cast<std::size_t>(position), one.counts.size() - 1);
    const double from = strips.low + double(bin) * strips.binWidth;
    return tr("%1 to %2 us: %3 of %4 samples of %5")
        .arg(number(strips, from), number(strips, from + strips.binWidth))
        .arg(one.counts[bin])
        .arg(one.samples)
        .arg(one.name);
}

} // namespace ptxwb::ui
