#include "verify/profile_report.h"

#include "support/json_fields.h"

#include <nlohmann/json.hpp>

namespace ptxwb::verify {

using nlohmann::json;

namespace {

Expected<std::pair<std::uint64_t, std::uint64_t>> instructionFrom(const JsonReader& reader) {
    std::pair<std::uint64_t, std::uint64_t> instruction;
    JsonFields fields(reader);
    fields.read("offset", instruction.first);
    fields.read("samples", instruction.second);
    return fields.result(instruction);
}

Expected<SampledLine> lineFrom(const JsonReader& reader) {
    SampledLine line;
    JsonFields fields(reader);
    fields.read("line", line.line);
    fields.read("samples", line.samples);
    fields.readList("instructions", line.instructions, instructionFrom);
    if (const auto cuda = reader.find("cuda")) {
        JsonFields place(*cuda);
        place.read("file", line.cudaFile);
        place.read("line", line.cudaLine);
        if (auto read = place.result(true); !read) return std::unexpected(std::move(read.error()));
    }
    if (const auto stalls = reader.at("stalls")) {
        JsonFields counts(*stalls);
        const auto members = stalls->members();
        if (!members) return std::unexpected(members.error());
        for (const auto& [reason, count] : *members) counts.read(reason, line.stalls[reason]);
        if (auto read = counts.result(true); !read) return std::unexpected(std::move(read.error()));
    }
    return fields.result(std::move(line));
}

Expected<PcSampling> samplingFrom(const JsonReader& reader) {
    PcSampling sampling;
    JsonFields fields(reader);
    fields.read("samples", sampling.samples);
    fields.read("dropped", sampling.dropped);
    fields.read("launches", sampling.launches);
    fields.readList("lines", sampling.lines, lineFrom);
    return fields.result(std::move(sampling));
}

Expected<ProfiledKernel> kernelFrom(const JsonReader& reader) {
    ProfiledKernel kernel;
    JsonFields fields(reader);
    fields.take(reader.text("candidate"), kernel.name);
    fields.read("passes", kernel.passes);
    if (const auto sampling = reader.find("sampling")) fields.take(samplingFrom(*sampling), kernel.sampling.emplace());
    fields.read("sampling_problem", kernel.samplingProblem);
    fields.read("launch", kernel.launch);
    const auto metrics = reader.at("metrics");
    if (!metrics) return std::unexpected(metrics.error());
    const auto members = metrics->members();
    if (!members) return std::unexpected(members.error());
    for (const auto& [metric, member] : *members)
        fields.take(member.number(), kernel.metrics.emplace_back(metric, 0).second);
    return fields.result(std::move(kernel));
}

json samplingJson(const PcSampling& sampling) {
    json lines = json::array();
    for (const SampledLine& line : sampling.lines) {
        json instructions = json::array();
        for (const auto& [offset, samples] : line.instructions)
            instructions.push_back({{"offset", offset}, {"samples", samples}});
        json cuda = nullptr;
        if (line.cudaLine > 0) cuda = {{"file", line.cudaFile}, {"line", line.cudaLine}};
        lines.push_back({{"line", line.line},
                         {"cuda", std::move(cuda)},
                         {"samples", line.samples},
                         {"stalls", line.stalls},
                         {"instructions", std::move(instructions)}});
    }
    return {{"samples", sampling.samples},
            {"dropped", sampling.dropped},
            {"launches", sampling.launches},
            {"lines", std::move(lines)}};
}

} // namespace

json toJson(const ProfileReport& report) {
    json kernels = json::array();
    for (const ProfiledKernel& kernel : report.kernels) {
        json metrics = json::object();
        for (const auto& [name, value] : kernel.metrics) metrics[name] = value;
        json one{{"candidate", kernel.name},
                 {"passes", kernel.passes},
                 {"metrics", std::move(metrics)},
                 {"sampling", kernel.sampling ? samplingJson(*kernel.sampling) : json(nullptr)}};
        if (!kernel.launch.empty()) one["launch"] = kernel.launch;
        if (!kernel.samplingProblem.empty()) one["sampling_problem"] = kernel.samplingProblem;
        kernels.push_back(std::move(one));
    }
    return {{"schema", 1},         {"kernel", report.kernel},       {"device", report.device},
            {"size", report.size}, {"results", std::move(kernels)}, {"unknown", report.unknown}};
}

Expected<ProfileReport> profileReportFromJson(const json& value) {
    const JsonReader reader(value);
    ProfileReport report;
    for (const auto& [key, field] :
         {std::pair{"kernel", &report.kernel}, std::pair{"device", &report.device}, std::pair{"size", &report.size}}) {
        auto text = reader.text(key);
        if (!text) return std::unexpected(std::move(text.error()));
        *field = std::move(*text);
    }
    const auto results = reader.elements("results");
    if (!results) return std::unexpected(results.error());
    for (const JsonReader& result : *results) {
        auto kernel = kernelFrom(result);
        if (!kernel) return std::unexpected(std::move(kernel.error()));
        report.kernels.push_back(std::move(*kernel));
    }
    const auto unknown = reader.at("unknown");
    if (!unknown) return std::unexpected(unknown.error());
    auto names = unknown->texts();
    if (!names) return std::unexpected(std::move(names.error()));
    report.unknown = std::move(*names);
    return report;
}

} // namespace ptxwb::verify
