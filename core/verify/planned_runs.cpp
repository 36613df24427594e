// The launches that a stage makes with a kernel: sizes of the spec, and those that it does not list.
#include "kernel/sizes.h"
#include "verify/dynamic_stages.h"

namespace ptxwb::verify {

namespace {

constexpr std::size_t drawnSizesOfStress = 2; ///< sizes that no prompt showed
constexpr std::size_t edgeSizesOfStress = 10;
constexpr std::size_t largeSizesOfStress = 2;

} // namespace

Expected<std::vector<PlannedRun>> plannedRuns(const Context& context, Stage stage, const PtxKernel& kernel,
                                              const Executor& executor) {
    kernel::SizesOptions options;
    options.require = kernel.header.require;
    options.builtins = executor.builtins();
    const auto function = kernel::sizes(context.spec(), kernel::Use::function, options);
    if (!function) return std::unexpected(function.error());
    if (stage == Stage::function) return functionRuns(*function, context.seed);
    auto stress = kernel::sizes(context.spec(), kernel::Use::stress, options);
    if (!stress) return std::unexpected(stress.error());
    if (stage == Stage::sanitize) return sanitizeRuns(*function, *stress, context.seed);
    auto unseen = kernel::drawnSizes(context.spec(), context.seed, drawnSizesOfStress, options);
    if (!unseen) return std::unexpected(unseen.error());
    auto large = kernel::largeSizes(context.spec(), largeSizesOfStress, options);
    if (!large) return std::unexpected(large.error());
    auto edges = kernel::edgeSizes(context.spec(), launchOf(kernel), edgeSizesOfStress, options);
    if (!edges) return std::unexpected(edges.error());
    return stressRuns(context.spec(), *stress, context.seed,
                      {std::move(*edges), std::move(*unseen), std::move(*large)});
}

} // namespace ptxwb::verify
