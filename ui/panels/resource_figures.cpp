#include "panels/resource_figures.h"

#include "kernel/candidate_header.h"
#include "kernel/launch_shape.h"
#include "kernel/sizes.h"
#include "models/candidate_figures.h"
#include "verify/emulated_device.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ptxwb::ui {

namespace {

using verify::EntryResources;

struct Figure {
    const char* name;
    const char* meaning;
    std::uint32_t EntryResources::* value;
    bool bytes;
};

constexpr std::array<Figure, 7> figures{{
    {QT_TRANSLATE_NOOP("ResourceFigures", "Registers"), QT_TRANSLATE_NOOP("ResourceFigures", "Registers of a thread"),
     &EntryResources::registers, false},
    {QT_TRANSLATE_NOOP("ResourceFigures", "Stack"),
     QT_TRANSLATE_NOOP("ResourceFigures", "Bytes of a thread's stack frame, in local memory"),
     &EntryResources::stackBytes, true},
    {QT_TRANSLATE_NOOP("ResourceFigures", "Spill stores"),
     QT_TRANSLATE_NOOP("ResourceFigures", "Bytes that spilled registers write to local memory"),
     &EntryResources::spillStoreBytes, true},
    {QT_TRANSLATE_NOOP("ResourceFigures", "Spill loads"),
     QT_TRANSLATE_NOOP("ResourceFigures", "Bytes that spilled registers read from local memory"),
     &EntryResources::spillLoadBytes, true},
    {QT_TRANSLATE_NOOP("ResourceFigures", "Static shared"),
     QT_TRANSLATE_NOOP("ResourceFigures", "Bytes of shared memory of a block that the PTX declares itself"),
     &EntryResources::staticSharedBytes, true},
    {QT_TRANSLATE_NOOP("ResourceFigures", "Barriers"),
     QT_TRANSLATE_NOOP("ResourceFigures", "Named barriers that a block uses"), &EntryResources::barriers, false},
    {QT_TRANSLATE_NOOP("ResourceFigures", "Constant"),
     QT_TRANSLATE_NOOP("ResourceFigures", "Bytes of constant memory, parameters included"),
     &EntryResources::constantBytes, true},
}};

QString tr(const char* text) {
    return QCoreApplication::translate("ResourceFigures", text);
}

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

const Figure& figure(int row) {
    return figures.at(static_cast<std::size_t>(row));
}

const std::vector<EntryResources>& resourcesOf(const session::Candidate& candidate) {
    static const std::vector<EntryResources> none;
    return candidate.judgement ? candidate.judgement->result.resources : none;
}

const EntryResources* find(const std::vector<EntryResources>& all, const std::string& arch, const std::string& entry) {
    const auto found =
        std::ranges::find_if(all, [&](const EntryResources& one) { return one.arch == arch && one.entry == entry; });
    return found == all.end() ? nullptr : &*found;
}

/// The spec's entry on this target, else whatever ptxas names first for it.
const EntryResources* entryOn(const session::Session& session, const std::vector<EntryResources>& all,
                              const std::string& arch) {
    if (const EntryResources* named = find(all, arch, session.kernel.spec.entry)) return named;
    const auto first = std::ranges::find(all, arch, &EntryResources::arch);
    return first == all.end() ? nullptr : &*first;
}

QString because(const verify::StageResult& stage) {
    if (stage.findings.empty()) return asQString(stage.reason);
    const Finding& first = stage.findings.front();
    return first.line > 0 ? tr("line %1: %2").arg(first.line).arg(asQString(first.message)) : asQString(first.message);
}

} // namespace

QStringList resourceNames() {
    QStringList names;
    for (const Figure& one : figures) names += tr(one.name);
    return names;
}

QString resourceMeaning(int row) {
    return tr(figure(row).meaning);
}

QString resourceText(int row, std::uint32_t value) {
    const QString number = QString::number(value);
    return figure(row).bytes ? tr("%1 B").arg(number) : number;
}

QString resourceText(int row, const ResourceCell& cell) {
    const std::optional<double> baseline = cell.baseline ? std::optional<double>(*cell.baseline) : std::nullopt;
    return withDelta(resourceText(row, cell.value), cell.value, baseline, 0);
}

std::vector<ResourceColumn> resourceColumns(const session::Session& session, const session::Candidate& candidate) {
    std::vector<ResourceColumn> columns;
    const std::vector<EntryResources> none;
    const auto& baseline = candidate.id == session::baselineId ? none : resourcesOf(session.baseline);
    for (const EntryResources& one : resourcesOf(candidate)) {
        const EntryResources* other = find(baseline, one.arch, one.entry);
        ResourceColumn& column = columns.emplace_back(ResourceColumn{one.arch, one.entry, {}});
        for (const Figure& row : figures)
            column.cells.push_back({one.*row.value, other ? std::optional(other->*row.value) : std::nullopt});
    }
    std::ranges::stable_sort(columns, {}, [&session](const ResourceColumn& column) {
        return std::ranges::find(session.targets, column.arch) - session.targets.begin();
    });
    return columns;
}

QString whyNoFigures(const session::Candidate& candidate) {
    if (!resourcesOf(candidate).empty()) return {};
    if (!candidate.judgement)
        return tr("Registers, shared memory and occupancy are not known yet: ptxas tells them when the candidate is "
                  "verified.");
    const auto& stages = candidate.judgement->result.stages;
    const verify::StageResult* parse = verify::find(stages, verify::Stage::parse);
    const verify::StageResult* assemble = verify::find(stages, verify::Stage::assemble);
    if (parse && parse->status == verify::Status::fail)
        return tr("There are no figures, because the text does not parse: %1.").arg(because(*parse));
    if (!assemble) return tr("There are no figures: the verification ended before ptxas was asked.");
    switch (assemble->status) {
    case verify::Status::fail:
        return tr("There are no figures, because ptxas refuses the text: %1.").arg(because(*assemble));
    case verify::Status::skipped:
    case verify::Status::inconclusive:
        return tr("There are no figures, because the text was not assembled: %1.").arg(because(*assemble));
    case verify::Status::pass: break;
    }
    return tr("ptxas assembled the text but named no kernel in it, so there are no figures.");
}

Expected<LaunchUsed> launchUsed(const session::Session& session, const session::Candidate& candidate) {
    if (!session.hasKernel())
        return failure(Cause::badRequest, "There is no kernel spec, so nothing says how many threads a block has.",
                       "Open a spec, or draft one with `ptxwb init`.");
    const kernel::KernelSpec& spec = session.kernel.spec;
    const auto header = kernel::readCandidateHeader(candidate.text, kernel::symbolNames(spec));
    if (!header) return std::unexpected(header.error());
    kernel::SizesOptions options;
    options.require = header->require;
    options.builtins = verify::withDevice({});
    const auto sizes = kernel::sizes(spec, kernel::Use::function, options);
    if (!sizes) return std::unexpected(sizes.error());
    kernel::LaunchData data;
    if (!sizes->empty()) data.symbols = sizes->back();
    // Of several launches the first one's, as the resources are.
    const kernel::LaunchOverride* own = header->launch ? &*header->launch : nullptr;
    const auto& steps = kernel::launchSteps(spec, own);
    const auto shaped =
        steps.empty() ? kernel::shapeLaunch(spec.launch, own, data)
                      : kernel::shapePart(steps.front().launch, nullptr, data.symbols, "launches[0].launch", data);
    if (!shaped) return std::unexpected(shaped.error());
    LaunchUsed launch{data.block[0] * data.block[1] * data.block[2], data.sharedBytes};
    if (candidate.judgement && !candidate.judgement->result.occupancy.empty())
        launch.block = candidate.judgement->result.occupancy.front().block;
    return launch;
}

std::optional<OccupancyQuestion> occupancyQuestion(const session::Session& session, const session::Candidate& candidate,
                                                   const std::string& arch, const LaunchUsed& launch) {
    const auto& all = resourcesOf(candidate);
    const EntryResources* used = entryOn(session, all, arch);
    for (auto target = session.targets.begin(); !used && target != session.targets.end(); ++target)
        used = entryOn(session, all, *target);
    if (!used && !all.empty()) used = entryOn(session, all, all.front().arch);
    if (!used) return std::nullopt;
    return OccupancyQuestion{{.block = launch.block,
                              .registers = used->registers,
                              .sharedStatic = used->staticSharedBytes,
                              .sharedDynamic = launch.sharedDynamic,
                              .barriers = used->barriers,
                              .cluster = 1},
                             used->arch};
}

QString occupancyText(const gpu::Architecture& arch, const gpu::Occupancy& occupancy) {
    if (occupancy.blocksPerSm == 0) {
        const QString why = tr("no block fits on an SM: %1.").arg(asQString(occupancy.reason));
        return occupancy.hint.empty() ? why : QStringLiteral("%1 %2").arg(why, asQString(occupancy.hint));
    }
    return tr("%1 and %2 of %3 warps per SM (%4 %), limited by %5.")
        .arg(occupancy.blocksPerSm == 1 ? tr("1 block") : tr("%1 blocks").arg(occupancy.blocksPerSm))
        .arg(occupancy.warpsPerSm)
        .arg(arch.maxWarpsPerSm)
        .arg(QString::number(occupancy.percent, 'f', occupancy.percent == 100 ? 0 : 1),
             asQString(gpu::name(occupancy.limiter)));
}

QString nextStepText(const gpu::Occupancy& occupancy, std::uint32_t registers) {
    if (!occupancy.nextStep) return tr("Fewer registers would not let more blocks in.");
    const std::uint32_t fewer = registers - occupancy.nextStep->registers;
    return tr("%1 fewer: %2 per SM.")
        .arg(fewer == 1 ? tr("1 register") : tr("%1 registers").arg(fewer),
             occupancy.nextStep->blocksPerSm == 1 ? tr("1 block")
                                                  : tr("%1 blocks").arg(occupancy.nextStep->blocksPerSm));
}

} // namespace ptxwb::ui
