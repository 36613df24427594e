#include "report/html.h"

#include "report/html_parts.h"
#include "report/text.h"

#include <fmt/format.h>

namespace ptxwb::report {

std::string toHtml(const Report& report) {
    // What a browser would fetch on its own is forbidden, the icon included.
    std::string out = fmt::format(R"(<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="generator" content="ptxwb {0}" />
<link rel="icon" href="data:," />
<title>{1}: review report</title>
<style>{2}</style>
</head>
<body>
)",
                                  html(report.program), html(report.kernel), styleSheet());
    out += summarySection(report) + kernelSection(report) + figuresSection(report) + timingSection(report);
    for (const Subject& subject : report.subjects) out += subjectSection(report, subject);
    out += reviewSection(report) + hashesSection(report) + replaySection(report);
    return out + "</body>\n</html>\n";
}

} // namespace ptxwb::report
