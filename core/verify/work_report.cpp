#include "verify/work_report.h"

#include "support/json_fields.h"
#include "verify/findings.h"
#include "verify/run_plan.h"

#include <nlohmann/json.hpp>

namespace ptxwb::verify {

using nlohmann::json;

namespace {

json cudaJson(const std::optional<CudaPlace>& cuda) {
    if (!cuda) return nullptr;
    return {{"file", cuda->file}, {"line", cuda->line}};
}

emulator::WorkCounts countsFrom(JsonFields& fields) {
    emulator::WorkCounts counts;
    emulator::eachWorkCount(counts, [&](const char* key, std::uint64_t& value) { fields.read(key, value); });
    return counts;
}

Expected<WorkLine> readLine(const JsonReader& reader) {
    WorkLine line;
    JsonFields fields(reader);
    fields.read("line", line.line);
    line.counts = countsFrom(fields);
    if (const auto found = reader.find("cuda")) {
        JsonFields place(*found);
        CudaPlace& cuda = line.cuda.emplace();
        place.read("file", cuda.file);
        place.read("line", cuda.line);
        fields.take(place.result(cuda), cuda);
    }
    return fields.result(std::move(line));
}

} // namespace

WorkReport workReport(const emulator::Work& work, const ptx::Module& module, const kernel::Symbols& sizes) {
    WorkReport report;
    report.sizes = withoutBuiltins(sizes);
    report.total = work.total;
    report.mix = work.mix;
    for (const emulator::LineCounts& line : work.lines)
        report.lines.push_back({line.line, cudaPlaceOf(module, line.line), line.counts});
    return report;
}

json toJson(const WorkReport& report) {
    json total = json::object(), mix = json::object(), lines = json::array();
    emulator::eachWorkCount(report.total, [&](const char* key, std::uint64_t value) { total[key] = value; });
    for (std::size_t i = 0; i < report.mix.size(); ++i) {
        const emulator::MixCounts& counts = report.mix[i];
        if (counts.warpInstructions)
            mix[std::string(name(static_cast<emulator::InstructionClass>(i)))] = {
                {"warp_instructions", counts.warpInstructions}, {"thread_instructions", counts.threadInstructions}};
    }
    for (const WorkLine& line : report.lines) {
        json one{{"line", line.line}, {"cuda", cudaJson(line.cuda)}};
        emulator::eachWorkCount(line.counts, [&](const char* key, std::uint64_t value) {
            if (value) one[key] = value;
        });
        lines.push_back(std::move(one));
    }
    return {{"set", report.sizes}, {"total", std::move(total)}, {"mix", std::move(mix)}, {"lines", std::move(lines)}};
}

Expected<WorkReport> workReportFrom(const JsonReader& reader) {
    WorkReport report;
    JsonFields fields(reader);
    if (const auto sizes = reader.find("set")) {
        const auto members = sizes->members();
        if (!members) return std::unexpected(members.error());
        for (const auto& [symbol, size] : *members) fields.take(size.integer(), report.sizes[symbol]);
    }
    if (const auto total = reader.find("total")) {
        JsonFields counts(*total);
        report.total = countsFrom(counts);
        fields.take(counts.result(report.total), report.total);
    }
    for (std::size_t i = 0; i < report.mix.size(); ++i) {
        const auto mix = reader.find("mix");
        const auto found = mix ? mix->find(name(static_cast<emulator::InstructionClass>(i))) : std::nullopt;
        if (!found) continue;
        JsonFields counts(*found);
        counts.read("warp_instructions", report.mix[i].warpInstructions);
        counts.read("thread_instructions", report.mix[i].threadInstructions);
        fields.take(counts.result(report.mix[i]), report.mix[i]);
    }
    fields.readList("lines", report.lines, readLine);
    return fields.result(std::move(report));
}

} // namespace ptxwb::verify
