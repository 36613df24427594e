#include "panels/work_figures.h"

#include "models/candidate_figures.h"

#include <QCoreApplication>
#include <QLocale>

#include <functional>

namespace ptxwb::ui {

namespace {

using emulator::WorkCounts;

QString tr(const char* text) {
    return QCoreApplication::translate("TimingPanel", text);
}

QString number(std::uint64_t value) {
    return QString::number(value);
}

QString percent(std::uint64_t part, std::uint64_t of) {
    return of == 0 ? QStringLiteral("\u2013")
                   : QStringLiteral("%1 %").arg(100.0 * static_cast<double>(part) / static_cast<double>(of), 0, 'f', 1);
}

struct Row {
    const char *name, *meaning;
    std::function<std::uint64_t(const WorkCounts&)> counted; ///< 0 in both: the row says nothing and is left out
    std::function<QString(const WorkCounts&)> text;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {QT_TRANSLATE_NOOP("TimingPanel", "warp instructions"),
         QT_TRANSLATE_NOOP("TimingPanel", "PTX instructions, each counted once for all lanes of a warp"),
         &WorkCounts::warpInstructions, [](const WorkCounts& c) { return number(c.warpInstructions); }},
        {QT_TRANSLATE_NOOP("TimingPanel", "lanes at work"),
         QT_TRANSLATE_NOOP("TimingPanel", "of the 32 of each executed instruction; the others are masked"),
         &WorkCounts::threadInstructions,
         [](const WorkCounts& c) { return percent(c.threadInstructions, 32 * c.warpInstructions); }},
        {QT_TRANSLATE_NOOP("TimingPanel", "divergent branches"),
         QT_TRANSLATE_NOOP("TimingPanel", "after which lanes of one warp go different ways, of all branches"),
         &WorkCounts::branches,
         [](const WorkCounts& c) { return tr("%1 of %2").arg(c.divergentBranches).arg(c.branches); }},
        {QT_TRANSLATE_NOOP("TimingPanel", "global sectors"),
         QT_TRANSLATE_NOOP("TimingPanel", "of 32 bytes; the ideal is what the bytes asked for would fill"),
         &WorkCounts::globalSectors,
         [](const WorkCounts& c) { return tr("%1 (ideal %2)").arg(c.globalSectors).arg(c.globalIdealSectors); }},
        {QT_TRANSLATE_NOOP("TimingPanel", "shared wavefronts"),
         QT_TRANSLATE_NOOP("TimingPanel", "passes over the banks; more than the ideal are bank conflicts"),
         &WorkCounts::sharedWavefronts,
         [](const WorkCounts& c) { return tr("%1 (ideal %2)").arg(c.sharedWavefronts).arg(c.sharedIdealWavefronts); }},
        {QT_TRANSLATE_NOOP("TimingPanel", "local memory"),
         QT_TRANSLATE_NOOP("TimingPanel", "bytes that lanes read and write: spills, arrays of a thread"),
         &WorkCounts::localBytes, [](const WorkCounts& c) { return tr("%1 B").arg(c.localBytes); }},
        {QT_TRANSLATE_NOOP("TimingPanel", "tensor operations"),
         QT_TRANSLATE_NOOP("TimingPanel", "multiplications and additions of matrix products"),
         &WorkCounts::tensorOperations, [](const WorkCounts& c) { return number(c.tensorOperations); }},
        {QT_TRANSLATE_NOOP("TimingPanel", "waits at barriers"), QT_TRANSLATE_NOOP("TimingPanel", "by warps"),
         &WorkCounts::barrierWaits, [](const WorkCounts& c) { return number(c.barrierWaits); }}};
    return all;
}

QString sizesText(const kernel::Symbols& sizes) {
    QStringList parts;
    for (const auto& [name, value] : sizes)
        parts += QStringLiteral("%1 = %2").arg(QString::fromStdString(name)).arg(value);
    return parts.join(QStringLiteral(", "));
}

} // namespace

std::optional<TimingFigures> workFigures(const session::Candidate& candidate, const verify::CandidateResult* baseline) {
    if (!candidate.judgement || !candidate.judgement->result.work) return std::nullopt;
    const verify::WorkReport& work = *candidate.judgement->result.work;
    const bool isBaseline = candidate.id == session::baselineId;
    const bool beside = !isBaseline && baseline && baseline->work && baseline->work->sizes == work.sizes;
    TimingFigures figures;
    figures.call = whyNoTime(candidate);
    figures.explanation =
        tr("The emulator's counts, at %1. Counts are no time: they say how much work there is, not how "
           "long it takes.")
            .arg(sizesText(work.sizes));
    if (beside) figures.against = tr("baseline");
    for (const Row& row : rows()) {
        if (row.counted(work.total) == 0 && (!beside || row.counted(baseline->work->total) == 0)) continue;
        figures.rows.push_back({tr(row.name), tr(row.meaning), row.text(work.total),
                                beside ? row.text(baseline->work->total) : QString()});
    }
    return figures;
}

} // namespace ptxwb::ui
