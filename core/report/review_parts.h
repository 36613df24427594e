// The review as part of a report: decisions with whether they hold, checklist, comments with their threads.
// Shared by html.cpp, json.cpp and markdown.cpp.
#pragma once

#include "report/report.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::report {

nlohmann::json reviewToJson(const Report& report);
std::string reviewMarkdown(const Report& report);

/// The lines that a comment is about, as they are now or, where they are gone, as they were.
const std::vector<std::string>& linesOf(const session::Comment& comment);
/// What a comment's candidate is called.
const std::string& subjectName(const Report& report, const session::Comment& comment);

} // namespace ptxwb::report
