#include "verify/benchmark_launch.h"

#include "kernel/sizes.h"
#include "verify/oracle.h"
#include "verify/planned_launch.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

gpu::Role roleOf(kernel::Access access) {
    switch (access) {
    case kernel::Access::in: return gpu::Role::input;
    case kernel::Access::out: return gpu::Role::output;
    case kernel::Access::inout: return gpu::Role::inout;
    case kernel::Access::scratch: break;
    }
    return gpu::Role::scratch;
}

} // namespace

Expected<kernel::LaunchData> benchmarkLaunch(const Context& context, const GpuExecutor& executor,
                                             const PtxKernel& kernel, kernel::Contents contents) {
    kernel::SizesOptions options;
    options.require = kernel.header.require;
    options.builtins = executor.builtins();
    const auto sizes = kernel::sizes(context.spec(), kernel::Use::benchmark, options);
    if (!sizes) return std::unexpected(sizes.error());
    if (sizes->empty())
        return failure(Cause::missing, "the spec names no benchmark size", "add `benchmark` to its symbols");
    return kernel::buildLaunch(context.input.kernel, sizes->back(),
                               {.seed = context.seed, .fill = {}, .launch = launchOf(kernel), .contents = contents});
}

Expected<std::shared_ptr<const std::vector<kernel::Buffer>>>
benchmarkInputs(const Context& context, const GpuExecutor& executor, const PtxKernel& kernel) {
    auto shape = benchmarkLaunch(context, executor, kernel, kernel::Contents::shapeOnly);
    if (!shape) return std::unexpected(std::move(shape.error()));
    context.progress(Stage::benchmark, 0, 0, "making the inputs");
    const std::string key = fmt::format("{} {} {}", cacheKey(context), describeSizes(shape->symbols), context.seed);
    return context.cache.benchmarkInputs(key, [&]() -> Expected<std::vector<kernel::Buffer>> {
        auto filled = benchmarkLaunch(context, executor, kernel, kernel::Contents::filled);
        if (!filled) return std::unexpected(std::move(filled.error()));
        if (auto done = applyInputs(context, *filled); !done) return std::unexpected(std::move(done.error()));
        return std::move(filled->buffers);
    });
}

std::vector<gpu::BenchBuffer> benchmarkBuffers(const kernel::KernelSpec& spec,
                                               const std::vector<kernel::Buffer>& contents) {
    std::vector<gpu::BenchBuffer> buffers;
    for (const kernel::Buffer& buffer : contents) {
        const kernel::Argument* argument = kernel::findArgument(spec, buffer.name);
        // Only values that a stress run may replace too: indices and tables stay as they are.
        const bool free = argument && kernel::isFillFree(*argument) && kernel::isFloat(buffer.type);
        buffers.push_back({buffer.bytes, roleOf(buffer.access), kernel::sizeOf(buffer.type), free, pointersOf(buffer),
                           buffer.isVariable ? buffer.name : std::string{}});
    }
    return buffers;
}

} // namespace ptxwb::verify
