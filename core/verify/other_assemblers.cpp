#include "verify/other_assemblers.h"

#include "gpu/device.h"
#include "verify/findings.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

struct OtherAssemblers::Entry {
    OtherAssembler report;
    const toolchain::Toolkit* toolkit = nullptr; ///< null: the driver
    std::unique_ptr<GpuExecutor> executor = {};
    bool isRefused = false; ///< and that was said

    std::string title() const { return fmt::format("{} {}", report.name, report.version); }
    /// How findings call what it makes.
    std::string under() const {
        return toolkit ? fmt::format("as {} assembles it: ", title()) : "as the driver compiles it: ";
    }
};

namespace {

void note(StageResult& result, const std::string& text) {
    result.reason += (result.reason.empty() ? "" : "; ") + text;
}

constexpr std::string_view check = "other_assemblers";

} // namespace

Expected<std::vector<toolchain::Toolkit>> otherToolkits(const Plan& plan, std::stop_token stop) {
    std::vector<toolchain::Toolkit> toolkits;
    for (const std::string& folder : plan.toolkits) {
        auto toolkit = toolchain::toolkitIn(folder, stop);
        if (!toolkit) return std::unexpected(std::move(toolkit.error()));
        toolkits.push_back(std::move(*toolkit));
    }
    return toolkits;
}

OtherAssemblers::OtherAssemblers(const Context& context, GpuExecutor* gpu, std::string noGpu)
    : m_context(context), m_gpu(gpu), m_noGpu(std::move(noGpu)) {
    for (const toolchain::Toolkit& toolkit : context.otherToolkits) {
        Entry& entry = m_entries.emplace_back();
        entry.toolkit = &toolkit;
        entry.report.name = "ptxas";
        entry.report.version = toolkit.version;
    }
    if (context.spec().shipsAs == kernel::ShipsAs::ptx && gpu) {
        Entry& entry = m_entries.emplace_back();
        entry.report.name = "driver";
        entry.report.version = gpu::driverRelease();
    }
}

OtherAssemblers::~OtherAssemblers() = default;

void OtherAssemblers::assemble(Assembled& to, const PtxKernel& kernel) {
    std::vector<std::string> titles;
    m_textSha256 = to.textSha256;
    for (Entry& entry : m_entries) {
        if (!entry.toolkit) continue;
        Assembled other = assembleWith(m_context, kernel, *entry.toolkit);
        OtherAssembler& report = entry.report;
        if (!other.toolkit.empty()) report.version = other.toolkit;
        report.textSha256 = other.textSha256;
        report.assembled = !other.textSha256.empty();
        for (const EntryResources& r : other.resources)
            if (!report.registers && kernel.entry && r.entry == kernel.entry->name) report.registers = r.registers;
        to.stage.seconds += other.stage.seconds;
        if (!report.assembled) {
            entry.isRefused = true;
            report.reason = other.stage.status == Status::inconclusive ? other.stage.reason : "it refuses the text";
        }
        if (other.stage.status == Status::fail) to.stage.status = Status::fail;
        if (other.stage.status == Status::inconclusive && to.stage.status == Status::pass) {
            to.stage.status = Status::inconclusive;
            note(to.stage, fmt::format("{}: {}", entry.title(), other.stage.reason));
        }
        for (Finding& finding : other.stage.findings) {
            if (finding.check == "ptxas_warning") continue; // the first one has said it
            finding.message = fmt::format("{}: {}", entry.title(), finding.message);
            if (finding.check == "ptxas") finding.check = check;
            to.stage.findings.push_back(std::move(finding));
        }
        titles.push_back(entry.title());
    }
    if (titles.empty()) {
        to.stage.checks.push_back(
            {std::string(check), CheckStatus::notRun, "no further toolkit was named (--toolkit)"});
    } else if (std::ranges::none_of(m_entries, &Entry::isRefused)) {
        std::string all;
        for (const std::string& title : titles) all += (all.empty() ? "" : ", ") + title;
        to.stage.checks.push_back({std::string(check), CheckStatus::passed, "also " + all});
    }
}

Expected<void> OtherAssemblers::runToo(StageResult& result, PtxKernel& kernel, Oracle& oracle, bool isBaseline) {
    if (result.stage == Stage::sanitize) return {};
    if (m_context.spec().shipsAs == kernel::ShipsAs::ptx && !m_gpu)
        note(result, "it ships as PTX, and the compiler of the driver was not tried: " + m_noGpu);
    for (Entry& entry : m_entries)
        if (auto done = runUnder(entry, result, kernel, oracle, isBaseline); !done) return done;
    return {};
}

Expected<void> OtherAssemblers::runUnder(Entry& entry, StageResult& result, PtxKernel& kernel, Oracle& oracle,
                                         bool isBaseline) {
    if (entry.isRefused) return {};
    if (!m_gpu) {
        entry.report.reason = "only a GPU can run its machine code: " + m_noGpu;
        return {};
    }
    if (result.status == Status::fail || m_gpu->isLost()) { // judged already
        if (entry.report.reason.empty()) entry.report.reason = "the stage had failed before";
        return {};
    }
    const std::string arch = archFor(*kernel.module, m_gpu->device());
    if (entry.toolkit && entry.report.textSha256 == m_textSha256 &&
        architectures(m_context, *kernel.module).front() == arch) {
        entry.report.reason = "the same machine code";
        return {};
    }
    if (!entry.executor)
        entry.executor = entry.toolkit
                             ? std::make_unique<GpuExecutor>(m_context, m_gpu->gpu(), *entry.toolkit)
                             : std::make_unique<GpuExecutor>(m_context, m_gpu->gpu(), GpuExecutor::Compiler::driver);
    if (auto ready = entry.executor->prepare(kernel); !ready) {
        const bool isDriver = !entry.toolkit;
        Finding finding = findingFrom(ready.error(), FindingKind::assembler, isDriver ? "driver" : std::string(check));
        finding.message =
            isDriver ? fmt::format("the driver ({}) does not take the PTX: {}", entry.report.version, finding.message)
                     : fmt::format("{}: {}", entry.title(), finding.message);
        if (isDriver) finding.hint = "ship a cubin, or write for the PTX version that this driver knows";
        result.status = Status::fail;
        result.findings.push_back(std::move(finding));
        entry.isRefused = true;
        entry.report.reason = "its machine code cannot be loaded";
        return {};
    }
    entry.report.assembled = true;
    auto again = runStage(m_context, result.stage, Judged{kernel, oracle, *entry.executor, isBaseline});
    if (!again) return std::unexpected(std::move(again.error()));
    (result.stage == Stage::function ? entry.report.function : entry.report.stress) = again->status;
    if (again->status == Status::fail || result.status == Status::pass) result.status = again->status;
    result.runs += again->runs;
    result.seconds += again->seconds;
    for (Finding& finding : again->findings) {
        finding.message = entry.under() + finding.message;
        result.findings.push_back(std::move(finding));
    }
    note(result, entry.toolkit ? fmt::format("also as {} assembles it", entry.title())
                               : fmt::format("also as the driver compiles it ({})", entry.report.version));
    return {};
}

std::vector<OtherAssembler> OtherAssemblers::take() && {
    std::vector<OtherAssembler> reports;
    for (Entry& entry : m_entries) reports.push_back(std::move(entry.report));
    return reports;
}

} // namespace ptxwb::verify
