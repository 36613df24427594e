// The review report as JSON: resources/schemas/report.schema.json.
// Called by `ptxwb report` and the window's export.
#pragma once

#include "report/report.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::report {

nlohmann::json toJson(const Report& report);

} // namespace ptxwb::report
