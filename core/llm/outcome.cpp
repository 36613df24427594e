#include "llm/outcome.h"

#include "support/finding_json.h"
#include "support/json_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

Expected<StageOutcome> stageOf(const JsonReader& reader) {
    JsonFields fields(reader);
    StageOutcome stage;
    fields.read("stage", stage.stage);
    fields.read("status", stage.status);
    fields.read("backend", stage.backend);
    fields.read("reason", stage.reason);
    fields.readList("findings", stage.findings, [](const JsonReader& one) { return findingFromJson(one.value()); });
    return fields.result(std::move(stage));
}

Expected<ResourceFigures> resourcesOf(const JsonReader& reader) {
    JsonFields fields(reader);
    ResourceFigures figures;
    fields.read("arch", figures.arch);
    fields.read("entry", figures.entry);
    fields.read("registers", figures.registers);
    fields.read("stack_bytes", figures.stackBytes);
    fields.read("spill_store_bytes", figures.spillStoreBytes);
    fields.read("spill_load_bytes", figures.spillLoadBytes);
    fields.read("static_shared_bytes", figures.staticSharedBytes);
    fields.read("barriers", figures.barriers);
    return fields.result(std::move(figures));
}

Expected<OccupancyFigures> occupancyOf(const JsonReader& reader) {
    JsonFields fields(reader);
    OccupancyFigures figures;
    fields.read("arch", figures.arch);
    fields.read("limiter", figures.limiter);
    fields.read("block", figures.block);
    fields.read("blocks_per_sm", figures.blocksPerSm);
    fields.read("warps_per_sm", figures.warpsPerSm);
    fields.read("percent", figures.percent);
    return fields.result(std::move(figures));
}

std::uint64_t counter(const Outcome& outcome, std::string_view name) {
    for (const auto& [key, value] : outcome.counters)
        if (key == name) return value;
    return 0;
}

} // namespace

const StageOutcome* Outcome::firstFailure() const {
    const auto failed = std::ranges::find(stages, "fail", &StageOutcome::status);
    return failed == stages.end() ? nullptr : &*failed;
}

const StageOutcome* Outcome::stage(std::string_view name) const {
    const auto found = std::ranges::find(stages, name, &StageOutcome::stage);
    return found == stages.end() ? nullptr : &*found;
}

Expected<Outcome> outcomeFromJson(const json& result) {
    JsonFields fields{JsonReader(result)};
    Outcome outcome;
    fields.read("verdict", outcome.verdict);
    fields.read("text_sha256", outcome.textSha256);
    fields.readList("stages", outcome.stages, stageOf);
    fields.readList("resources", outcome.resources, resourcesOf);
    fields.readList("occupancy", outcome.occupancy, occupancyOf);
    if (const auto evidence = fields.reader().find("evidence")) {
        JsonFields inner(*evidence);
        inner.read("device", outcome.device);
    }
    if (const auto timing = fields.reader().find("timing")) {
        JsonFields inner(*timing);
        inner.read("median_us", outcome.medianUs);
    }
    if (const auto speedup = fields.reader().find("speedup")) {
        JsonFields inner(*speedup);
        SpeedFigures figures;
        inner.read("ratio", figures.ratio);
        inner.read("low", figures.low);
        inner.read("high", figures.high);
        inner.read("call", figures.call);
        outcome.speedup = figures;
    }
    return fields.result(std::move(outcome));
}

bool isBetter(const Outcome& a, const Outcome& b) {
    if (a.passed() != b.passed()) return a.passed();
    if (a.speedup && b.speedup) return a.speedup->ratio > b.speedup->ratio;
    if (a.medianUs && b.medianUs) return *a.medianUs < *b.medianUs;
    for (const char* name : {"warp_instructions", "global_load_bytes"}) {
        const std::uint64_t one = counter(a, name), other = counter(b, name);
        if (one != 0 && other != 0 && one != other) return one < other;
    }
    if (!a.resources.empty() && !b.resources.empty())
        return a.resources.front().registers < b.resources.front().registers;
    return false;
}

} // namespace ptxwb::llm
