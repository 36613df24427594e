#include "worker/requests.h"

#include "kernel/spec_load.h"
#include "kernel/spec_save.h"
#include "support/json_fields.h"
#include "worker/base64.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::worker {

namespace {

using nlohmann::json;
using verify::CandidateText;
using verify::Plan;

bool isUtf8(const std::string& text) {
    try {
        // The library's own check, the one that would refuse the text later.
        static_cast<void>(json(text).dump());
        return true;
    } catch (const json::type_error&) {
        return false;
    }
}

void addKernel(json& body, const kernel::Kernel& kernel) {
    body["spec"] = json::parse(kernel::toJson(kernel.spec).dump());
    json& files = body["files"] = json::object();
    for (const auto& [name, text] : kernel.files) {
        if (std::ranges::find(kernel.spec.candidates, name) != kernel.spec.candidates.end()) continue;
        if (isUtf8(text))
            files[name] = text;
        else
            body["files_base64"][name] = toBase64(text);
    }
}

json toJson(const CandidateText& candidate) {
    return {{"name", candidate.name}, {"file", candidate.file}, {"text", candidate.text}};
}

json toJson(const Plan& plan) {
    json stages = json::array();
    for (const verify::Stage stage : plan.stages) stages.push_back(verify::name(stage));
    return {{"stages", std::move(stages)},
            {"backend", verify::name(plan.backend)},
            {"device", plan.device},
            {"deep", plan.deep},
            {"cache", plan.useCache},
            {"archs", plan.architectures},
            {"toolkits", plan.toolkits},
            {"seed", plan.seed ? json(*plan.seed) : json(nullptr)},
            {"rebuild_baseline", plan.rebuildBaseline},
            {"trusted", plan.reference == verify::ReferenceTrust::granted},
            {"limits",
             {{"instructions", plan.instructionLimit},
              {"findings", plan.findingLimit},
              {"launch_ms", plan.launchDeadline.count()},
              {"benchmark_ms", std::llround(plan.benchmarkSeconds * 1000)}}}};
}

Expected<std::optional<emulator::RecordRequest>> recordFrom(const JsonReader& body) {
    const auto found = body.find("record");
    if (!found) return std::nullopt;
    if (const auto ok = found->onlyKeys({"block", "warp", "bytes"}); !ok) return std::unexpected(ok.error());
    emulator::RecordRequest request;
    std::optional<Index3> block;
    std::uint64_t bytes = request.byteLimit;
    JsonFields fields(*found);
    fields.read("block", block);
    fields.read("warp", request.warp);
    fields.read("bytes", bytes);
    if (block) request.block = *block;
    request.byteLimit = std::min<std::uint64_t>(bytes, request.byteLimit);
    return fields.result(std::optional(request));
}

Expected<kernel::Kernel> kernelFrom(const JsonReader& reader) {
    const auto spec = reader.at("spec");
    if (!spec) return std::unexpected(spec.error());
    kernel::KernelFiles files;
    for (const char* key : {"files", "files_base64"}) {
        const auto found = reader.find(key);
        if (!found) continue;
        const auto members = found->members();
        if (!members) return std::unexpected(members.error());
        for (const auto& [name, value] : *members) {
            auto text = value.text();
            if (text && key == std::string_view("files_base64")) text = fromBase64(*text);
            if (!text) return std::unexpected(text.error());
            files.insert_or_assign(name, std::move(*text));
        }
    }
    return kernel::orFirstError(kernel::loadSpec(spec->value().dump(2), "spec", std::move(files)));
}

Expected<CandidateText> candidateFrom(const JsonReader& reader) {
    auto name = reader.text("name");
    if (!name) return std::unexpected(std::move(name.error()));
    auto text = reader.text("text");
    if (!text) return std::unexpected(std::move(text.error()));
    auto file = reader.textOr("file", *name + ".ptx");
    if (!file) return std::unexpected(std::move(file.error()));
    return CandidateText{std::move(*name), std::move(*file), std::move(*text)};
}

Expected<std::vector<std::string>> textsOr(const JsonReader& reader, std::string_view key) {
    const auto found = reader.find(key);
    return found ? found->texts() : Expected<std::vector<std::string>>{};
}

Expected<std::optional<std::uint64_t>> seedFrom(const JsonReader& plan) {
    const auto found = plan.find("seed");
    if (!found) return std::nullopt;
    if (!found->value().is_number_unsigned()) return found->fail("expected a number from 0");
    return found->value().get<std::uint64_t>();
}

std::uint64_t limitFrom(const JsonReader& plan, std::string_view key, std::uint64_t fallback) {
    const auto limits = plan.find("limits");
    const auto limit = limits ? limits->integerOr(key, 0) : Expected<std::int64_t>{0};
    return limit && *limit > 0 ? static_cast<std::uint64_t>(*limit) : fallback;
}

Expected<Plan> planFrom(const JsonReader& body) {
    Plan plan;
    const auto reader = body.find("plan");
    if (!reader) return plan;
    auto stages = textsOr(*reader, "stages");
    if (!stages) return std::unexpected(std::move(stages.error()));
    for (const std::string& name : *stages) {
        const auto stage = verify::stage(name);
        if (!stage) return reader->fail(fmt::format("unknown stage \"{}\"", name));
        plan.stages.push_back(*stage);
    }
    auto architectures = textsOr(*reader, "archs");
    if (!architectures) return std::unexpected(std::move(architectures.error()));
    plan.architectures = std::move(*architectures);
    auto toolkits = textsOr(*reader, "toolkits");
    if (!toolkits) return std::unexpected(std::move(toolkits.error()));
    plan.toolkits = std::move(*toolkits);
    const auto seed = seedFrom(*reader);
    if (!seed) return std::unexpected(seed.error());
    plan.seed = *seed;
    const auto trusted = reader->booleanOr("trusted", false);
    const auto rebuild = reader->booleanOr("rebuild_baseline", false);
    if (!trusted || !rebuild) return std::unexpected(trusted ? rebuild.error() : trusted.error());
    plan.reference = *trusted ? verify::ReferenceTrust::granted : verify::ReferenceTrust::refused;
    plan.rebuildBaseline = *rebuild;
    plan.instructionLimit = limitFrom(*reader, "instructions", plan.instructionLimit);
    plan.findingLimit = limitFrom(*reader, "findings", plan.findingLimit);
    plan.launchDeadline = std::chrono::milliseconds(
        limitFrom(*reader, "launch_ms", static_cast<std::uint64_t>(plan.launchDeadline.count())));
    plan.benchmarkSeconds = static_cast<double>(limitFrom(*reader, "benchmark_ms",
                                                          static_cast<std::uint64_t>(plan.benchmarkSeconds * 1000))) /
                            1000;
    const auto backendName = reader->textOr("backend", "auto");
    const auto device = reader->integerOr("device", 0);
    if (!backendName || !device) return std::unexpected(backendName ? device.error() : backendName.error());
    const auto known = verify::backend(*backendName);
    if (!known) return reader->fail(fmt::format("unknown backend \"{}\"", *backendName), "auto, emulator or gpu");
    plan.backend = *known;
    plan.device = static_cast<int>(*device);
    const auto cache = reader->booleanOr("cache", true);
    if (!cache) return std::unexpected(cache.error());
    plan.useCache = *cache;
    const auto deep = reader->booleanOr("deep", false);
    if (!deep) return std::unexpected(deep.error());
    plan.deep = *deep;
    return plan;
}

json sassInputJson(const SassInput& input) {
    if (input.cubin.empty()) return {{"file", input.file}, {"text", input.text}};
    return {{"file", input.file}, {"cubin_base64", toBase64(input.cubin)}};
}

Expected<SassInput> sassInputFrom(const JsonReader& reader) {
    SassInput input;
    auto file = reader.textOr("file", "candidate.ptx");
    if (!file) return std::unexpected(std::move(file.error()));
    input.file = std::move(*file);
    if (const auto cubin = reader.find("cubin_base64")) {
        const auto encoded = cubin->text();
        if (!encoded) return std::unexpected(encoded.error());
        auto bytes = fromBase64(*encoded);
        if (!bytes) return cubin->fail(bytes.error().message);
        input.cubin = std::move(*bytes);
        return input;
    }
    auto text = reader.text("text");
    if (!text) return std::unexpected(std::move(text.error()));
    input.text = std::move(*text);
    return input;
}

} // namespace

json toJson(const verify::VerifyInput& input) {
    json body;
    addKernel(body, input.kernel);
    body["candidate"] = input.candidate ? toJson(*input.candidate) : json(nullptr);
    body["plan"] = toJson(input.plan);
    return body;
}

json toJson(const CompileRequest& request) {
    json body;
    addKernel(body, request.kernel);
    body["plan"] = {{"archs", request.architectures}};
    return body;
}

json toJson(const AssembleRequest& request) {
    return {{"file", request.file},
            {"text", request.text},
            {"toolkits", request.toolkits},
            {"plan", {{"archs", request.architectures}}}};
}

json toJson(const SassRequest& request) {
    json body = sassInputJson(request.input);
    if (!request.arch.empty()) body["arch"] = request.arch;
    if (request.against) body["against"] = sassInputJson(*request.against);
    return body;
}

json toJson(const RunRequest& request) {
    json body;
    addKernel(body, request.kernel);
    body["candidate"] = toJson(request.candidate);
    body["set"] = request.sizes;
    body["dump"] = request.dump;
    body["counting"] = request.counting;
    if (request.record)
        body["record"] = {
            {"block", request.record->block}, {"warp", request.record->warp}, {"bytes", request.record->byteLimit}};
    if (request.fill) body["fill"] = std::string(kernel::name(*request.fill));
    body["plan"] = {{"seed", request.seed ? json(*request.seed) : json(nullptr)},
                    {"trusted", request.reference == verify::ReferenceTrust::granted},
                    {"limits",
                     {{"instructions", request.instructionLimit},
                      {"run_ms", request.deadline.count()},
                      {"memory_bytes", request.memoryLimit}}}};
    return body;
}

json toJson(const ProfileRequest& request) {
    json body = toJson(request.input);
    if (body["candidate"].is_null()) body.erase("candidate");
    body["metrics"] = request.metrics;
    return body;
}

json toJson(const BenchRequest& request) {
    json body = toJson(request.input);
    if (request.against) body["against"] = toJson(*request.against);
    body["mode"] = verify::name(request.mode);
    return body;
}

json toJson(const ReplayRequest& request) {
    json body = toJson(request.input);
    if (body["candidate"].is_null()) body.erase("candidate");
    body["case"] = verify::toJson(request.run);
    return body;
}

Expected<verify::VerifyInput> verifyInputFromJson(const json& body) {
    const JsonReader reader(body);
    auto kernel = kernelFrom(reader);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    auto plan = planFrom(reader);
    if (!plan) return std::unexpected(std::move(plan.error()));
    verify::VerifyInput input{std::move(*kernel), std::nullopt, std::move(*plan)};
    if (const auto found = reader.find("candidate")) {
        auto candidate = candidateFrom(*found);
        if (!candidate) return std::unexpected(std::move(candidate.error()));
        input.candidate = std::move(*candidate);
    }
    return input;
}

Expected<ProfileRequest> profileRequestFromJson(const json& body) {
    auto input = verifyInputFromJson(body);
    if (!input) return std::unexpected(std::move(input.error()));
    auto metrics = textsOr(JsonReader(body), "metrics");
    if (!metrics) return std::unexpected(std::move(metrics.error()));
    return ProfileRequest{std::move(*input), std::move(*metrics)};
}

Expected<BenchRequest> benchRequestFromJson(const json& body) {
    auto input = verifyInputFromJson(body);
    if (!input) return std::unexpected(std::move(input.error()));
    const JsonReader reader(body);
    BenchRequest request{std::move(*input), std::nullopt, verify::BenchMode::cold};
    if (const auto found = reader.find("against")) {
        auto against = candidateFrom(*found);
        if (!against) return std::unexpected(std::move(against.error()));
        request.against = std::move(*against);
    }
    const auto mode = reader.textOr("mode", "cold");
    if (!mode) return std::unexpected(mode.error());
    const auto known = verify::benchMode(*mode);
    if (!known) return reader.fail(fmt::format("unknown mode \"{}\"", *mode), "cold, hot or graph");
    request.mode = *known;
    return request;
}

Expected<ReplayRequest> replayRequestFromJson(const json& body) {
    auto input = verifyInputFromJson(body);
    if (!input) return std::unexpected(std::move(input.error()));
    const auto wanted = JsonReader(body).at("case");
    if (!wanted) return std::unexpected(wanted.error());
    auto run = verify::runCaseFromJson(wanted->value());
    if (!run) return std::unexpected(std::move(run.error()));
    return ReplayRequest{std::move(*input), std::move(*run)};
}

Expected<CompileRequest> compileRequestFromJson(const json& body) {
    const JsonReader reader(body);
    auto kernel = kernelFrom(reader);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    auto plan = planFrom(reader);
    if (!plan) return std::unexpected(std::move(plan.error()));
    return CompileRequest{std::move(*kernel), std::move(plan->architectures)};
}

Expected<AssembleRequest> assembleRequestFromJson(const json& body) {
    const JsonReader reader(body);
    auto text = reader.text("text");
    if (!text) return std::unexpected(std::move(text.error()));
    auto file = reader.textOr("file", "candidate.ptx");
    if (!file) return std::unexpected(std::move(file.error()));
    auto toolkits = textsOr(reader, "toolkits");
    if (!toolkits) return std::unexpected(std::move(toolkits.error()));
    auto plan = planFrom(reader);
    if (!plan) return std::unexpected(std::move(plan.error()));
    return AssembleRequest{std::move(*file), std::move(*text), std::move(plan->architectures), std::move(*toolkits)};
}

Expected<SassRequest> sassRequestFromJson(const json& body) {
    const JsonReader reader(body);
    SassRequest request;
    auto input = sassInputFrom(reader);
    if (!input) return std::unexpected(std::move(input.error()));
    request.input = std::move(*input);
    auto arch = reader.textOr("arch", {});
    if (!arch) return std::unexpected(std::move(arch.error()));
    request.arch = std::move(*arch);
    if (const auto against = reader.find("against")) {
        auto other = sassInputFrom(*against);
        if (!other) return std::unexpected(std::move(other.error()));
        request.against = std::move(*other);
    }
    return request;
}

Expected<RunRequest> runRequestFromJson(const json& body) {
    const JsonReader reader(body);
    auto kernel = kernelFrom(reader);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    const auto candidateReader = reader.at("candidate");
    if (!candidateReader) return std::unexpected(candidateReader.error());
    auto candidate = candidateFrom(*candidateReader);
    if (!candidate) return std::unexpected(std::move(candidate.error()));
    auto plan = planFrom(reader);
    if (!plan) return std::unexpected(std::move(plan.error()));
    auto dump = textsOr(reader, "dump");
    if (!dump) return std::unexpected(std::move(dump.error()));
    RunRequest request{std::move(*kernel), std::move(*candidate), {}, std::move(*dump),
                       plan->seed,         plan->instructionLimit};
    request.reference = plan->reference;
    const auto counting = reader.booleanOr("counting", true);
    if (!counting) return std::unexpected(counting.error());
    request.counting = *counting;
    if (const auto limits = reader.find("plan")) {
        request.deadline = std::chrono::milliseconds(limitFrom(*limits, "run_ms", 0));
        request.memoryLimit = limitFrom(*limits, "memory_bytes", request.memoryLimit);
    }
    auto record = recordFrom(reader);
    if (!record) return std::unexpected(std::move(record.error()));
    request.record = *record;
    if (const auto found = reader.find("fill")) {
        const auto name = found->text();
        if (!name) return std::unexpected(name.error());
        request.fill = kernel::fillKind(*name);
        if (!request.fill || *request.fill == kernel::FillKind::file)
            return failure(Cause::badRequest, fmt::format("fill: {} is no distribution that a run can have", *name),
                           "one of those of the funnel's stress stage: uniform, special, sparse, ...");
    }
    if (const auto sizes = reader.find("set")) {
        const auto members = sizes->members();
        if (!members) return std::unexpected(members.error());
        for (const auto& [symbol, value] : *members) {
            const auto size = value.integer();
            if (!size) return std::unexpected(size.error());
            request.sizes[symbol] = *size;
        }
    }
    return request;
}

} // namespace ptxwb::worker
