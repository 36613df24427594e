#include "worker/recording_json.h"

#include "support/finding_json.h"
#include "support/json_fields.h"
#include "worker/base64.h"

#include <nlohmann/json.hpp>

namespace ptxwb::worker {

using nlohmann::json;

json toJson(const emulator::Recording& recording) {
    json findings = json::array();
    for (const Finding& finding : recording.findings) findings.push_back(ptxwb::toJson(finding));
    const std::vector<std::uint8_t> bytes = emulator::pack(recording);
    return {{"block", recording.block},
            {"warp", recording.warp},
            {"steps", recording.steps.size()},
            {"stopped_early", recording.stoppedEarly.empty() ? json(nullptr) : json(recording.stoppedEarly)},
            {"findings", std::move(findings)},
            {"data", toBase64({reinterpret_cast<const char*>(bytes.data()), bytes.size()})}};
}

Expected<emulator::Recording> recordingFromJson(const json& value) {
    const JsonReader reader(value);
    const auto data = reader.text("data");
    if (!data) return std::unexpected(data.error());
    const auto bytes = fromBase64(*data);
    if (!bytes) return std::unexpected(bytes.error());
    std::vector<Finding> findings;
    JsonFields fields(reader);
    fields.readList("findings", findings, [](const JsonReader& one) { return findingFromJson(one.value()); });
    auto read = fields.result(std::move(findings));
    if (!read) return std::unexpected(std::move(read.error()));
    return emulator::unpack({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()}, std::move(*read));
}

} // namespace ptxwb::worker
