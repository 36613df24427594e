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

Expected<kernel::CompiledReference> hostProgram(const Context& context, kernel::HostRole role) {
    const kernel::HostFunction& function =
        role == kernel::HostRole::inputs ? *context.spec().inputs : *context.spec().compare;
    if (context.input.plan.reference == ReferenceTrust::refused)
        return failure(Cause::missing, fmt::format("{} was not trusted to run", function.file),
                       "read it, then say --trust");
    auto compiled = kernel::compileReference(context.input.kernel, referenceOptions(context), context.stop, role);
    if (!compiled && compiled.error().cause == Cause::rejected) compiled.error().cause = Cause::badRequest;
    return compiled;
}

Expected<void> applyInputs(const Context& context, kernel::LaunchData& data) {
    if (!context.spec().inputs) return {};
    const auto program = hostProgram(context, kernel::HostRole::inputs);
    if (!program) return std::unexpected(program.error());
    auto done = kernel::runInputs(*program, context.input.kernel, data, referenceOptions(context), context.stop);
    // It is a part of the spec: the request is wrong, not the candidate.
    if (!done && done.error().cause == Cause::rejected) done.error().cause = Cause::badRequest;
    return done;
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
