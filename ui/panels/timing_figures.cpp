#include "panels/timing_figures.h"

#include "gpu/statistics.h"
#include "models/candidate_figures.h"

#include <QCoreApplication>

namespace ptxwb::ui {

namespace {

using verify::Speedup;
using verify::Timing;

const QString dash = QStringLiteral("–");

QString tr(const char* text) {
    return QCoreApplication::translate("TimingFigures", text);
}

QString asQString(const std::string& text) {
    return QString::fromStdString(text);
}

QString us(double value) {
    return value > 0 ? tr("%1 us").arg(fourDigits(value)) : dash;
}

QString orDash(const std::string& text) {
    return text.empty() ? dash : asQString(text);
}

QString callLine(const verify::CandidateResult& result) {
    const Speedup& s = *result.speedup;
    return tr("%1: %2 x, 95 % interval %3 to %4, against %5")
        .arg(callOf(result).word, ratioNumber(s.ratio), ratioNumber(s.low), ratioNumber(s.high), asQString(s.against));
}

QString explain(const verify::CandidateResult& result) {
    const verify::StageResult* benchmark = verify::find(result.stages, verify::Stage::benchmark);
    if (benchmark && benchmark->status == verify::Status::fail) {
        const std::string& why = benchmark->findings.empty() ? benchmark->reason : benchmark->findings.front().message;
        return tr("The benchmark failed, so its times do not count: %1").arg(asQString(why));
    }
    if (!result.speedup) return {};
    if (result.speedup->call == "same") return tr("The whole interval lies within 0.5 % of 1.");
    if (result.speedup->call != "unclear") return {};
    if (result.speedup->low > 1 || result.speedup->high < 1)
        return tr("The difference is under 0.5 %, and the interval is not wholly within 0.5 % of 1.");
    return tr("The interval holds 1 and is wider than 0.5 % around it: more rounds, or a quieter machine, may tell.");
}

bool comparable(const verify::CandidateResult& one, const verify::CandidateResult* other) {
    return other && other->timing && one.device == other->device && one.timing->size == other->timing->size &&
           one.timing->method == other->timing->method;
}

/// "76.4 % (memory)"
QString rooflineText(const Timing& timing) {
    if (!timing.roofline || timing.roofline->percent() <= 0) return dash;
    const verify::Roofline& r = *timing.roofline;
    const QString bound = r.memoryPercent >= r.arithmeticPercent ? tr("memory") : asQString(r.rate);
    return QStringLiteral("%1 % (%2)").arg(QString::number(r.percent(), 'f', 1), bound);
}

std::vector<TimingRow> rowsOf(const Timing& own, const Speedup* pairs, const Timing* baseline) {
    // Of the rounds that both ran in.
    const std::vector<double> none;
    const std::vector<double>& theirs = pairs ? pairs->baselineSamplesUs : none;
    const auto shared = [&](const QString& text) { return pairs ? text : dash; };
    const auto quantile = [&](double share) { return theirs.empty() ? dash : us(gpu::quantile(theirs, share)); };
    const QString clock = own.clockMhz > 0 ? tr("%1 MHz").arg(QString::number(own.clockMhz, 'f', 0)) : dash;
    const QString discarded = QString::number(own.discarded);
    return {
        {tr("Cold, median"), tr("Time of a launch whose L2 was flushed before: half of the launches were faster"),
         us(own.medianUs), pairs ? us(pairs->baselineUs) : dash},
        {tr("Cold, p10"), tr("A tenth of the cold launches were faster"), us(own.p10Us), quantile(0.1)},
        {tr("Cold, p90"), tr("A tenth of the cold launches were slower"), us(own.p90Us), quantile(0.9)},
        {tr("Hot"), tr("Median time of a launch that follows another at once: what fits stays in the L2"),
         us(own.hotUs), baseline ? us(baseline->hotUs) : dash},
        {tr("In a graph"), tr("Median time of a launch within a CUDA graph, hot"), us(own.graphUs),
         baseline ? us(baseline->graphUs) : dash},
        {tr("Of the roofline"),
         tr("The bytes or operations that the spec states, in the median time, of what this GPU was measured to reach"),
         rooflineText(own), baseline ? rooflineText(*baseline) : dash},
        {tr("Rounds"), tr("Cold launches that count; each round launches both, in random order"),
         QString::number(own.samplesUs.size()), shared(QString::number(theirs.size()))},
        {tr("Discarded"), tr("Rounds that do not count, because the GPU was throttled"), discarded, shared(discarded)},
        {tr("SM clock"), tr("Of the multiprocessors during the rounds"), clock, shared(clock)},
        {tr("Method"), tr("Who took the time"), orDash(own.method), shared(orDash(own.method))},
        {tr("Size"), tr("The spec's benchmark size"), orDash(own.size), shared(orDash(own.size))},
    };
}

QString noteOn(const Speedup* pairs, const Timing* own, const Timing* baseline) {
    if (!pairs) return {};
    if (baseline && (baseline->hotUs > 0 || baseline->graphUs > 0))
        return tr("The hot and graph figures of %1 are from its own verification, not from the paired rounds.")
            .arg(asQString(pairs->against));
    if (own->hotUs > 0 || own->graphUs > 0)
        return tr("The hot and graph figures of %1 come with its own verification, on the same GPU and at this size.")
            .arg(asQString(pairs->against));
    return {};
}

} // namespace

TimingFigures timingFigures(const session::Candidate& candidate, const verify::CandidateResult* baseline) {
    const verify::CandidateResult& result = candidate.judgement->result;
    const bool isBaseline = candidate.id == session::baselineId;
    const Timing& own = *result.timing;
    const Speedup* pairs = result.speedup ? &*result.speedup : nullptr;
    const Timing* theirs = !isBaseline && comparable(result, baseline) ? &*baseline->timing : nullptr;

    TimingFigures figures;
    if (pairs) {
        figures.call = callLine(result);
        figures.glyph = callOf(result).glyph;
        figures.against = asQString(pairs->against);
    } else {
        figures.call = isBaseline ? tr("The baseline: the candidates are measured against it.")
                                  : tr("Measured alone: there is no baseline to compare with.");
    }
    figures.explanation = explain(result);
    figures.measuredOn = result.device.empty() ? QString() : tr("Measured on %1.").arg(asQString(result.device));
    figures.note = noteOn(pairs, &own, theirs);
    figures.rows = rowsOf(own, pairs, theirs);
    std::vector<TimingSamples> samples;
    if (pairs) samples.push_back({figures.against, pairs->baselineSamplesUs, TimingRole::baseline});
    samples.push_back({isBaseline ? tr("baseline") : asQString(candidate.name), own.samplesUs,
                       isBaseline ? TimingRole::baseline : TimingRole::candidate});
    figures.strips = timingStrips(samples);
    return figures;
}

} // namespace ptxwb::ui
