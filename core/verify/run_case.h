// One launch of a stage as it is told: which sizes and inputs, and what became of it.
// Made by the stages that run kernels; carried in their results; shown as sizes against distributions, and run again.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::verify {

enum class CaseStatus : std::uint8_t { pass, fail, leftOut };
std::string_view name(CaseStatus status); ///< "pass", "fail", "left_out"
std::optional<CaseStatus> caseStatus(std::string_view name);

/// `set`, `fill` and `seed` are those that findings of this launch have.
struct RunCase {
    std::map<std::string, std::int64_t> set;
    std::string fill; ///< "normal", "special", ...
    std::uint64_t seed = 0;
    std::string purpose; ///< the check that the launch was made for: "sizes", "fills", "aliasing", ...
    CaseStatus status = CaseStatus::pass;
    bool asAllocated = false; ///< buffers at multiples of 256 bytes, beyond what the spec grants

    bool operator==(const RunCase&) const = default;
};

nlohmann::json toJson(const RunCase& runCase);
/// Errors name the key.
Expected<RunCase> runCaseFromJson(const nlohmann::json& value);

} // namespace ptxwb::verify
