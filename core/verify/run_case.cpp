#include "verify/run_case.h"

#include "support/json_fields.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 3> names = {"pass", "fail", "left_out"};

} // namespace

std::string_view name(CaseStatus status) {
    return names[static_cast<std::size_t>(status)];
}

std::optional<CaseStatus> caseStatus(std::string_view wanted) {
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end()) return std::nullopt;
    return static_cast<CaseStatus>(found - names.begin());
}

json toJson(const RunCase& runCase) {
    json value{{"set", runCase.set},
               {"fill", runCase.fill},
               {"seed", runCase.seed},
               {"purpose", runCase.purpose},
               {"status", name(runCase.status)}};
    if (runCase.asAllocated) value["as_allocated"] = true;
    return value;
}

Expected<RunCase> runCaseFromJson(const json& value) {
    const JsonReader reader(value);
    RunCase result;
    JsonFields fields(reader);
    fields.read("fill", result.fill);
    fields.read("seed", result.seed);
    fields.read("purpose", result.purpose);
    if (const auto placed = reader.find("as_allocated")) fields.take(placed->boolean(), result.asAllocated);
    if (const auto set = reader.find("set")) {
        std::vector<std::pair<std::string, JsonReader>> members;
        fields.take(set->members(), members);
        for (const auto& [symbol, size] : members) fields.take(size.integer(), result.set[symbol]);
    }
    std::string status(names.front());
    fields.read("status", status);
    if (const auto known = caseStatus(status))
        result.status = *known;
    else
        fields.note(reader.fail(fmt::format("unknown status \"{}\"", status), "pass, fail or left_out").error());
    return fields.result(std::move(result));
}

} // namespace ptxwb::verify
