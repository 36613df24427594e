#include "models/candidate_figures.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ptxwb::ui {

namespace {

using verify::Stage;
using verify::Status;

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
        if (stage.backend == "gpu" && !result.device.empty()) judge += ' ' + asQString(result.device);
        if (!judges.contains(judge)) judges += judge;
    }
    if (!judges.isEmpty()) return judges.join(QStringLiteral(" + "));
    // Nothing ran: what was refused was refused by a tool.
    const auto failed = std::ranges::find(result.stages, Status::fail, &verify::StageResult::status);
    return failed == result.stages.end() ? QString() : asQString(failed->backend);
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

QString withDelta(const QString& shown, double value, std::optional<double> reference, int decimals) {
    if (!reference || value == *reference) return shown;
    const double delta = value - *reference;
    return QStringLiteral("%1 (%2%3)")
        .arg(shown, delta > 0 ? QStringLiteral("+") : QStringLiteral("−"),
             QString::number(std::abs(delta), 'f', decimals));
}

} // namespace ptxwb::ui
