#include "verify/profile_report.h"

#include "support/json.h"

#include <nlohmann/json.hpp>

namespace ptxwb::verify {

namespace {

Expected<ProfiledKernel> kernelFrom(const JsonReader& reader) {
    ProfiledKernel kernel;
    auto name = reader.text("candidate");
    if (!name) return std::unexpected(std::move(name.error()));
    kernel.name = std::move(*name);
    const auto passes = reader.integer("passes");
    if (!passes) return std::unexpected(passes.error());
    if (*passes < 0) return reader.at("passes")->fail("a number of replays is not negative");
    kernel.passes = static_cast<std::size_t>(*passes);
    const auto metrics = reader.at("metrics");
    if (!metrics) return std::unexpected(metrics.error());
    const auto members = metrics->members();
    if (!members) return std::unexpected(members.error());
    for (const auto& [metric, member] : *members) {
        const auto value = member.number();
        if (!value) return std::unexpected(value.error());
        kernel.metrics.emplace_back(metric, *value);
    }
    return kernel;
}

} // namespace

nlohmann::json toJson(const ProfileReport& report) {
    nlohmann::json kernels = nlohmann::json::array();
    for (const ProfiledKernel& kernel : report.kernels) {
        nlohmann::json metrics = nlohmann::json::object();
        for (const auto& [name, value] : kernel.metrics) metrics[name] = value;
        kernels.push_back({{"candidate", kernel.name}, {"passes", kernel.passes}, {"metrics", std::move(metrics)}});
    }
    return {{"schema", 1},         {"kernel", report.kernel},       {"device", report.device},
            {"size", report.size}, {"results", std::move(kernels)}, {"unknown", report.unknown}};
}

Expected<ProfileReport> profileReportFromJson(const nlohmann::json& value) {
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
