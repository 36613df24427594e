#include "report/html_parts.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ptxwb::report {

namespace {

constexpr double width = 760;

/// From a value to a place on the screen, with marks at round values.
class Scale {
public:
    Scale(double low, double high, double from, double to) : m_from(from), m_to(to) {
        double span = high - low;
        if (!(span > 0)) span = std::max(std::abs(high) * 0.02, 1e-3);
        m_low = (low + high) / 2 - span * 0.55;
        m_high = (low + high) / 2 + span * 0.55;
    }
    double at(double value) const { return m_from + (value - m_low) / (m_high - m_low) * (m_to - m_from); }

    /// Values that are 1, 2 or 5 times a power of ten apart, about five of them.
    std::vector<double> marks() const {
        const double rough = (m_high - m_low) / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
        const double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
        std::vector<double> values;
        for (double i = std::ceil(m_low / step); i * step <= m_high && values.size() < 12; ++i)
            values.push_back(i * step);
        return values;
    }

private:
    double m_from, m_to, m_low = 0, m_high = 1;
};

/// "-0" of a rounded zero would be another byte on another machine.
std::string place(double value) {
    const std::string text = fmt::format("{:.1f}", value);
    return text == "-0.0" ? "0.0" : text;
}

std::vector<double> finite(const std::vector<double>& samples) {
    std::vector<double> kept;
    std::ranges::copy_if(samples, std::back_inserter(kept), [](double v) { return std::isfinite(v) && v < 1e15; });
    return kept;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string line(double x1, double y1, double x2, double y2, std::string_view cls) {
    return fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" />\n", cls, place(x1), place(y1),
                       place(x2), place(y2));
}

std::string label(double x, double y, std::string_view anchor, const std::string& text, std::string_view cls = "") {
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", place(x), place(y),
                       anchor, cls, html(text));
}

std::string open(double height, const std::string& title) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0}\" height=\"{1}\" "
                       "viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n",
                       width, height, html(title));
}

/// Whole characters, so many that they fit.
std::string shortened(const std::string& text, std::size_t most) {
    const std::string shown = visible(text);
    std::size_t bytes = 0, characters = 0;
    for (; bytes < shown.size(); ++bytes)
        if ((static_cast<unsigned char>(shown[bytes]) & 0xC0) != 0x80 && characters++ == most) break;
    return bytes == shown.size() ? shown : shown.substr(0, bytes) + "\xE2\x80\xA6";
}

} // namespace

std::string samplesPlot(const Subject& subject) {
    if (!subject.judgement || !subject.judgement->result.timing) return {};
    const verify::CandidateResult& result = subject.judgement->result;
    const auto own = finite(result.timing->samplesUs);
    const auto other = result.speedup ? finite(result.speedup->baselineSamplesUs) : std::vector<double>{};
    if (own.empty()) return {};
    constexpr double left = 76, right = width - 16, top = 30, bottom = 236, height = 270;
    auto all = own;
    all.insert(all.end(), other.begin(), other.end());
    const Scale vertical(*std::ranges::min_element(all), *std::ranges::max_element(all), bottom, top);
    const std::size_t rounds = std::max(own.size(), other.size());
    const auto x = [&](std::size_t round) {
        return rounds == 1
                   ? (left + right) / 2
                   : left + 8 + static_cast<double>(round) / static_cast<double>(rounds - 1) * (right - left - 16);
    };
    std::string svg = open(height, fmt::format("Time of each launch of {}, by round", subject.name));
    svg += "<g class=\"grid\">\n";
    for (const double mark : vertical.marks()) {
        svg += line(left, vertical.at(mark), right, vertical.at(mark), "axis");
        svg += label(left - 8, vertical.at(mark) + 4, "end", fmt::format("{:.6g} us", mark), "muted");
    }
    svg += "</g>\n";
    svg += label(left, height - 10, "start", "round 1", "muted");
    svg += label(right, height - 10, "end", fmt::format("round {}", rounds), "muted");
    for (std::size_t i = 0; i < other.size(); ++i)
        svg += fmt::format("<rect class=\"baseline\" x=\"{}\" y=\"{}\" width=\"5\" height=\"5\" />\n",
                           place(x(i) - 2.5), place(vertical.at(other[i]) - 2.5));
    for (std::size_t i = 0; i < own.size(); ++i)
        svg += fmt::format("<circle class=\"candidate\" cx=\"{}\" cy=\"{}\" r=\"3\" />\n", place(x(i)),
                           place(vertical.at(own[i])));
    svg += line(left, vertical.at(median(own)), right, vertical.at(median(own)), "median candidate");
    svg += fmt::format("<circle class=\"candidate\" cx=\"{}\" cy=\"12\" r=\"3\" />\n", place(left + 4));
    svg += label(left + 14, 16, "start", fmt::format("{}, median {:.6g} us", shortened(subject.name, 30), median(own)));
    if (!other.empty()) {
        svg += line(left, vertical.at(median(other)), right, vertical.at(median(other)), "median baseline");
        svg +=
            fmt::format("<rect class=\"baseline\" x=\"{}\" y=\"9.5\" width=\"5\" height=\"5\" />\n", place(left + 360));
        svg += label(left + 372, 16, "start",
                     fmt::format("{}, median {:.6g} us", shortened(result.speedup->against, 30), median(other)));
    }
    return svg + "</svg>\n";
}

std::string occupancyPlot(const Report& report) {
    struct Bar {
        std::string name, figure;
        double percent = 0;
    };
    std::vector<Bar> bars;
    for (const Subject& subject : report.subjects) {
        if (!subject.judgement) continue;
        for (const verify::OccupancyFigure& o : subject.judgement->result.occupancy)
            bars.push_back({fmt::format("{}, {}", shortened(subject.name, 24), shortened(o.arch, 8)),
                            fmt::format("{:.1f} %, limited by {}", o.percent, shortened(o.limiter, 12)),
                            std::isfinite(o.percent) ? std::clamp(o.percent, 0.0, 100.0) : 0.0});
    }
    if (bars.empty()) return {};
    constexpr double left = 240, full = 300, row = 24;
    std::string svg =
        open(static_cast<double>(bars.size()) * row + 8, "Occupancy: resident warps in percent of the most");
    double y = 4;
    for (const Bar& bar : bars) {
        svg += label(left - 10, y + 14, "end", bar.name);
        svg += fmt::format("<rect class=\"track\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" />\n", place(left),
                           place(y + 3), place(full));
        svg += fmt::format("<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" />\n", place(left),
                           place(y + 3), place(full * bar.percent / 100));
        svg += label(left + full + 10, y + 14, "start", bar.figure);
        y += row;
    }
    return svg + "</svg>\n";
}

} // namespace ptxwb::report
