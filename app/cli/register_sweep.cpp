#include "register_sweep.h"

#include "gpu/architectures.h"
#include "kernel/layout.h"
#include "kernel/sizes.h"
#include "verify/emulated_device.h"
#include "verify/register_sweep.h"
#include "verify/result.h"
#include "worker/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

/// The recorded text; where there is none, what nvcc makes of the source now.
Expected<verify::CandidateText> baselineText(const KernelArgument& kernel, const std::string& arch, bool rebuild,
                                             worker::WorkerClient& client, std::stop_token stop) {
    const kernel::KernelSpec& spec = kernel.kernel.spec;
    if (spec.baseline && !rebuild)
        return verify::CandidateText{"baseline", spec.baseline->ptx, kernel.kernel.files.at(spec.baseline->ptx)};
    if (spec.source.empty())
        return failure(Cause::badRequest,
                       fmt::format("{} has no baseline: there are no registers to sweep", spec.name));
    const worker::CompileRequest request{kernel.kernel, {arch}};
    const auto answer = client.call(worker::Job::compile, worker::toJson(request), {}, stop);
    if (!answer) return std::unexpected(answer.error());
    const nlohmann::json& made = answer->at("results").at(0);
    if (!made.at("ok").get<bool>())
        return failure(Cause::badRequest, fmt::format("{} does not compile for {}", spec.source, arch),
                       fmt::format("see `ptxwb compile {} --arch {}`", spec.name, arch));
    return verify::CandidateText{"baseline", spec.name + '.' + arch + ".ptx", made.at("ptx").get<std::string>()};
}

/// Registers and block of the baseline as ptxas makes it.
Expected<verify::CandidateResult> assembled(const KernelArgument& kernel, verify::Plan plan,
                                            worker::WorkerClient& client, std::stop_token stop) {
    plan.stages = {verify::Stage::parse, verify::Stage::assemble};
    plan.toolkits.clear();
    const auto done =
        client.call(worker::Job::verify, worker::toJson(verify::VerifyInput{kernel.kernel, {}, plan}), {}, stop);
    if (!done) return std::unexpected(done.error());
    auto report = verify::verifyReportFromJson(*done);
    if (!report) return std::unexpected(report.error());
    verify::CandidateResult& result = report->results.at(0);
    if (result.resources.empty() || result.occupancy.empty())
        return failure(Cause::missing, "--register-sweep needs ptxas's figures of the baseline, and there are none",
                       "`ptxwb doctor` says what is missing here");
    return std::move(result);
}

/// Dynamic shared memory of the launch at the largest of the function sizes, as for the occupancy that is told.
Expected<std::uint32_t> sharedBytes(const kernel::Kernel& kernel) {
    kernel::SizesOptions options;
    options.builtins = verify::withDevice({});
    const auto sizes = kernel::sizes(kernel.spec, kernel::Use::function, options);
    if (!sizes) return std::unexpected(sizes.error());
    if (sizes->empty()) return 0;
    const auto data = kernel::buildLaunch(kernel, sizes->back(), {});
    if (!data) return std::unexpected(data.error());
    return static_cast<std::uint32_t>(data->sharedBytes);
}

} // namespace

Expected<std::vector<verify::CandidateText>> sweptBaselines(const KernelArgument& kernel, const verify::Plan& plan,
                                                            worker::WorkerClient& client, std::stop_token stop) {
    const std::string& wanted = kernel.kernel.spec.arch;
    const std::string arch = !plan.architectures.empty() ? plan.architectures.front()
                             : wanted.empty()            ? "sm_90"
                                                         : wanted;
    const auto text = baselineText(kernel, arch, plan.rebuildBaseline, client, stop);
    if (!text) return std::unexpected(text.error());
    const auto result = assembled(kernel, plan, client, stop);
    if (!result) return std::unexpected(result.error());
    const verify::OccupancyFigure& occupancy = result->occupancy.front();
    // Of the launched entry, whose mangled name has the spec's in it; ptxas tells of the others too.
    auto own = std::ranges::find_if(result->resources, [&](const verify::EntryResources& each) {
        return each.arch == occupancy.arch && each.entry.find(kernel.kernel.spec.entry) != std::string::npos;
    });
    if (own == result->resources.end()) own = result->resources.begin();
    const verify::EntryResources& resources = *own;
    const auto shared = sharedBytes(kernel.kernel);
    if (!shared) return std::unexpected(shared.error());
    const auto architecture = gpu::architecture(resources.arch);
    if (!architecture) return std::unexpected(architecture.error());
    const auto steps = verify::registerSteps(*architecture, resources, occupancy.block, *shared);
    if (steps.empty())
        fmt::print(
            stderr,
            "--register-sweep: the baseline's {} registers are not what limits it on {} ({} blocks of {} threads "
            "fit, limit: {}), so there is nothing to sweep\n",
            resources.registers, resources.arch, occupancy.blocksPerSm, occupancy.block, occupancy.limiter);
    return verify::registerSweep(*text, steps);
}

} // namespace ptxwb::cli
