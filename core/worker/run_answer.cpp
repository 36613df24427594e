// The job behind `ptxwb run`: one launch with every checker on.
#include "worker/handlers.h"

#include "ptx/check.h"
#include "support/finding_json.h"
#include "support/nearest.h"
#include "support/sha256.h"
#include "verify/baseline.h"
#include "verify/emulated_device.h"
#include "verify/entry.h"
#include "verify/execute.h"
#include "verify/planned_launch.h"
#include "verify/static_stages.h"
#include "worker/recording_json.h"
#include "worker/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::worker {

namespace {

using nlohmann::json;
using verify::LaunchOutcome;

Expected<verify::PtxKernel> loadCandidate(const RunRequest& request) {
    verify::PtxKernel kernel =
        verify::loadPtx(request.kernel.spec, request.candidate.name, request.candidate.file, request.candidate.text);
    for (Diagnostic& diagnostic : ptx::check(*kernel.module)) {
        if (diagnostic.severity != Severity::error) continue;
        diagnostic.cause = Cause::rejected;
        return std::unexpected(std::move(diagnostic));
    }
    if (auto entry = verify::resolveEntries(kernel, request.kernel.spec); !entry)
        return std::unexpected(std::move(entry.error()));
    if (kernel.headerProblem) return std::unexpected(std::move(*kernel.headerProblem));
    if (auto decoded = verify::decodeEntry(kernel); !decoded) return std::unexpected(std::move(decoded.error()));
    return kernel;
}

/// What --set gives, else the first function size, else the first of the others.
Expected<kernel::Symbols> sizesOf(const RunRequest& request) {
    kernel::Symbols sizes;
    for (const kernel::SymbolSizes& symbol : request.kernel.spec.symbols) {
        for (const auto* list : {&symbol.function, &symbol.stress, &symbol.benchmark})
            if (!list->empty() && !sizes.contains(symbol.name)) sizes[symbol.name] = list->front();
        if (const auto given = request.sizes.find(symbol.name); given != request.sizes.end())
            sizes[symbol.name] = given->second;
        if (!sizes.contains(symbol.name))
            return failure(Cause::badRequest, fmt::format("symbol {} has no size", symbol.name),
                           fmt::format("give it one: --set {}=1000", symbol.name));
    }
    const std::vector<std::string> names = kernel::symbolNames(request.kernel.spec);
    for (const auto& [name, value] : request.sizes) {
        if (sizes.contains(name)) continue;
        const std::string nearest = nearestName(name, names);
        return failure(Cause::badRequest, fmt::format("--set {}={}: the spec has no symbol {}", name, value, name),
                       nearest.empty() ? std::string{} : fmt::format("did you mean {}?", nearest));
    }
    return verify::withDevice(std::move(sizes));
}

json counters(const emulator::Counters& c) {
    return {{"warp_instructions", c.warpInstructions},
            {"thread_instructions", c.threadInstructions},
            {"global_load_bytes", c.globalLoadBytes},
            {"global_store_bytes", c.globalStoreBytes},
            {"shared_accesses", c.sharedAccesses},
            {"barriers", c.barriers},
            {"branches", c.branches},
            {"divergent_branches", c.divergentBranches}};
}

/// Little-endian 32-bit words; null where none of a word's bytes was ever written. A last word that is not whole is
/// filled up with zeros.
json words(const verify::BufferAfter& buffer) {
    json list = json::array();
    for (std::size_t at = 0; at < buffer.bytes.size(); at += 4) {
        std::uint32_t word = 0;
        bool written = false;
        for (std::size_t i = 0; i < 4 && at + i < buffer.bytes.size(); ++i) {
            word |= std::uint32_t{buffer.bytes[at + i]} << (8 * i);
            written = written || buffer.writtenBytes[at + i] != 0;
        }
        list.push_back(written ? json(fmt::format("{:08x}", word)) : json(nullptr));
    }
    return list;
}

Expected<json> outputs(const RunRequest& request, const kernel::LaunchData& data, const LaunchOutcome& outcome) {
    json values = json::object();
    std::vector<std::string> names;
    for (const kernel::Buffer& buffer : data.buffers) names.push_back(buffer.name);
    for (const std::string& wanted : request.dump) {
        const auto hit = std::ranges::find(names, wanted);
        if (hit == names.end()) {
            const std::string nearest = nearestName(wanted, names);
            return failure(Cause::badRequest,
                           fmt::format("--dump {}: {} has no buffer of that name", wanted, request.kernel.spec.name),
                           nearest.empty() ? std::string{} : fmt::format("did you mean {}?", nearest));
        }
        values[wanted] = words(outcome.buffers[static_cast<std::size_t>(hit - names.begin())]);
    }
    return values;
}

} // namespace

Expected<json> runAnswer(const json& body, std::stop_token stop) {
    auto request = runRequestFromJson(body);
    if (!request) return std::unexpected(std::move(request.error()));
    if (const auto missing = kernel::unsupportedFeatures(request->kernel.spec); !missing.empty()) {
        Diagnostic first = missing.front();
        first.cause = Cause::missing;
        return std::unexpected(std::move(first));
    }
    const auto candidate = loadCandidate(*request);
    if (!candidate) return std::unexpected(candidate.error());
    const auto sizes = sizesOf(*request);
    if (!sizes) return std::unexpected(sizes.error());
    kernel::BuildOptions build;
    build.seed = request->seed.value_or(verify::defaultSeed(request->kernel));
    if (request->fill) build.fill.emplace().kind = *request->fill;
    build.launch = candidate->header.launch ? &*candidate->header.launch : nullptr;
    auto data = kernel::buildLaunch(request->kernel, *sizes, build);
    if (!data) return std::unexpected(data.error());
    if (auto made = verify::applyInputs(request->kernel, request->reference, {}, *data, stop); !made)
        return std::unexpected(std::move(made.error()));
    if (const auto finding = verify::checkLaunch(*candidate, *data)) {
        Diagnostic refused = failure(Cause::rejected, finding->message, finding->hint).error();
        refused.kind = std::string(name(finding->kind));
        refused.place = {request->candidate.file, finding->line, finding->column, finding->length};
        return std::unexpected(std::move(refused));
    }
    verify::ExecuteOptions options;
    options.emulator.instructionLimit = request->instructionLimit;
    options.emulator.record = request->record;
    options.emulator.memoryLimit = request->memoryLimit;
    if (request->deadline.count() > 0) options.emulator.deadline = std::chrono::steady_clock::now() + request->deadline;
    const auto outcome = verify::execute(*candidate, *data, options, stop);
    if (!outcome) return std::unexpected(outcome.error());
    if (outcome->ended == emulator::Ended::cancelled) return failure(Cause::cancelled, "cancelled");

    Expected<std::optional<emulator::Work>> work = std::nullopt;
    if (request->counting && outcome->completed())
        work = verify::countWork(*candidate, *data, request->instructionLimit, stop);
    if (!work) return std::unexpected(std::move(work.error()));

    json findings = json::array(), digests = json::object();
    for (const Finding& finding : outcome->findings) findings.push_back(ptxwb::toJson(finding));
    for (std::size_t i = 0; i < data->buffers.size(); ++i) {
        const auto& bytes = outcome->buffers[i].bytes;
        digests[data->buffers[i].name] =
            sha256Hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    json answer{
        {"schema", 1},
        {"kernel", request->kernel.spec.name},
        {"entry", std::string(candidate->entry->name)},
        {"backend", "emulator"},
        {"arch", nullptr},
        {"grid", data->grid},
        {"block", data->block},
        {"seed", build.seed},
        {"digests", std::move(digests)},
        {"findings", std::move(findings)},
        {"counters", counters(outcome->counters)},
        {"work", *work ? verify::toJson(verify::workReport(**work, *candidate->module, *sizes)) : json(nullptr)},
        {"printed", outcome->printed},
        {"completed", outcome->completed()}};
    if (request->record) answer["recording"] = outcome->recording ? toJson(*outcome->recording) : json(nullptr);
    if (!request->dump.empty()) {
        auto dumped = outputs(*request, *data, *outcome);
        if (!dumped) return dumped;
        answer["outputs"] = std::move(*dumped);
    }
    return answer;
}

} // namespace ptxwb::worker
