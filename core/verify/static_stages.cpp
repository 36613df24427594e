#include "verify/static_stages.h"

#include "ptx/check.h"
#include "support/sha256.h"
#include "toolchain/cubin.h"
#include "toolchain/ptxas.h"
#include "verify/check_ledger.h"
#include "verify/entry.h"
#include "verify/environment.h"
#include "verify/execute.h"
#include "verify/findings.h"
#include "verify/oracle.h"
#include "verify/precision.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

constexpr std::string_view noPtxas = "no ptxas was found: registers, spills and machine code are unknown";

Finding limitFinding(const PtxKernel& candidate, std::string_view what, std::uint32_t used, std::uint32_t limit,
                     std::string_view arch) {
    Finding finding;
    finding.kind = FindingKind::outOfSpecification;
    finding.check = "limits";
    finding.message =
        fmt::format("{} uses {} {} on {}, the spec's limit is {}", candidate.entry->name, used, what, arch, limit);
    finding.hint = "the spec's `limits` say what production grants";
    place(finding, *candidate.module, candidate.entry->nameSpan);
    return finding;
}

void checkLimits(const kernel::Limits& limits, const PtxKernel& candidate, const EntryResources& used,
                 std::vector<Finding>& findings) {
    if (limits.registers && used.registers > *limits.registers)
        findings.push_back(limitFinding(candidate, "registers", used.registers, *limits.registers, used.arch));
    if (limits.sharedBytes && used.staticSharedBytes > *limits.sharedBytes)
        findings.push_back(
            limitFinding(candidate, "bytes of shared memory", used.staticSharedBytes, *limits.sharedBytes, used.arch));
}

EntryResources resourcesFrom(const toolchain::EntryResources& r, const std::string& arch) {
    return {
        arch,       r.entry,        r.registers, r.stackBytes, r.spillStoreBytes, r.spillLoadBytes, r.staticSharedBytes,
        r.barriers, r.constantBytes};
}

/// What ptxas says on one target. False where it cannot go on with others.
bool assembleFor(const Context& context, const PtxKernel& candidate, const toolchain::Toolkit& toolkit,
                 const std::string& arch, Assembled& to) {
    toolchain::PtxasRequest request;
    request.text = *candidate.module->text;
    request.file = candidate.module->name;
    request.arch = arch;
    const auto result = toolchain::assemble(request, toolkit, context.stop);
    if (!result) {
        to.stage.status = Status::inconclusive;
        to.stage.reason = result.error().message;
        return false;
    }
    to.toolkit = result->version;
    to.stage.seconds += result->seconds;
    for (const Diagnostic& diagnostic : result->diagnostics) {
        if (diagnostic.severity == Severity::note) continue;
        Finding finding =
            findingFrom(diagnostic, result->timedOut ? FindingKind::timeout : FindingKind::assembler, "ptxas");
        if (diagnostic.severity == Severity::warning) finding.check = "ptxas_warning";
        to.stage.findings.push_back(std::move(finding));
    }
    if (!result->ok) to.stage.status = Status::fail;
    for (const auto& entry : result->resources) {
        to.resources.push_back(resourcesFrom(entry, arch));
        if (candidate.entry && entry.entry == candidate.entry->name)
            checkLimits(context.spec().limits, candidate, to.resources.back(), to.stage.findings);
    }
    if (result->ok && to.textSha256.empty())
        to.textSha256 = toolchain::textSha256(result->cubin).value_or(std::string{});
    return true;
}

} // namespace

std::vector<std::string> architectures(const Context& context, const ptx::Module& module) {
    if (!context.input.plan.architectures.empty()) return context.input.plan.architectures;
    if (!context.spec().arch.empty()) return {context.spec().arch};
    for (const std::string_view target : module.targets)
        if (target.starts_with("sm_")) return {std::string(target)};
    return {"sm_90"};
}

namespace {

/// Whether the baseline is what production would have without us. Source: verification.md, "beats a straw man".
void checkBaselineFlags(const Context& context, CheckLedger& ledger) {
    constexpr std::string_view check = "baseline_flags";
    const kernel::KernelSpec& spec = context.spec();
    if (spec.source.empty()) return ledger.left(check, "the spec has no source that a baseline could be made of");
    if (!spec.baseline || context.input.plan.rebuildBaseline)
        return ledger.made(check, "compiled for this verification with the spec's flags");
    if (spec.baseline->sourceSha256.empty())
        return ledger.left(check, fmt::format("{} is recorded without the hash of its source", spec.baseline->ptx));
    const auto source = context.input.kernel.files.find(spec.source);
    if (source != context.input.kernel.files.end() && sha256Hex(source->second) != spec.baseline->sourceSha256)
        return ledger.failed(check, fmt::format("{} has changed since {} was made from it: verify with "
                                                "--rebuild-baseline",
                                                spec.source, spec.baseline->ptx));
    const bool optimises = std::ranges::none_of(
        spec.flags, [](const std::string& flag) { return flag == "-O0" || flag == "-O1" || flag == "-G"; });
    if (!optimises)
        return ledger.failed(check, "the spec's flags turn the baseline's optimisation down: who beats it has beaten "
                                    "nothing");
    ledger.made(check, fmt::format("recorded from the source as it is, nvcc {}", spec.baseline->nvcc));
}

} // namespace

StageResult parseStage(const Context& context, PtxKernel& candidate, const PtxKernel* baseline) {
    StageResult result{Stage::parse, Status::pass, "host", {}, 0, {}, 0};
    const auto start = std::chrono::steady_clock::now();
    for (const Diagnostic& diagnostic : ptx::check(*candidate.module)) {
        if (diagnostic.severity != Severity::error) continue;
        result.findings.push_back(findingFrom(diagnostic, FindingKind::syntax, "parser"));
        result.status = Status::fail;
        if (result.findings.size() >= context.input.plan.findingLimit) break;
    }
    if (candidate.headerProblem) {
        result.findings.push_back(findingFrom(*candidate.headerProblem, FindingKind::launch, "header"));
        result.status = Status::fail;
    }
    const auto entry = resolveEntries(candidate, context.spec());
    if (!entry && result.status == Status::pass) {
        result.findings.push_back(findingFrom(entry.error(), FindingKind::launch, "entry"));
        result.status = Status::fail;
    }
    CheckLedger ledger;
    checkBaselineFlags(context, ledger);
    if (result.status == Status::pass) {
        ledger.made("precision");
        for (Finding& finding :
             lowerPrecision(context.spec(), *candidate.module, baseline ? baseline->module.get() : nullptr)) {
            result.status = Status::fail;
            result.findings.push_back(std::move(finding));
        }
        if (context.input.candidate) {
            ledger.made("environment");
            for (Finding& finding :
                 readsEnvironment(context.spec(), *candidate.module, baseline ? baseline->module.get() : nullptr)) {
                result.status = Status::fail;
                result.findings.push_back(std::move(finding));
            }
        } else {
            ledger.left("environment", "candidates are held against the baseline in this");
        }
        addCudaPlaces(result.findings, *candidate.module);
    }
    result.checks = ledger.outcomes();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

std::string machineCodeHash(const Context& context, const PtxKernel& kernel) {
    const toolchain::Toolkit* toolkit = context.machine.assembler();
    if (!toolkit) return {};
    toolchain::PtxasRequest request;
    request.text = *kernel.module->text;
    request.file = kernel.module->name;
    request.arch = architectures(context, *kernel.module).front();
    const std::string key =
        fmt::format("machine code {} {} {}", sha256Hex(request.text), request.arch, toolkit->ptxas->string());
    if (auto known = context.cache.text(key)) return *known;
    const auto assembled = toolchain::assemble(request, *toolkit, context.stop);
    if (!assembled || !assembled->ok) return {};
    std::string hash = toolchain::textSha256(assembled->cubin).value_or(std::string{});
    context.cache.store(key, hash);
    return hash;
}

Assembled assembleStage(const Context& context, const PtxKernel& candidate) {
    if (const toolchain::Toolkit* toolkit = context.machine.assembler())
        return assembleWith(context, candidate, *toolkit);
    Assembled to;
    to.stage = {Stage::assemble, Status::skipped, "ptxas", {}, 0, {}, 0};
    to.stage.reason = fmt::format("{}; install a CUDA toolkit or set PTXWB_PTXAS", noPtxas);
    return to;
}

Assembled assembleWith(const Context& context, const PtxKernel& candidate, const toolchain::Toolkit& toolkit) {
    Assembled to;
    to.stage = {Stage::assemble, Status::pass, "ptxas", {}, 0, {}, 0};
    for (const std::string& arch : architectures(context, *candidate.module))
        if (!assembleFor(context, candidate, toolkit, arch, to)) break;
    const bool overLimits = std::ranges::find(to.stage.findings, FindingKind::outOfSpecification, &Finding::kind) !=
                            to.stage.findings.end();
    if (overLimits && to.stage.status == Status::pass) to.stage.status = Status::fail;
    addCudaPlaces(to.stage.findings, *candidate.module);
    return to;
}

} // namespace ptxwb::verify
