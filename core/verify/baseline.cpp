#include "verify/baseline.h"

#include "ptx/parse.h"
#include "toolchain/nvcc.h"
#include "verify/oracle.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

Expected<std::string> compileBaseline(const Context& context) {
    const kernel::KernelSpec& spec = context.spec();
    const std::string key = cacheKey(context) + "baseline";
    if (auto known = context.cache.text(key)) return *known;
    const auto& toolkits = context.machine.tools.toolkits;
    const auto toolkit = std::ranges::find_if(toolkits, [](const auto& t) { return t.nvcc.has_value(); });
    if (toolkit == toolkits.end())
        return failure(Cause::missing,
                       fmt::format("the baseline of {} must be compiled, and no nvcc was found", spec.name),
                       "install a CUDA toolkit or set PTXWB_NVCC, or record the PTX in the spec's `baseline`");
    toolchain::NvccRequest request;
    request.source = spec.source;
    request.files.emplace(context.input.kernel.files.begin(), context.input.kernel.files.end());
    request.arch = spec.arch.empty() ? "sm_90" : spec.arch;
    request.flags = spec.flags;
    auto result = toolchain::compileToPtx(request, *toolkit, context.stop);
    if (!result) return std::unexpected(std::move(result.error()));
    if (!result->ok) {
        const auto error = std::ranges::find(result->diagnostics, Severity::error, &Diagnostic::severity);
        Diagnostic problem = error != result->diagnostics.end()
                                 ? *error
                                 : failure(Cause::badRequest, "nvcc failed: " + result->log).error();
        problem.cause = Cause::badRequest;
        return std::unexpected(std::move(problem));
    }
    context.cache.store(key, result->ptx);
    return std::move(result->ptx);
}

} // namespace

PtxKernel loadPtx(const kernel::KernelSpec& spec, std::string name, std::string file, std::string text) {
    PtxKernel kernel;
    kernel.name = std::move(name);
    auto header = kernel::readCandidateHeader(text, kernel::symbolNames(spec), file);
    if (header)
        kernel.header = std::move(*header);
    else
        kernel.headerProblem = std::move(header.error());
    kernel.module = ptx::parse(std::move(text), std::move(file));
    return kernel;
}

Expected<std::optional<PtxKernel>> loadBaseline(const Context& context) {
    const kernel::KernelSpec& spec = context.spec();
    const bool recorded = spec.baseline && !spec.baseline->ptx.empty() && !context.input.plan.rebuildBaseline;
    if (!recorded && spec.source.empty()) return std::nullopt;
    std::string file = recorded ? spec.baseline->ptx : spec.name + ".ptx";
    std::string text;
    if (recorded) {
        const auto known = context.input.kernel.files.find(file);
        if (known == context.input.kernel.files.end())
            return failure(Cause::badRequest, fmt::format("the baseline {} is not among the kernel's files", file));
        text = known->second;
    } else {
        auto compiled = compileBaseline(context);
        if (!compiled) return std::unexpected(std::move(compiled.error()));
        text = std::move(*compiled);
    }
    return loadPtx(spec, "baseline", std::move(file), std::move(text));
}

} // namespace ptxwb::verify
