#include "verify/result.h"

#include "support/finding_json.h"
#include "support/json_fields.h"

#include <concepts>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

using nlohmann::json;

namespace {

constexpr int schema = 1;

json orNull(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

// One list of keys for reading and for writing; `each` is called with a key and its member.
template <class Resources, class Each>
    requires std::same_as<std::remove_const_t<Resources>, EntryResources>
void eachMember(Resources& r, Each&& each) {
    each("arch", r.arch);
    each("entry", r.entry);
    each("registers", r.registers);
    each("stack_bytes", r.stackBytes);
    each("spill_store_bytes", r.spillStoreBytes);
    each("spill_load_bytes", r.spillLoadBytes);
    each("static_shared_bytes", r.staticSharedBytes);
    each("barriers", r.barriers);
    each("constant_bytes", r.constantBytes);
}
template <class Figure, class Each>
    requires std::same_as<std::remove_const_t<Figure>, OccupancyFigure>
void eachMember(Figure& o, Each&& each) {
    each("arch", o.arch);
    each("block", o.block);
    each("blocks_per_sm", o.blocksPerSm);
    each("warps_per_sm", o.warpsPerSm);
    each("percent", o.percent);
    each("limiter", o.limiter);
}

template <class T>
json membersToJson(const T& value) {
    json members = json::object();
    eachMember(value, [&](const char* key, const auto& member) { members[key] = member; });
    return members;
}

template <class T>
Expected<T> readMembers(const JsonReader& reader) {
    T value;
    JsonFields fields(reader);
    eachMember(value, [&](const char* key, auto& member) { fields.read(key, member); });
    return fields.result(std::move(value));
}

json rooflineToJson(const std::optional<Roofline>& roofline) {
    if (!roofline || roofline->percent() <= 0) return nullptr;
    const bool isMemory = roofline->memoryPercent >= roofline->arithmeticPercent;
    return {{"percent", roofline->percent()},
            {"bound", isMemory ? "memory" : roofline->rate},
            {"memory_percent", roofline->memoryPercent},
            {"arithmetic_percent", roofline->arithmeticPercent},
            {"rate", orNull(roofline->rate)}};
}

json timingToJson(const std::optional<Timing>& timing) {
    if (!timing) return nullptr;
    return {{"median_us", timing->medianUs},
            {"p10_us", timing->p10Us},
            {"p90_us", timing->p90Us},
            {"hot_us", timing->hotUs > 0 ? json(timing->hotUs) : json(nullptr)},
            {"graph_us", timing->graphUs > 0 ? json(timing->graphUs) : json(nullptr)},
            {"samples", timing->samplesUs.size()},
            {"samples_us", timing->samplesUs},
            {"method", timing->method},
            {"clock_mhz", timing->clockMhz > 0 ? json(timing->clockMhz) : json(nullptr)},
            {"discarded", timing->discarded},
            {"size", timing->size},
            {"roofline", rooflineToJson(timing->roofline)},
            {"cold", true}};
}

json speedupToJson(const std::optional<Speedup>& speedup) {
    if (!speedup) return nullptr;
    return {{"ratio", speedup->ratio},
            {"low", speedup->low},
            {"high", speedup->high},
            {"call", speedup->call},
            {"against", speedup->against},
            {"baseline_us", speedup->baselineUs},
            {"baseline_samples_us", speedup->baselineSamplesUs}};
}

Expected<double> readNumber(const JsonReader& reader) {
    return reader.number();
}

Expected<Roofline> readRoofline(const JsonReader& reader) {
    Roofline r;
    JsonFields fields(reader);
    fields.read("memory_percent", r.memoryPercent);
    fields.read("arithmetic_percent", r.arithmeticPercent);
    fields.read("rate", r.rate);
    return fields.result(std::move(r));
}

Expected<Timing> readTiming(const JsonReader& reader) {
    Timing t;
    JsonFields fields(reader);
    fields.read("median_us", t.medianUs);
    fields.read("p10_us", t.p10Us);
    fields.read("p90_us", t.p90Us);
    fields.read("hot_us", t.hotUs);
    fields.read("graph_us", t.graphUs);
    fields.readList("samples_us", t.samplesUs, readNumber);
    fields.read("method", t.method);
    fields.read("clock_mhz", t.clockMhz);
    fields.read("discarded", t.discarded);
    fields.read("size", t.size);
    if (const auto roofline = reader.find("roofline")) fields.take(readRoofline(*roofline), t.roofline.emplace());
    return fields.result(std::move(t));
}

Expected<Speedup> readSpeedup(const JsonReader& reader) {
    Speedup s;
    JsonFields fields(reader);
    fields.read("ratio", s.ratio);
    fields.read("low", s.low);
    fields.read("high", s.high);
    fields.read("call", s.call);
    fields.read("against", s.against);
    fields.read("baseline_us", s.baselineUs);
    fields.readList("baseline_samples_us", s.baselineSamplesUs, readNumber);
    return fields.result(std::move(s));
}

json strengthToJson(const std::optional<Strength>& strength) {
    if (!strength) return nullptr;
    json unreached = json::array(), survivors = json::array();
    for (const Unreached& each : strength->unreached)
        unreached.push_back(
            {{"line", each.line},
             {"what", each.what},
             {"cuda", each.cuda ? json{{"file", each.cuda->file}, {"line", each.cuda->line}} : json(nullptr)}});
    for (const Survivor& each : strength->survivors) survivors.push_back({{"line", each.line}, {"what", each.what}});
    return {{"instructions", strength->instructions},
            {"reached", strength->reached},
            {"branch_ways", strength->branchWays},
            {"ways_taken", strength->waysTaken},
            {"unreached", std::move(unreached)},
            {"mutants", strength->mutants},
            {"killed", strength->killed},
            {"survivors", std::move(survivors)}};
}

Expected<Unreached> readUnreached(const JsonReader& reader) {
    Unreached u;
    JsonFields fields(reader);
    fields.read("line", u.line);
    fields.read("what", u.what);
    if (const auto cuda = reader.find("cuda")) {
        JsonFields place(*cuda);
        u.cuda.emplace();
        place.read("file", u.cuda->file);
        place.read("line", u.cuda->line);
    }
    return fields.result(std::move(u));
}

Expected<Survivor> readSurvivor(const JsonReader& reader) {
    Survivor s;
    JsonFields fields(reader);
    fields.read("line", s.line);
    fields.read("what", s.what);
    return fields.result(std::move(s));
}

Expected<Strength> readStrength(const JsonReader& reader) {
    Strength s;
    JsonFields fields(reader);
    fields.read("instructions", s.instructions);
    fields.read("reached", s.reached);
    fields.read("branch_ways", s.branchWays);
    fields.read("ways_taken", s.waysTaken);
    fields.readList("unreached", s.unreached, readUnreached);
    fields.read("mutants", s.mutants);
    fields.read("killed", s.killed);
    fields.readList("survivors", s.survivors, readSurvivor);
    return fields.result(std::move(s));
}

Expected<CheckOutcome> readCheck(const JsonReader& reader) {
    CheckOutcome c;
    std::string statusName;
    JsonFields fields(reader);
    fields.take(reader.text("check"), c.check);
    fields.take(reader.text("status"), statusName);
    fields.read("reason", c.reason);
    if (const auto known = checkStatus(statusName))
        c.status = *known;
    else
        fields.note(reader.fail(fmt::format("unknown status \"{}\"", statusName), "passed, failed or not_run").error());
    return fields.result(std::move(c));
}

json assemblersToJson(const std::vector<OtherAssembler>& assemblers) {
    const auto statusOrNull = [](const std::optional<Status>& status) {
        return status ? json(name(*status)) : json(nullptr);
    };
    json list = json::array();
    for (const OtherAssembler& each : assemblers)
        list.push_back({{"assembler", each.name},
                        {"version", orNull(each.version)},
                        {"assembled", each.assembled},
                        {"text_sha256", orNull(each.textSha256)},
                        {"registers", each.registers ? json(*each.registers) : json(nullptr)},
                        {"function", statusOrNull(each.function)},
                        {"stress", statusOrNull(each.stress)},
                        {"reason", orNull(each.reason)}});
    return list;
}

Expected<OtherAssembler> readAssembler(const JsonReader& reader) {
    OtherAssembler a;
    JsonFields fields(reader);
    fields.take(reader.text("assembler"), a.name);
    fields.read("version", a.version);
    fields.take(reader.booleanOr("assembled", false), a.assembled);
    fields.read("text_sha256", a.textSha256);
    fields.read("registers", a.registers);
    fields.read("reason", a.reason);
    for (const auto& [key, to] : {std::pair("function", &a.function), std::pair("stress", &a.stress)}) {
        std::string text;
        fields.read(key, text);
        if (!text.empty()) *to = status(text);
    }
    return fields.result(std::move(a));
}

/// Which machine judged each stage; null where the stage did not run.
json evidence(const CandidateResult& result) {
    json value{{"device", orNull(result.device)}};
    if (!result.deviceArch.empty()) value["arch"] = result.deviceArch;
    if (!result.driver.empty()) value["driver"] = result.driver;
    for (const Stage wanted : {Stage::function, Stage::stress, Stage::sanitize, Stage::benchmark}) {
        const StageResult* found = find(result.stages, wanted);
        const bool ran = found && found->status != Status::skipped;
        value[std::string(name(wanted))] = ran ? orNull(found->backend) : json(nullptr);
    }
    if (!result.program.empty()) value["program"] = result.program;
    if (!result.assemblers.empty()) value["assemblers"] = assemblersToJson(result.assemblers);
    return value;
}

Expected<StageResult> readStage(const JsonReader& reader) {
    StageResult s;
    std::string stageName, statusName;
    JsonFields fields(reader);
    fields.take(reader.text("stage"), stageName);
    fields.take(reader.text("status"), statusName);
    if (const auto known = stage(stageName))
        s.stage = *known;
    else
        fields.note(reader
                        .fail(fmt::format("unknown stage \"{}\"", stageName),
                              "parse, assemble, function, stress, sanitize or benchmark")
                        .error());
    if (const auto known = status(statusName))
        s.status = *known;
    else
        fields.note(reader.fail(fmt::format("unknown status \"{}\"", statusName), "pass, fail, skipped or inconclusive")
                        .error());
    fields.read("backend", s.backend);
    fields.read("reason", s.reason);
    fields.read("seconds", s.seconds);
    fields.read("runs", s.runs);
    fields.readList("findings", s.findings, [](const JsonReader& one) { return findingFromJson(one.value()); });
    fields.readList("cases", s.cases, [](const JsonReader& one) { return runCaseFromJson(one.value()); });
    return fields.result(std::move(s));
}

Expected<CandidateResult> readCandidate(const JsonReader& reader) {
    CandidateResult c;
    bool evidenceIsRead = false;
    JsonFields fields(reader);
    fields.take(reader.text("candidate"), c.candidate);
    fields.read("sha256", c.sha256);
    fields.read("text_sha256", c.textSha256);
    fields.read("same_machine_code_as", c.sameMachineCodeAs);
    fields.readList("stages", c.stages, readStage);
    fields.readList("checks", c.checks, readCheck);
    if (const auto found = reader.find("strength")) fields.take(readStrength(*found), c.strength.emplace());
    fields.readList("resources", c.resources, readMembers<EntryResources>);
    fields.readList("occupancy", c.occupancy, readMembers<OccupancyFigure>);
    if (const auto found = reader.find("evidence")) {
        JsonFields evidence(*found);
        evidence.read("device", c.device);
        evidence.read("arch", c.deviceArch);
        evidence.read("driver", c.driver);
        evidence.read("program", c.program);
        evidence.readList("assemblers", c.assemblers, readAssembler);
        fields.take(evidence.result(true), evidenceIsRead);
    }
    fields.take(reader.booleanOr("from_cache", false), c.fromCache);
    if (const auto found = reader.find("work")) fields.take(workReportFrom(*found), c.work.emplace());
    if (const auto found = reader.find("timing")) fields.take(readTiming(*found), c.timing.emplace());
    if (const auto found = reader.find("speedup")) fields.take(readSpeedup(*found), c.speedup.emplace());
    c.verdict = foldVerdict(c.stages);
    return fields.result(std::move(c));
}

} // namespace

json toJson(const StageResult& result) {
    json findings = json::array();
    for (const Finding& finding : result.findings) findings.push_back(ptxwb::toJson(finding));
    json value{{"stage", name(result.stage)},     {"status", name(result.status)}, {"backend", orNull(result.backend)},
               {"reason", orNull(result.reason)}, {"seconds", result.seconds},     {"runs", result.runs},
               {"findings", std::move(findings)}};
    if (result.cases.empty()) return value;
    json& cases = value["cases"] = json::array();
    for (const RunCase& each : result.cases) cases.push_back(toJson(each));
    return value;
}

json toJson(const CandidateResult& result) {
    json stages = json::array(), resources = json::array(), occupancy = json::array(), checks = json::array();
    for (const auto& stage : result.stages) stages.push_back(toJson(stage));
    for (const auto& check : result.checks)
        checks.push_back({{"check", check.check}, {"status", name(check.status)}, {"reason", orNull(check.reason)}});
    for (const auto& entry : result.resources) resources.push_back(membersToJson(entry));
    for (const auto& figure : result.occupancy) occupancy.push_back(membersToJson(figure));
    json value{{"candidate", result.candidate},
               {"verdict", name(result.verdict)},
               {"sha256", orNull(result.sha256)},
               {"text_sha256", orNull(result.textSha256)},
               {"same_machine_code_as", orNull(result.sameMachineCodeAs)},
               {"evidence", evidence(result)},
               {"stages", std::move(stages)},
               {"checks", std::move(checks)},
               {"strength", strengthToJson(result.strength)},
               {"resources", std::move(resources)},
               {"occupancy", std::move(occupancy)},
               {"timing", timingToJson(result.timing)},
               {"speedup", speedupToJson(result.speedup)}};
    if (result.work) value["work"] = toJson(*result.work);
    if (result.fromCache) value["from_cache"] = true;
    return value;
}

json toJson(const VerifyReport& report) {
    json results = json::array();
    for (const auto& result : report.results) results.push_back(toJson(result));
    return {{"schema", schema},    {"kernel", report.kernel},           {"arch", report.arch},
            {"seed", report.seed}, {"toolkit", orNull(report.toolkit)}, {"results", std::move(results)}};
}

json toJson(const std::optional<Timing>& timing) {
    return timingToJson(timing);
}

Expected<StageResult> stageResultFromJson(const json& value) {
    return readStage(JsonReader(value));
}
Expected<Timing> timingFromJson(const json& value) {
    return readTiming(JsonReader(value));
}
Expected<CandidateResult> candidateResultFromJson(const json& value) {
    return readCandidate(JsonReader(value));
}

Expected<VerifyReport> verifyReportFromJson(const json& value) {
    const JsonReader reader(value);
    VerifyReport report;
    std::uint32_t version = 0;
    JsonFields fields(reader);
    fields.read("schema", version);
    if (version != schema)
        fields.note(reader
                        .fail(fmt::format("a verification of schema {}, this program reads {}", version, schema),
                              "use the version of ptxwb that wrote it")
                        .error());
    fields.read("kernel", report.kernel);
    fields.read("arch", report.arch);
    fields.read("toolkit", report.toolkit);
    fields.read("seed", report.seed);
    fields.readList("results", report.results, readCandidate);
    return fields.result(std::move(report));
}

} // namespace ptxwb::verify
