// The parts of the HTML report, each as text. All that comes from files or models is escaped here.
// Shared by html*.cpp only.
#pragma once

#include "report/report.h"

namespace ptxwb::report {

/// The style sheet: colours of both themes as custom properties of :root, everything else in terms of them.
std::string_view styleSheet();

/// A table of two columns, empty where there are no facts.
std::string factsTable(const std::vector<Fact>& facts);
/// A coloured word for a verdict, status or call: `kind` is one of pass, fail, open, stale.
std::string badge(std::string_view kind, std::string_view word);
std::string standingBadge(Standing standing);
std::string formatUs(double microseconds);

/// One sample a round for candidate and baseline, with both medians, as SVG. Empty without samples.
std::string samplesPlot(const Subject& subject);
/// Occupancy of every judged text, one bar each, as SVG. Empty where there is none.
std::string occupancyPlot(const Report& report);

/// Side by side with the baseline, unchanged stretches folded.
std::string comparisonHtml(const Subject& baseline, const Subject& subject);

// Sections, each with its heading.
std::string summarySection(const Report& report);
std::string kernelSection(const Report& report);
std::string figuresSection(const Report& report);
std::string timingSection(const Report& report);
std::string subjectSection(const Report& report, const Subject& subject);
std::string reviewSection(const Report& report);
std::string hashesSection(const Report& report);
std::string replaySection(const Report& report);

} // namespace ptxwb::report
