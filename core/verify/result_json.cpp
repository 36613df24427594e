#include "verify/result.h"

#include "support/finding_json.h"
#include "support/json.h"

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

using nlohmann::json;

namespace {

constexpr int schema = 1;

json orNull(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

json toJson(const EntryResources& r) {
    return {{"arch", r.arch},
            {"entry", r.entry},
            {"registers", r.registers},
            {"stack_bytes", r.stackBytes},
            {"spill_store_bytes", r.spillStoreBytes},
            {"spill_load_bytes", r.spillLoadBytes},
            {"static_shared_bytes", r.staticSharedBytes},
            {"barriers", r.barriers},
            {"constant_bytes", r.constantBytes}};
}

json toJson(const OccupancyFigure& o) {
    return {
        {"arch", o.arch},       {"block", o.block},    {"blocks_per_sm", o.blocksPerSm}, {"warps_per_sm", o.warpsPerSm},
        {"percent", o.percent}, {"limiter", o.limiter}};
}

/// Which machine judged each stage; null where the stage did not run.
json evidence(const CandidateResult& result) {
    json value{{"device", orNull(result.device)}};
    for (const Stage wanted : {Stage::function, Stage::stress, Stage::sanitize, Stage::benchmark}) {
        const StageResult* found = find(result.stages, wanted);
        const bool ran = found && found->status != Status::skipped;
        value[std::string(name(wanted))] = ran ? orNull(found->backend) : json(nullptr);
    }
    return value;
}

/// Reads members one after another and keeps the first error, so that the readers below stay lists of keys.
class Members {
public:
    explicit Members(const JsonReader& reader) : m_reader(reader) {
        if (!reader.isObject()) note(reader.fail("expected an object").error());
    }
    void read(std::string_view key, std::string& to) { take(m_reader.textOr(key, {}), to); }
    void read(std::string_view key, double& to) { take(m_reader.numberOr(key, 0), to); }
    void read(std::string_view key, std::uint32_t& to) {
        std::int64_t value = 0;
        take(m_reader.integerOr(key, 0), value);
        if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
            return note(m_reader.find(key)->fail("expected a number that fits 32 bits").error());
        to = static_cast<std::uint32_t>(value);
    }
    void read(std::string_view key, std::uint64_t& to) {
        const auto found = m_reader.find(key);
        if (found && !found->value().is_number_unsigned())
            note(found->fail("expected a number from 0").error());
        else if (found)
            to = found->value().get<std::uint64_t>();
    }
    template <class T, class Read>
    void list(std::string_view key, std::vector<T>& to, Read&& readOne) {
        std::vector<JsonReader> elements;
        take(m_reader.elementsOr(key), elements);
        for (const JsonReader& element : elements) {
            Expected<T> one = readOne(element);
            if (!one) return note(std::move(one.error()));
            to.push_back(std::move(*one));
        }
    }
    template <class T>
    void take(Expected<T> value, T& to) {
        if (value)
            to = std::move(*value);
        else
            note(std::move(value.error()));
    }
    void note(Diagnostic error) {
        if (!m_error) m_error = std::move(error);
    }
    template <class T>
    Expected<T> result(T value) {
        if (m_error) return std::unexpected(std::move(*m_error));
        return value;
    }

private:
    const JsonReader& m_reader;
    std::optional<Diagnostic> m_error;
};

Expected<EntryResources> readResources(const JsonReader& reader) {
    EntryResources r;
    Members members(reader);
    members.read("arch", r.arch);
    members.read("entry", r.entry);
    members.read("registers", r.registers);
    members.read("stack_bytes", r.stackBytes);
    members.read("spill_store_bytes", r.spillStoreBytes);
    members.read("spill_load_bytes", r.spillLoadBytes);
    members.read("static_shared_bytes", r.staticSharedBytes);
    members.read("barriers", r.barriers);
    members.read("constant_bytes", r.constantBytes);
    return members.result(std::move(r));
}

Expected<OccupancyFigure> readOccupancy(const JsonReader& reader) {
    OccupancyFigure o;
    Members members(reader);
    members.read("arch", o.arch);
    members.read("block", o.block);
    members.read("blocks_per_sm", o.blocksPerSm);
    members.read("warps_per_sm", o.warpsPerSm);
    members.read("percent", o.percent);
    members.read("limiter", o.limiter);
    return members.result(std::move(o));
}

Expected<StageResult> readStage(const JsonReader& reader) {
    StageResult s;
    std::string stageName, statusName;
    Members members(reader);
    members.take(reader.text("stage"), stageName);
    members.take(reader.text("status"), statusName);
    if (const auto known = stage(stageName))
        s.stage = *known;
    else
        members.note(reader
                         .fail(fmt::format("unknown stage \"{}\"", stageName),
                               "parse, assemble, function, stress, sanitize or benchmark")
                         .error());
    if (const auto known = status(statusName))
        s.status = *known;
    else
        members.note(
            reader.fail(fmt::format("unknown status \"{}\"", statusName), "pass, fail, skipped or inconclusive")
                .error());
    members.read("backend", s.backend);
    members.read("reason", s.reason);
    members.read("seconds", s.seconds);
    members.read("runs", s.runs);
    members.list("findings", s.findings, [](const JsonReader& one) { return findingFromJson(one.value()); });
    return members.result(std::move(s));
}

Expected<CandidateResult> readCandidate(const JsonReader& reader) {
    CandidateResult c;
    Members members(reader);
    members.take(reader.text("candidate"), c.candidate);
    members.read("sha256", c.sha256);
    members.read("text_sha256", c.textSha256);
    members.read("same_machine_code_as", c.sameMachineCodeAs);
    members.list("stages", c.stages, readStage);
    members.list("resources", c.resources, readResources);
    members.list("occupancy", c.occupancy, readOccupancy);
    if (const auto found = reader.find("evidence")) members.take(found->textOr("device", {}), c.device);
    c.verdict = foldVerdict(c.stages);
    return members.result(std::move(c));
}

} // namespace

json toJson(const StageResult& result) {
    json findings = json::array();
    for (const Finding& finding : result.findings) findings.push_back(ptxwb::toJson(finding));
    return {{"stage", name(result.stage)},     {"status", name(result.status)}, {"backend", orNull(result.backend)},
            {"reason", orNull(result.reason)}, {"seconds", result.seconds},     {"runs", result.runs},
            {"findings", std::move(findings)}};
}

json toJson(const CandidateResult& result) {
    json stages = json::array(), resources = json::array(), occupancy = json::array();
    for (const auto& stage : result.stages) stages.push_back(toJson(stage));
    for (const auto& entry : result.resources) resources.push_back(toJson(entry));
    for (const auto& figure : result.occupancy) occupancy.push_back(toJson(figure));
    return {{"candidate", result.candidate},
            {"verdict", name(result.verdict)},
            {"sha256", orNull(result.sha256)},
            {"text_sha256", orNull(result.textSha256)},
            {"same_machine_code_as", orNull(result.sameMachineCodeAs)},
            {"evidence", evidence(result)},
            {"stages", std::move(stages)},
            {"resources", std::move(resources)},
            {"occupancy", std::move(occupancy)},
            {"timing", nullptr},
            {"speedup", nullptr}};
}

json toJson(const VerifyReport& report) {
    json results = json::array();
    for (const auto& result : report.results) results.push_back(toJson(result));
    return {{"schema", schema},    {"kernel", report.kernel},           {"arch", report.arch},
            {"seed", report.seed}, {"toolkit", orNull(report.toolkit)}, {"results", std::move(results)}};
}

Expected<StageResult> stageResultFromJson(const json& value) {
    return readStage(JsonReader(value));
}
Expected<CandidateResult> candidateResultFromJson(const json& value) {
    return readCandidate(JsonReader(value));
}

Expected<VerifyReport> verifyReportFromJson(const json& value) {
    const JsonReader reader(value);
    VerifyReport report;
    std::uint32_t version = 0;
    Members members(reader);
    members.read("schema", version);
    if (version != schema)
        members.note(reader
                         .fail(fmt::format("a verification of schema {}, this program reads {}", version, schema),
                               "use the version of ptxwb that wrote it")
                         .error());
    members.read("kernel", report.kernel);
    members.read("arch", report.arch);
    members.read("toolkit", report.toolkit);
    members.read("seed", report.seed);
    members.list("results", report.results, readCandidate);
    return members.result(std::move(report));
}

} // namespace ptxwb::verify
