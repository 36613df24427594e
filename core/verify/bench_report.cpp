#include "verify/bench_report.h"

#include "support/json_fields.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> modeNames{"cold", "hot", "graph"};

json orNull(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

json orNull(const std::optional<double>& number) {
    return number ? json(*number) : json(nullptr);
}

json figureToJson(const BenchFigure& figure) {
    const bool isPaired = !figure.against.empty();
    return {{"median_us", figure.medianUs},
            {"against", orNull(figure.against)},
            {"against_us", isPaired ? json(figure.againstUs) : json(nullptr)},
            {"ratio", isPaired ? json(figure.ratio) : json(nullptr)},
            {"low", orNull(figure.low)},
            {"high", orNull(figure.high)},
            {"call", orNull(figure.call)}};
}

Expected<BenchFigure> readFigure(const JsonReader& reader) {
    BenchFigure figure;
    JsonFields fields(reader);
    fields.read("median_us", figure.medianUs);
    fields.read("against", figure.against);
    fields.read("against_us", figure.againstUs);
    fields.read("ratio", figure.ratio);
    fields.read("low", figure.low);
    fields.read("high", figure.high);
    fields.read("call", figure.call);
    return fields.result(std::move(figure));
}

} // namespace

std::string_view name(BenchMode mode) {
    return modeNames.at(static_cast<std::size_t>(mode));
}

std::optional<BenchMode> benchMode(std::string_view name) {
    const auto hit = std::ranges::find(modeNames, name);
    if (hit == modeNames.end()) return std::nullopt;
    return static_cast<BenchMode>(hit - modeNames.begin());
}

json toJson(const BenchReport& report) {
    return {{"schema", 1},
            {"kernel", report.kernel},
            {"device", report.device},
            {"driver", orNull(report.driver)},
            {"size", orNull(report.size)},
            {"seed", report.seed},
            {"candidate", report.candidate},
            {"mode", name(report.mode)},
            {"stage", toJson(report.stage)},
            {"timing", toJson(report.timing)},
            {"figure", report.figure ? figureToJson(*report.figure) : json(nullptr)}};
}

Expected<BenchReport> benchReportFromJson(const json& value) {
    const JsonReader reader(value);
    BenchReport report;
    std::string mode;
    JsonFields fields(reader);
    fields.take(reader.text("kernel"), report.kernel);
    fields.take(reader.text("device"), report.device);
    fields.read("driver", report.driver);
    fields.read("size", report.size);
    fields.read("seed", report.seed);
    fields.take(reader.text("candidate"), report.candidate);
    fields.take(reader.text("mode"), mode);
    if (const auto known = benchMode(mode))
        report.mode = *known;
    else
        fields.note(reader.fail(fmt::format("unknown mode \"{}\"", mode), "cold, hot or graph").error());
    if (const auto stage = reader.at("stage"))
        fields.take(stageResultFromJson(stage->value()), report.stage);
    else
        fields.note(stage.error());
    if (const auto timing = reader.find("timing"))
        fields.take(timingFromJson(timing->value()), report.timing.emplace());
    if (const auto figure = reader.find("figure")) fields.take(readFigure(*figure), report.figure.emplace());
    return fields.result(std::move(report));
}

} // namespace ptxwb::verify
