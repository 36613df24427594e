// Replay reports for the worker protocol.
#include "verify/replay.h"

#include "support/finding_json.h"
#include "support/json_fields.h"

#include <nlohmann/json.hpp>

namespace ptxwb::verify {

using nlohmann::json;

namespace {

json toJson(const OutputMap& map) {
    return {{"argument", map.argument},
            {"shape", map.shape},
            {"elements", map.elements},
            {"wrong", map.wrong},
            {"width", map.width},
            {"cell_width", map.cellWidth},
            {"cell_height", map.cellHeight},
            {"columns", map.columns},
            {"rows", map.rows},
            {"cells", map.cells}};
}

Expected<OutputMap> readOutput(const JsonReader& reader) {
    OutputMap map;
    std::vector<std::uint64_t> cells;
    JsonFields fields(reader);
    fields.read("argument", map.argument);
    fields.read("shape", map.shape);
    fields.read("elements", map.elements);
    fields.read("wrong", map.wrong);
    fields.read("width", map.width);
    fields.read("cell_width", map.cellWidth);
    fields.read("cell_height", map.cellHeight);
    fields.read("columns", map.columns);
    fields.read("rows", map.rows);
    fields.read("cells", cells);
    map.cells.assign(cells.begin(), cells.end());
    // Whoever draws it must be able to rely on these.
    const bool fits = map.columns <= mostCells && map.rows <= mostCells && map.width > 0 && map.cellWidth > 0 &&
                      map.cellHeight > 0 && map.cells.size() == std::size_t{map.columns} * map.rows;
    if (!fits) fields.note(reader.fail("expected as many cells as rows times columns").error());
    return fields.result(std::move(map));
}

} // namespace

json toJson(const ReplayReport& report) {
    json findings = json::array(), outputs = json::array();
    for (const Finding& finding : report.findings) findings.push_back(ptxwb::toJson(finding));
    for (const OutputMap& map : report.outputs) outputs.push_back(toJson(map));
    return {{"schema", 1},
            {"case", toJson(report.run)},
            {"backend", "emulator"},
            {"completed", report.completed},
            {"findings", std::move(findings)},
            {"outputs", std::move(outputs)},
            {"reference", report.reference},
            {"not_compared", report.notCompared}};
}

Expected<ReplayReport> replayReportFromJson(const json& value) {
    const JsonReader reader(value);
    ReplayReport report;
    JsonFields fields(reader);
    if (const auto run = reader.find("case")) fields.take(runCaseFromJson(run->value()), report.run);
    fields.take(reader.booleanOr("completed", false), report.completed);
    fields.readList("findings", report.findings, [](const JsonReader& one) { return findingFromJson(one.value()); });
    fields.readList("outputs", report.outputs, readOutput);
    fields.read("reference", report.reference);
    fields.read("not_compared", report.notCompared);
    return fields.result(std::move(report));
}

} // namespace ptxwb::verify
