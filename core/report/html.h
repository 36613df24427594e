// The review report as one HTML file that needs nothing else: no network, no script, light and dark.
// Called by `ptxwb report` and the window's export.
#pragma once

#include "report/report.h"

namespace ptxwb::report {

/// Well-formed XML too, so that it can be read by any XML parser. Ends with a newline.
std::string toHtml(const Report& report);

} // namespace ptxwb::report
