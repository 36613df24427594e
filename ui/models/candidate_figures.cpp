#include "models/candidate_figures.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ptxwb::ui {

namespace {

using verify::Stage;
using verify::Status;

QString tr(const char* text) {
    return QCoreApplication::translate("CandidateFigures", text);
}

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool runsTheKernel(Stage stage) {
    return stage == Stage::function || stage == Stage::stress || stage == Stage::sanitize;
}

template <class Figure>
const Figure* figureFor(const std::vector<Figure>& figures, const std::string& target) {
    const auto found = std::ranges::find(figures, target, &Figure::arch);
    if (found != figures.end()) return &*found;
    return figures.empty() ? nullptr : &figures.front();
}

} // namespace

const verify::EntryResources* resourcesFor(const session::Candidate& candidate, const std::string& target) {
    return candidate.judgement ? figureFor(candidate.judgement->result.resources, target) : nullptr;
}

const verify::OccupancyFigure* occupancyFor(const session::Candidate& candidate, const std::string& target) {
    return candidate.judgement ? figureFor(candidate.judgement->result.occupancy, target) : nullptr;
}

QString evidence(const verify::CandidateResult& result) {
    QStringList judges;
    for (const verify::StageResult& stage : result.stages) {
        if (!runsTheKernel(stage.stage) || stage.status == Status::skipped || stage.backend.empty()) continue;
        QString judge = asQString(stage.backend);
        // "H200": whose GPU it is everybody knows, and the list is narrow.
        if (stage.backend == "gpu" && !result.device.empty())
            judge = asQString(result.device).remove(QStringLiteral("NVIDIA "));
        if (!judges.contains(judge)) judges += judge;
    }
    if (!judges.isEmpty()) return judges.join(QStringLiteral(" + "));
    // Nothing ran: what was refused was refused by a tool.
    const auto failed = std::ranges::find(result.stages, Status::fail, &verify::StageResult::status);
    return failed == result.stages.end() ? QString() : judgeName(failed->backend);
}

QString judgeName(const std::string& backend) {
    return backend == "host" ? tr("checker") : asQString(backend); // ours, which needs no machine of its own
}

QString verdictText(const session::Candidate& candidate) {
    if (!candidate.judgement) return QStringLiteral("unverified");
    const verify::CandidateResult& result = candidate.judgement->result;
    const QString by = evidence(result), verdict = asQString(name(result.verdict));
    return by.isEmpty() ? verdict : QStringLiteral("%1 (%2)").arg(verdict, by);
}

QString decidedBy(const verify::CandidateResult& result) {
    for (const Status status : {Status::fail, Status::inconclusive, Status::skipped}) {
        const auto stage = std::ranges::find_if(result.stages, [status](const verify::StageResult& s) {
            return s.status == status && (s.stage != Stage::benchmark || status == Status::fail);
        });
        if (stage == result.stages.end()) continue;
        const std::string& why = stage->findings.empty() ? stage->reason : stage->findings.front().message;
        return QStringLiteral("%1 %2: %3").arg(asQString(name(stage->stage)), asQString(name(status)), asQString(why));
    }
    return {};
}

QString sameCodeAs(const session::Session& session, const session::Candidate& candidate) {
    if (!candidate.judgement || candidate.judgement->result.textSha256.empty()) return {};
    const auto hasSame = [&](const session::Candidate& other) {
        return other.judgement && other.judgement->result.textSha256 == candidate.judgement->result.textSha256;
    };
    if (candidate.id == session::baselineId) return {};
    if (hasSame(session.baseline)) return asQString(session::baselineId);
    for (const session::Candidate& other : session.candidates) {
        if (other.id == candidate.id) break; // the first of its kind
        if (hasSame(other)) return asQString(other.name);
    }
    return asQString(candidate.judgement->result.sameMachineCodeAs);
}

QString originText(const session::Origin& origin) {
    const QString kind = asQString(name(origin.kind));
    return origin.model.empty() ? kind : QStringLiteral("%1 %2").arg(kind, asQString(origin.model));
}

QString fourDigits(double value) {
    // The exponent of the rounded number: 9.9999 is 10.00.
    const int exponent = QString::number(value, 'e', 3).section(QLatin1Char('e'), 1).toInt();
    return QString::number(value, 'f', std::clamp(3 - exponent, 0, 6));
}

QString timeText(const verify::Timing& timing) {
    const QString median = tr("%1 us").arg(fourDigits(timing.medianUs));
    if (timing.medianUs <= 0 || timing.p90Us <= timing.p10Us) return median;
    const double percent = (timing.p90Us - timing.p10Us) / 2 / timing.medianUs * 100;
    return tr("%1 ±%2 %").arg(median, QString::number(percent, 'f', 1));
}

Call callOf(const verify::CandidateResult& result) {
    if (!result.speedup) return {};
    const verify::StageResult* benchmark = verify::find(result.stages, Stage::benchmark);
    if (benchmark && benchmark->status == Status::fail) return {QStringLiteral("\u2717"), tr("does not count")};
    const std::string& call = result.speedup->call;
    if (call == "faster") return {QStringLiteral("\u25B2"), tr("faster")};
    if (call == "slower") return {QStringLiteral("\u25BC"), tr("slower")};
    if (call == "same") return {QStringLiteral("="), tr("same")};
    return {QStringLiteral("?"), tr("unclear")};
}

QString ratioNumber(double ratio) {
    return ratio < 0.1 ? fourDigits(ratio) : QString::number(ratio, 'f', 3);
}

QString ratioText(const verify::CandidateResult& result, WithGlyph glyph) {
    if (!result.speedup) return {};
    const verify::Speedup& speedup = *result.speedup;
    const Call call = callOf(result);
    const QString text =
        tr("%1 %2 [%3, %4]")
            .arg(ratioNumber(speedup.ratio), call.word, ratioNumber(speedup.low), ratioNumber(speedup.high));
    return glyph == WithGlyph::yes ? QStringLiteral("%1 %2").arg(call.glyph, text) : text;
}

QString whyNoTime(const session::Candidate& candidate) {
    if (!candidate.judgement)
        return tr("Not timed yet: the benchmark is the last stage of a verification, and needs a GPU.");
    const verify::CandidateResult& result = candidate.judgement->result;
    if (result.timing) return {};
    const verify::StageResult* benchmark = verify::find(result.stages, Stage::benchmark);
    if (!benchmark) return tr("Not timed: the verification ended before the benchmark.");
    const std::string& said = benchmark->findings.empty() ? benchmark->reason : benchmark->findings.front().message;
    const QString why = said.empty() ? tr("no reason was given") : asQString(said);
    switch (benchmark->status) {
    case Status::skipped: return tr("Not timed: %1.").arg(why);
    case Status::inconclusive: return tr("Not timed, because the benchmark came to no result: %1.").arg(why);
    case Status::fail: return tr("Not timed, because the benchmark failed: %1.").arg(why);
    case Status::pass: break;
    }
    return tr("The benchmark ran, but its answer holds no time.");
}

QString timeDetails(const session::Candidate& candidate) {
    if (const QString why = whyNoTime(candidate); !why.isEmpty()) return why;
    const verify::CandidateResult& result = candidate.judgement->result;
    const verify::Timing& timing = *result.timing;
    QStringList lines{tr("%1 us, cold: the median of %2 launches, each with a flushed L2")
                          .arg(fourDigits(timing.medianUs))
                          .arg(timing.samplesUs.size()),
                      tr("from %1 us (p10) to %2 us (p90)").arg(fourDigits(timing.p10Us), fourDigits(timing.p90Us))};
    if (!timing.size.empty()) lines += tr("at %1").arg(asQString(timing.size));
    if (!result.device.empty()) lines += tr("on %1, by %2").arg(asQString(result.device), asQString(timing.method));
    return lines.join(QLatin1Char('\n'));
}

QString ratioDetails(const session::Candidate& candidate) {
    if (const QString why = whyNoTime(candidate); !why.isEmpty()) return why;
    const verify::CandidateResult& result = candidate.judgement->result;
    if (candidate.id == session::baselineId) return tr("The candidates are measured against the baseline.");
    if (!result.speedup) return tr("There is no baseline that it was measured against.");
    return tr("%1: %2's time is %3 times the candidate's, 95 % interval %4 to %5, in %6 paired rounds")
        .arg(callOf(result).word, asQString(result.speedup->against), ratioNumber(result.speedup->ratio),
             ratioNumber(result.speedup->low), ratioNumber(result.speedup->high))
        .arg(result.speedup->baselineSamplesUs.size());
}

QString withDelta(const QString& shown, double value, std::optional<double> reference, int decimals) {
    if (!reference || value == *reference) return shown;
    const double delta = value - *reference;
    return QStringLiteral("%1 (%2%3)")
        .arg(shown, delta > 0 ? QStringLiteral("+") : QStringLiteral("−"),
             QString::number(std::abs(delta), 'f', decimals));
}

} // namespace ptxwb::ui
