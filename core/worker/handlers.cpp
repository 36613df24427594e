#include "worker/handlers.h"

#include "verify/context.h"
#include "verify/funnel.h"
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

} // namespace

json helloOf(const verify::Machine& machine) {
    json toolkits = json::array();
    for (const auto& toolkit : machine.tools.toolkits) toolkits.push_back(toJson(toolkit));
    return {{"protocol", protocolVersion},
            {"version", PTXWB_VERSION},
            {"toolkits", std::move(toolkits)},
            {"devices", json::array()},
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
            case Job::run: return runAnswer(body, stop);
            }
            return failure(Cause::internal, "a job that this worker does not know");
        };
}

} // namespace ptxwb::worker
