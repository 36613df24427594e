// Two sets of samples as histograms over one axis: bins, ticks, what lies outside. Without a widget.
// Made by the timing panel, drawn by TimingPlot.
#pragma once

#include <QString>

#include <vector>

namespace ptxwb::ui {

enum class TimingRole : unsigned char { candidate, baseline };

/// Of one kernel, in microseconds.
struct TimingSamples {
    QString name;
    std::vector<double> us;
    TimingRole role = TimingRole::candidate;
};

struct TimingStrip {
    QString name;
    TimingRole role = TimingRole::candidate;
    std::vector<unsigned> counts; ///< for each bin
    std::size_t samples = 0;
    double median = 0;             ///< microseconds
    unsigned below = 0, above = 0; ///< outside of the axis
    double share(std::size_t bin) const { return samples ? double(counts[bin]) / double(samples) : 0; }
};

/// The axis begins at `low` and has as many bins of `binWidth` as each strip has counts; all in microseconds.
struct TimingStrips {
    double low = 0, binWidth = 1, tick = 1;
    int decimals = 0; ///< that the ticks' labels need
    std::vector<TimingStrip> strips;

    double high() const { return low + binWidth * double(strips.empty() ? 1 : strips.front().counts.size()); }
    double largestShare() const;
};

/// The smallest of 1, 2 and 5 times a power of ten that is not under `least`.
double niceStep(double least);

/// Few samples far outside would make a line of all others: the axis holds what lies within five times the way from p10
/// to p90 around each median (at least 2 % of it); the others are counted. Bins are as wide as the number of samples
/// bears (about Freedman and Diaconis' rule), and at most 80. Empty samples are left out.
TimingStrips timingStrips(const std::vector<TimingSamples>& all);

/// "2 of 110 samples of baseline lie above 260.0 us and are not shown." Empty where all are.
QString outsideText(const TimingStrips& strips);

/// For a screen reader: samples, median, range of each.
QString stripsDescription(const TimingStrips& strips);

/// "186.0 to 187.0 us: 40 of 110 samples of candidate"; empty outside of the axis.
QString binText(const TimingStrips& strips, std::size_t strip, double us);

} // namespace ptxwb::ui
