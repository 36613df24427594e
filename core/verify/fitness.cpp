#include "verify/fitness.h"

#include "gpu/occupancy.h"
#include "kernel/launch_shape.h"
#include "kernel/sizes.h"
#include "verify/emulated_device.h"
#include "verify/entry.h"
#include "verify/execute.h"
#include "verify/findings.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

std::optional<Unfit> whyUnfit(const Context& context, const PtxKernel& kernel, const PtxKernel* baseline) {
    const kernel::KernelSpec& spec = context.spec();
    if (const auto features = kernel::unsupportedFeatures(spec); !features.empty()) {
        Finding finding = findingFrom(features.front(), FindingKind::unsupported, "spec");
        finding.line = finding.column = finding.length = 0; // that place is in the spec, not in the PTX
        return Unfit{std::move(finding), Status::inconclusive, "the spec asks for what is not supported yet"};
    }
    if (spec.inputs && context.input.plan.reference == ReferenceTrust::refused) {
        Finding finding;
        finding.kind = FindingKind::unsupported;
        finding.check = "spec";
        finding.message = fmt::format("{} makes the inputs, and it was not trusted to run", spec.inputs->file);
        finding.hint = "read it, then say --trust";
        return Unfit{std::move(finding), Status::inconclusive, "there are no inputs without the spec's host function"};
    }
    if (!kernel.entry) {
        PtxKernel copy = kernel;
        const auto entry = resolveEntries(copy, spec);
        if (entry) return std::nullopt;
        return Unfit{findingFrom(entry.error(), FindingKind::launch, "entry"), Status::fail, "it has no such entry"};
    }
    // With a sequence of its own it has entries of its own.
    const bool ownEntries = launchOf(kernel) && !launchOf(kernel)->steps.empty();
    if (baseline && baseline->entry && baseline != &kernel && !ownEntries)
        if (auto finding =
                compareParameters(*kernel.module, *kernel.entry, parameterPlaces(*baseline->entry), "the baseline"))
            return Unfit{std::move(*finding), Status::fail, "its parameters are not the baseline's"};
    return std::nullopt;
}

std::optional<Finding> beyondEmulator(PtxKernel& kernel) {
    const auto decoded = decodeEntry(kernel);
    if (decoded) return std::nullopt;
    return findingFrom(decoded.error(), FindingKind::unsupported, "emulator");
}

std::optional<Finding> refusedAtBenchmark(const Context& context, const PtxKernel& kernel,
                                          const kernel::Symbols& builtins) {
    if (!launchOf(kernel)) return std::nullopt;
    kernel::SizesOptions options;
    options.require = kernel.header.require;
    options.builtins = builtins;
    const auto sizes = kernel::sizes(context.spec(), kernel::Use::benchmark, options);
    if (!sizes) return std::nullopt; // its requirements leave none of these
    for (const kernel::Symbols& each : *sizes) {
        const auto data = kernel::buildLaunch(context.input.kernel, each,
                                              {.seed = context.seed,
                                               .fill = {},
                                               .launch = launchOf(kernel),
                                               .byteLimit = ~std::uint64_t{0},
                                               .contents = kernel::Contents::shapeOnly});
        if (data || data.error().cause != Cause::rejected) continue;
        Finding finding = findingFrom(data.error(), FindingKind::launch, "launch");
        finding.message = "at the benchmark's size, " + finding.message;
        return finding;
    }
    return std::nullopt;
}

std::vector<OccupancyFigure> occupancyOf(const Context& context, const PtxKernel& kernel,
                                         const std::vector<EntryResources>& resources) {
    std::vector<OccupancyFigure> figures;
    if (!kernel.entry) return figures;
    kernel::SizesOptions options;
    options.require = kernel.header.require;
    options.builtins = withDevice({});
    const auto sizes = kernel::sizes(context.spec(), kernel::Use::function, options);
    if (!sizes || sizes->empty()) return figures;
    const auto data = kernel::buildLaunch(context.input.kernel, sizes->back(),
                                          {.seed = context.seed, .fill = {}, .launch = launchOf(kernel)});
    if (!data) return figures;
    const std::uint32_t block = data->block[0] * data->block[1] * data->block[2];
    for (const EntryResources& r : resources) {
        const auto arch = gpu::architecture(r.arch);
        if (!arch || r.entry != kernel.entry->name) continue;
        const auto figure = gpu::occupancy(*arch, {.block = block,
                                                   .registers = r.registers,
                                                   .sharedStatic = r.staticSharedBytes,
                                                   .sharedDynamic = data->sharedBytes,
                                                   .barriers = r.barriers,
                                                   .cluster = data->cluster[0] * data->cluster[1] * data->cluster[2]});
        if (figure)
            figures.push_back({r.arch, block, figure->blocksPerSm, figure->warpsPerSm, figure->percent,
                               std::string(name(figure->limiter))});
    }
    return figures;
}

} // namespace ptxwb::verify
