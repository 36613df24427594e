#include "models/problems.h"

#include <QStringList>

#include <algorithm>
#include <tuple>

namespace ptxwb::ui {

namespace {

using Problem = ProblemModel::Problem;
using Pane = ProblemModel::Pane;

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString asText(const Index3& at) {
    return QStringLiteral("(%1,%2,%3)").arg(at[0]).arg(at[1]).arg(at[2]);
}

Problem cudaPlace(const CudaPlace& cuda, const QString& source) {
    Problem problem;
    problem.severity = Severity::note;
    problem.pane = Pane::cuda;
    problem.place = {cuda.file, cuda.line, 0, 0};
    problem.message = ProblemModel::tr("made from this CUDA line");
    problem.source = source;
    return problem;
}

Problem otherSide(const RelatedFinding& related, const QString& source) {
    Problem problem;
    problem.severity = Severity::note;
    problem.place = {{}, related.line, related.column, 0};
    problem.message = asQString(related.message);
    if (!related.access.empty() && related.message.empty())
        problem.message = ProblemModel::tr("the other side: %1").arg(asQString(related.access));
    QStringList who;
    if (related.block) who += QStringLiteral("block %1").arg(asText(*related.block));
    if (related.thread) who += QStringLiteral("thread %1").arg(asText(*related.thread));
    if (!who.isEmpty()) problem.message += QStringLiteral(" [%1]").arg(who.join(QStringLiteral(", ")));
    problem.source = source;
    return problem;
}

QString sourceOf(const verify::StageResult& stage) {
    if (stage.stage == verify::Stage::assemble)
        return stage.backend.empty() ? QStringLiteral("ptxas") : asQString(stage.backend);
    const QString name = asQString(verify::name(stage.stage));
    return stage.backend.empty() ? name : QStringLiteral("%1 (%2)").arg(name, asQString(stage.backend));
}

Problem problemFrom(const Finding& finding, const verify::StageResult& stage) {
    Problem problem;
    // A stage passes with warnings and remarks; what made it fail is an error.
    problem.severity = stage.status == verify::Status::fail ? Severity::error : Severity::warning;
    problem.place = {{}, finding.line, finding.column, finding.length};
    problem.message = asQString(finding.message);
    problem.hint = asQString(finding.hint);
    problem.source = sourceOf(stage);
    problem.kind = asQString(name(finding.kind));
    problem.occurrences = static_cast<int>(std::min<std::uint64_t>(finding.occurrences, 1'000'000'000));
    problem.circumstances = circumstances(finding);
    if (!problem.circumstances.isEmpty()) problem.message += QStringLiteral(" [%1]").arg(problem.circumstances);
    for (const RelatedFinding& related : finding.related) problem.others.push_back(otherSide(related, problem.source));
    if (finding.cuda) problem.others.push_back(cudaPlace(*finding.cuda, problem.source));
    return problem;
}

auto order(const Problem& p) {
    return std::tuple(p.severity, p.place.line == 0, p.place.line, p.place.column);
}

/// What several stages find at one line is one thing to mend, whatever sizes each of them names.
bool saysTheSame(const Problem& a, const Problem& b) {
    if (!a.circumstances.isEmpty() && a.place.line != 0)
        return a.kind == b.kind && a.pane == b.pane && a.place == b.place && a.hint == b.hint;
    return a.severity == b.severity && a.source == b.source && a.message == b.message && a.hint == b.hint;
}

} // namespace

QString circumstances(const Finding& finding) {
    QStringList parts;
    if (finding.block) parts += QStringLiteral("block %1").arg(asText(*finding.block));
    if (finding.thread) parts += QStringLiteral("thread %1").arg(asText(*finding.thread));
    for (const auto& [symbol, value] : finding.set)
        parts += QStringLiteral("%1 = %2").arg(asQString(symbol)).arg(value);
    if (!finding.fill.empty()) parts += QStringLiteral("fill %1").arg(asQString(finding.fill));
    if (finding.seed) parts += QStringLiteral("seed %1").arg(*finding.seed);
    if (finding.asAllocated) parts += ProblemModel::tr("buffers as allocated");
    return parts.join(QStringLiteral(", "));
}

std::vector<Problem> problemsFrom(const std::vector<Diagnostic>& diagnostics) {
    std::vector<Problem> problems;
    for (const Diagnostic& diagnostic : diagnostics) {
        Problem problem;
        problem.severity = diagnostic.severity;
        problem.place = diagnostic.place;
        problem.message = asQString(diagnostic.message);
        problem.hint = asQString(diagnostic.hint);
        problem.source = QStringLiteral("checker");
        problem.kind = asQString(diagnostic.kind);
        for (const RelatedPlace& related : diagnostic.related) {
            Problem other;
            other.severity = Severity::note;
            other.place = related.place;
            other.message = asQString(related.message);
            other.source = problem.source;
            problem.others.push_back(std::move(other));
        }
        problems.push_back(std::move(problem));
    }
    return problems;
}

std::vector<Problem> problemsFrom(const std::vector<verify::StageResult>& stages) {
    std::vector<Problem> problems;
    for (const verify::StageResult& stage : stages) {
        if (stage.stage == verify::Stage::parse) continue;
        for (const Finding& finding : stage.findings) problems.push_back(problemFrom(finding, stage));
        if (stage.status != verify::Status::inconclusive || stage.reason.empty()) continue;
        Problem note;
        note.severity = Severity::note;
        note.message = ProblemModel::tr("not decided: %1").arg(asQString(stage.reason));
        note.source = sourceOf(stage);
        problems.push_back(std::move(note));
    }
    return problems;
}

std::vector<Problem> grouped(std::vector<Problem> problems) {
    std::ranges::stable_sort(problems, {}, order);
    std::vector<Problem> groups;
    for (Problem& problem : problems) {
        const auto same =
            std::ranges::find_if(groups, [&](const Problem& other) { return saysTheSame(other, problem); });
        if (same == groups.end()) {
            groups.push_back(std::move(problem));
            continue;
        }
        same->occurrences += problem.occurrences;
        if (!same->source.split(QStringLiteral(", ")).contains(problem.source))
            same->source += QStringLiteral(", ") + problem.source;
        auto others = std::move(problem.others);
        problem.others.clear();
        same->others.push_back(std::move(problem));
        std::ranges::move(others, std::back_inserter(same->others));
    }
    return groups;
}

QString placeText(const Problem& problem) {
    if (problem.place.line == 0) return {};
    if (problem.pane == Pane::cuda)
        return QStringLiteral("%1:%2").arg(asQString(problem.place.file)).arg(problem.place.line);
    if (problem.place.column == 0) return QStringLiteral("line %1").arg(problem.place.line);
    return QStringLiteral("line %1, column %2").arg(problem.place.line).arg(problem.place.column);
}

} // namespace ptxwb::ui
