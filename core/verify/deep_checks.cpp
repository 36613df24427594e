#include "verify/deep_checks.h"

#include "kernel/sizes.h"
#include "support/child_process.h"
#include "support/files.h"
#include "verify/baseline.h"
#include "verify/entry.h"
#include "verify/funnel.h"
#include "verify/gpu_executor.h"
#include "verify/oracle.h"
#include "verify/own_lines.h"
#include "verify/planned_launch.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

constexpr std::array<std::string_view, 4> tools{"memcheck", "racecheck", "initcheck", "synccheck"};
constexpr std::chrono::milliseconds toolDeadline{120'000};

std::optional<std::filesystem::path> sanitizerOf(const Machine& machine) {
    for (const auto& toolkit : machine.tools.toolkits)
        if (toolkit.computeSanitizer) return toolkit.computeSanitizer;
    return std::nullopt;
}

} // namespace

Expected<DeepChecks> deepChecks(const Context& context, const PtxKernel& kernel) {
    DeepChecks result;
    const auto sanitizer = sanitizerOf(context.machine);
    if (!sanitizer || !context.machine.launchCommand) {
        result.notes.emplace_back(sanitizer ? "this process cannot start others for tools"
                                            : "compute-sanitizer was not found beside a CUDA toolkit");
        return result;
    }
    auto folder = TemporaryFolder::create();
    if (!folder) return std::unexpected(std::move(folder.error()));
    VerifyInput input = context.input;
    input.candidate = CandidateText{kernel.name, "candidate.ptx", *kernel.module->text};
    const auto launch = context.machine.launchCommand(input, folder->path());
    if (!launch) return std::unexpected(launch.error());
    for (const std::string_view tool : tools) {
        if (context.stop.stop_requested()) return failure(Cause::cancelled, "cancelled");
        context.progress(Stage::sanitize, result.toolsRun, static_cast<std::uint32_t>(tools.size()),
                         fmt::format("compute-sanitizer {}", tool));
        const auto saved = folder->path() / fmt::format("{}.xml", tool);
        ChildRequest child;
        child.arguments = {sanitizer->string(), "--tool", std::string(tool), "--xml", "--save", saved.string()};
        child.arguments.insert(child.arguments.end(), launch->begin(), launch->end());
        child.deadline = toolDeadline;
        const ChildResult ended = runChild(child, context.stop);
        const auto xml = readFile(saved);
        if (!xml) {
            result.notes.push_back(fmt::format("compute-sanitizer {} {}: {}", tool, describe(ended, toolDeadline),
                                               ended.errors.substr(0, 200)));
            continue;
        }
        ++result.toolsRun;
        auto findings = findingsOfSanitizer(tool, *xml);
        if (!findings) return std::unexpected(std::move(findings.error()));
        std::ranges::move(*findings, std::back_inserter(result.findings));
    }
    return result;
}

Expected<void> launchForTools(const VerifyInput& input, const Machine& machine, std::stop_token stop) {
    if (!input.candidate) return failure(Cause::badRequest, "there is no candidate to launch");
    const auto cache = makeOracleCache();
    const auto quiet = [](Stage, std::uint32_t, std::uint32_t, const std::string&) {};
    const Context context{input, machine, *cache, input.plan.seed.value_or(defaultSeed(input.kernel)), quiet, stop};
    PtxKernel kernel = loadPtx(context.spec(), input.candidate->name, "candidate.ptx", input.candidate->text);
    if (auto entry = resolveEntries(kernel, context.spec()); !entry) return entry;
    auto gpu = gpu::Gpu::open({input.plan.device, {}, gpu::Gpu::Purpose::tools});
    if (!gpu) return std::unexpected(std::move(gpu.error()));
    const auto cubin = cubinWithOwnLines(*kernel.module, archFor(*kernel.module, (*gpu)->device()), machine, stop);
    if (!cubin) return std::unexpected(cubin.error());
    auto loaded = (*gpu)->load(*cubin, std::string(kernel.entry->name));
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    std::vector<std::unique_ptr<gpu::Kernel>> following;
    for (const FollowingEntry& next : kernel.following) {
        auto other = (*gpu)->entry(**loaded, std::string(next.entry->name));
        if (!other) return std::unexpected(std::move(other.error()));
        following.push_back(std::move(*other));
    }
    kernel::SizesOptions options;
    options.require = kernel.header.require;
    options.builtins = {{"sm_count", (*gpu)->device().smCount}, {"max_blocks_per_sm", 1}};
    const auto sizes = kernel::sizes(context.spec(), kernel::Use::function, options);
    if (!sizes) return std::unexpected(sizes.error());
    for (const PlannedRun& run : functionRuns(*sizes, context.seed)) {
        const auto data = plannedLaunch(context, run, launchOf(kernel));
        if (!data) return std::unexpected(data.error());
        if (data->isEmpty()) continue;
        gpu::LaunchRequest launch = launchRequest(*data);
        for (std::size_t i = 0; i < launch.following.size(); ++i) launch.following[i].kernel = following.at(i).get();
        launch.deadline = toolDeadline;
        for (const kernel::Buffer& buffer : data->buffers) {
            const bool isOutput = buffer.access == kernel::Access::out;
            gpu::BufferIn& in = launch.buffers.emplace_back();
            in.access = gpu::Access::readWrite;
            in.align = buffer.align;
            if (buffer.isVariable) {
                launch.variables.push_back({buffer.name, buffer.bytes});
                continue;
            }
            // What nobody writes is for the tool to see.
            if (!isOutput) in.bytes = buffer.bytes;
            in.size = buffer.bytes.size();
            in.pointers = pointersOf(buffer);
        }
        if (auto done = (*gpu)->launchPlain(**loaded, launch); !done) return done;
    }
    return {};
}

} // namespace ptxwb::verify
