#include "verify/planned_launch.h"

#include "verify/oracle.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

kernel::ReferenceOptions referenceOptions(const Context& context) {
    kernel::ReferenceOptions options;
    options.cacheFolder = context.machine.cacheFolder;
    return options;
}

namespace {

Expected<kernel::CompiledReference> hostProgram(const kernel::Kernel& kernel, ReferenceTrust trust,
                                                const kernel::ReferenceOptions& options, std::stop_token stop,
                                                kernel::HostRole role) {
    const kernel::HostFunction& function =
        role == kernel::HostRole::inputs ? *kernel.spec.inputs : *kernel.spec.compare;
    if (trust == ReferenceTrust::refused)
        return failure(Cause::missing, fmt::format("{} was not trusted to run", function.file),
                       "read it, then say --trust");
    auto compiled = kernel::compileReference(kernel, options, stop, role);
    if (!compiled && compiled.error().cause == Cause::rejected) compiled.error().cause = Cause::badRequest;
    return compiled;
}

} // namespace

Expected<kernel::CompiledReference> hostProgram(const Context& context, kernel::HostRole role) {
    return hostProgram(context.input.kernel, context.input.plan.reference, referenceOptions(context), context.stop,
                       role);
}

Expected<void> applyInputs(const kernel::Kernel& kernel, ReferenceTrust trust, const kernel::ReferenceOptions& options,
                           kernel::LaunchData& data, std::stop_token stop) {
    if (!kernel.spec.inputs) return {};
    const auto program = hostProgram(kernel, trust, options, stop, kernel::HostRole::inputs);
    if (!program) return std::unexpected(program.error());
    auto done = kernel::runInputs(*program, kernel, data, options, stop);
    // It is a part of the spec: the request is wrong, not the candidate.
    if (!done && done.error().cause == Cause::rejected) done.error().cause = Cause::badRequest;
    return done;
}

Expected<void> applyInputs(const Context& context, kernel::LaunchData& data) {
    return applyInputs(context.input.kernel, context.input.plan.reference, referenceOptions(context), data,
                       context.stop);
}

Expected<kernel::LaunchData> plannedLaunch(const Context& context, const PlannedRun& run,
                                           const kernel::LaunchOverride* own) {
    auto data = kernel::buildLaunch(context.input.kernel, run.sizes, buildOptions(run, own));
    if (!data || !context.spec().inputs) return data;
    if (auto done = applyInputs(context, *data); !done) return std::unexpected(std::move(done.error()));
    if (run.alias) { // what lies in one place begins with one content
        const auto named = [&](const std::string& name) {
            return std::ranges::find(data->buffers, name, &kernel::Buffer::name);
        };
        named(run.alias->buffer)->bytes = named(run.alias->of)->bytes;
    }
    return data;
}

} // namespace ptxwb::verify
