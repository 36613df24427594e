#include "worker/handlers.h"

#include "gpu/device.h"
#include "verify/context.h"
#include "verify/funnel.h"
#include "verify/gpu_bench.h"
#include "verify/gpu_profile.h"
#include "verify/replay.h"
#include "worker/requests.h"

#include <nlohmann/json.hpp>

namespace ptxwb::worker {

namespace {

using nlohmann::json;

Expected<json> verifyAnswer(const json& body, const verify::Machine& machine, verify::OracleCache& cache,
                            const Reporter& reporter, std::stop_token stop) {
    const auto input = verifyInputFromJson(body);
    if (!input) return std::unexpected(input.error());
    verify::FunnelCallbacks callbacks;
    callbacks.onStage = reporter.stage;
    callbacks.onProgress = [&](verify::Stage stage, std::uint32_t done, std::uint32_t of, const std::string& what) {
        reporter.progress({done, of, std::string(verify::name(stage)) + (what.empty() ? "" : ": " + what)});
    };
    const auto report = verify::verifyCandidate(*input, machine, cache, callbacks, stop);
    if (!report) return std::unexpected(report.error());
    return verify::toJson(*report);
}

Expected<json> profileAnswer(const json& body, const verify::Machine& machine, verify::OracleCache& cache,
                             std::stop_token stop) {
    const auto request = profileRequestFromJson(body);
    if (!request) return std::unexpected(request.error());
    const auto report = verify::profileKernels(request->input, request->metrics, machine, cache, stop);
    if (!report) return std::unexpected(report.error());
    return verify::toJson(*report);
}

Expected<json> benchAnswer(const json& body, const verify::Machine& machine, verify::OracleCache& cache,
                           const Reporter& reporter, std::stop_token stop) {
    const auto request = benchRequestFromJson(body);
    if (!request) return std::unexpected(request.error());
    const auto progress = [&](verify::Stage, std::uint32_t done, std::uint32_t of, const std::string& what) {
        reporter.progress({done, of, "benchmark" + (what.empty() ? "" : ": " + what)});
    };
    const auto report =
        verify::benchKernels(request->input, request->against, request->mode, machine, cache, progress, stop);
    if (!report) return std::unexpected(report.error());
    return verify::toJson(*report);
}

Expected<json> replayAnswer(const json& body, const verify::Machine& machine, verify::OracleCache& cache,
                            std::stop_token stop) {
    const auto request = replayRequestFromJson(body);
    if (!request) return std::unexpected(request.error());
    const auto report = verify::replay(request->input, request->run, machine, cache, stop);
    if (!report) return std::unexpected(report.error());
    return verify::toJson(*report);
}

/// Empty without a driver: that is no error.
json devicesOf(const verify::Machine& machine) {
    json list = json::array();
    if (!machine.gpu) return list;
    if (const auto devices = gpu::devices())
        for (const gpu::Device& device : *devices) list.push_back(toJson(device));
    return list;
}

} // namespace

json toJson(const gpu::Device& device) {
    return {{"index", device.ordinal}, {"name", device.name},        {"arch", device.arch()},
            {"uuid", device.uuid},     {"sm_count", device.smCount}, {"memory_bytes", device.memoryBytes}};
}

json helloOf(const verify::Machine& machine) {
    json toolkits = json::array();
    for (const auto& toolkit : machine.tools.toolkits) toolkits.push_back(toJson(toolkit));
    return {{"protocol", protocolVersion},
            {"version", PTXWB_VERSION},
            {"toolkits", std::move(toolkits)},
            {"devices", devicesOf(machine)},
            {"emulator", {{"warp_size", 32}}}};
}

Handler makeHandler(std::shared_ptr<const verify::Machine> machine) {
    const auto cache = verify::makeOracleCache();
    return
        [machine, cache](Job job, const json& body, const Reporter& reporter, std::stop_token stop) -> Expected<json> {
            switch (job) {
            case Job::verify: return verifyAnswer(body, *machine, *cache, reporter, stop);
            case Job::compile: return compileAnswer(body, *machine, stop);
            case Job::assemble: return assembleAnswer(body, *machine, stop);
            case Job::sass: return sassAnswer(body, *machine, stop);
            case Job::run: return runAnswer(body, stop);
            case Job::profile: return profileAnswer(body, *machine, *cache, stop);
            case Job::bench: return benchAnswer(body, *machine, *cache, reporter, stop);
            case Job::replay: return replayAnswer(body, *machine, *cache, stop);
            }
            return failure(Cause::internal, "a job that this worker does not know");
        };
}

} // namespace ptxwb::worker
