#include "verify/deep_checks.h"

#include "kernel/sizes.h"
#include "support/child_process.h"
#include "support/files.h"
#include "verify/baseline.h"
#include "verify/entry.h"
#include "verify/gpu_executor.h"
#include "verify/own_lines.h"
#include "verify/run_plan.h"

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
    if (!context.spec().launches.empty() || !context.spec().globals.empty() || context.spec().inputs ||
        std::ranges::any_of(context.spec().arguments, [](const kernel::Argument& argument) {
            return argument.kind == kernel::ArgumentKind::pointerArray;
        })) {
        result.notes.emplace_back("compute-sanitizer over several launches, module variables, pointer arrays or inputs "
                                  "of a host function is not supported yet");
        return result;
    }
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
    PtxKernel kernel = loadPtx(input.kernel.spec, input.candidate->name, "candidate.ptx", input.candidate->text);
    if (!input.kernel.spec.launches.empty() || !input.kernel.spec.globals.empty() || input.kernel.spec.inputs)
        return failure(Cause::missing, "tools over several launches, module variables or inputs of a host function are "
                                       "not supported yet");
    const auto entry = findEntry(*kernel.module, input.kernel.spec.entry);
    if (!entry) return std::unexpected(entry.error());
    auto gpu = gpu::Gpu::open({input.plan.device, {}, gpu::Gpu::Purpose::tools});
    if (!gpu) return std::unexpected(std::move(gpu.error()));
    const auto cubin = cubinWithOwnLines(*kernel.module, archFor(*kernel.module, (*gpu)->device()), machine, stop);
    if (!cubin) return std::unexpected(cubin.error());
    auto loaded = (*gpu)->load(*cubin, std::string((*entry)->name));
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    kernel::SizesOptions options;
    options.require = kernel.header.require;
    options.builtins = {{"sm_count", (*gpu)->device().smCount}, {"max_blocks_per_sm", 1}};
    const auto sizes = kernel::sizes(input.kernel.spec, kernel::Use::function, options);
    if (!sizes) return std::unexpected(sizes.error());
    for (const PlannedRun& run : functionRuns(*sizes, input.plan.seed.value_or(defaultSeed(input.kernel)))) {
        const auto data = kernel::buildLaunch(
            input.kernel, run.sizes, buildOptions(run, kernel.header.launch ? &*kernel.header.launch : nullptr));
        if (!data) return std::unexpected(data.error());
        if (data->isEmpty()) continue;
        gpu::LaunchRequest launch = launchRequest(*data);
        launch.deadline = toolDeadline;
        for (const kernel::Buffer& buffer : data->buffers) {
            const bool isOutput = buffer.access == kernel::Access::out;
            launch.buffers.push_back({isOutput ? std::span<const std::uint8_t>() : std::span(buffer.bytes),
                                      buffer.align, gpu::Access::readWrite, buffer.bytes.size()});
        }
        if (auto done = (*gpu)->launchPlain(**loaded, launch); !done) return done;
    }
    return {};
}

} // namespace ptxwb::verify
