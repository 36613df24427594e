// The review report as Markdown (GitHub's dialect) for a pull request or a wiki.
// Called by `ptxwb report` and the window's export.
#pragma once

#include "report/report.h"

namespace ptxwb::report {

std::string toMarkdown(const Report& report);

} // namespace ptxwb::report
