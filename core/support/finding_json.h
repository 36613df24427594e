// Findings and diagnostics as the JSON of `ptxwb verify --json` and of the worker protocol, and back.
// Called by worker, session and the command line.
#pragma once

#include "support/diagnostic.h"
#include "support/finding.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb {

/// An element of `findings`. What is absent is null (`argument`, `fill` and `hint` too where empty), so that every
/// element has the same keys. Not-a-number and infinities become "nan", "inf", "-inf".
nlohmann::json toJson(const Finding& finding);
Expected<Finding> findingFromJson(const nlohmann::json& value);

/// {"severity","cause","kind","message","hint","file","line","column","length","related":[{"file",...,"message"}]}
nlohmann::json toJson(const Diagnostic& diagnostic);
Expected<Diagnostic> diagnosticFromJson(const nlohmann::json& value);

/// "rejected", "badRequest" as "bad_request", "missing", "internal", "cancelled"
std::string_view name(Cause cause);

} // namespace ptxwb
