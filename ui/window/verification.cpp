#include "window/verification.h"

#include "models/candidate_figures.h"
#include "models/document.h"
#include "models/problem_model.h"
#include "models/stage_model.h"

namespace ptxwb::ui {

namespace {

const QString baseline = Document::baselineId();

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

/// Both sides of a race, each with where the other stands.
void addMarks(std::vector<FindingMark>& marks, const Finding& finding, int number) {
    const QString message = text(name(finding.kind)) + QStringLiteral(": ") + text(finding.message);
    if (finding.line > 0)
        marks.push_back({int(finding.line), int(finding.column), FindingMark::Side::primary, number, message});
    for (const RelatedFinding& other : finding.related)
        if (other.line > 0)
            marks.push_back(
                {int(other.line), int(other.column), FindingMark::Side::related, number,
                 Verification::tr("%1\nline %2: %3").arg(message).arg(other.line).arg(text(other.message))});
}

} // namespace

Verification::Verification(Document* document, VerifyRunner* runner, StageModel* stages, ProblemModel* problems,
                           QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner), m_stages(stages), m_problems(problems) {
    connect(runner, &VerifyRunner::started, this, &Verification::started);
    connect(runner, &VerifyRunner::stageAnswered, this, &Verification::stageAnswered);
    connect(runner, &VerifyRunner::finished, this, &Verification::finished);
    connect(runner, &VerifyRunner::failed, this, &Verification::failed);
    connect(runner, &VerifyRunner::cancelled, this, &Verification::cancelled);
    connect(runner, &VerifyRunner::progress, this, [this](const QString& id, int done, int of, const QString& what) {
        if (isCurrent(id)) m_stages->setProgress(done, of, what);
        emit progressed(done, of, QStringLiteral("%1: %2").arg(nameOf(id), what));
    });
    connect(runner, &VerifyRunner::busyChanged, this, &Verification::endIfIdle);
    connect(document, &Document::sessionAboutToBeReplaced, this, [this] {
        m_runner->cancel();
        m_runs.clear();
    });
    connect(document, &Document::sessionReplaced, this, &Verification::show);
    connect(document, &Document::currentChanged, this, &Verification::show);
    connect(document, &Document::resultsChanged, this, [this](const QString& id) {
        if (isCurrent(id)) show();
        emit stateChanged(id);
    });
    connect(document, &Document::textChanged, this, &Verification::textChanged);
}

std::optional<VerifyRequest> Verification::request(const QString& id, verify::ReferenceTrust allowed, Depth depth) {
    m_document->keepVersion(id, session::VersionReason::verified);
    verify::Plan plan;
    plan.reference = allowed;
    plan.device = device;
    plan.deep = depth == Depth::deep;
    auto input = m_document->verifyInput(id, std::move(plan));
    if (input) return VerifyRequest{id, std::move(*input)};
    emit message(text(input.error().message) + QLatin1Char(' ') + text(input.error().hint));
    return std::nullopt;
}

verify::ReferenceTrust Verification::begin() {
    if (flush) flush();
    return m_document->session().hasKernel() && trust ? trust() : verify::ReferenceTrust::refused;
}

void Verification::verifyCurrent() {
    const auto allowed = begin();
    auto wanted = request(m_document->current(), allowed, Depth::usual);
    if (!wanted) return;
    m_tally.clear();
    m_since.start();
    m_runner->verify(std::move(*wanted));
}

void Verification::verifyAll() {
    const auto allowed = begin();
    const auto& session = m_document->session();
    QStringList ids;
    if (!session.baseline.text.empty() || session.candidates.empty()) ids += baseline;
    for (const session::Candidate& candidate : session.candidates) ids += text(candidate.id);
    m_runner->cancel();
    m_tally.clear();
    m_since.start();
    for (const QString& id : ids) {
        auto wanted = request(id, allowed, deepWithAll ? Depth::deep : Depth::usual);
        if (!wanted) return;
        m_runner->enqueue(std::move(*wanted));
    }
}

void Verification::stop() {
    m_runner->cancel();
}

bool Verification::isBusy() const {
    return m_runner->isBusy();
}

QString Verification::running() const {
    return m_runner->running();
}

bool Verification::isCurrent(const QString& id) const {
    return id == m_document->current();
}

bool Verification::isStale(const QString& id) const {
    return m_document->freshness(id) == session::Freshness::stale;
}

QString Verification::nameOf(const QString& id) const {
    const session::Candidate* candidate = m_document->candidate(id);
    return id == baseline || !candidate ? tr("baseline") : text(candidate->name);
}

/// What is shown: of the run that is going on or broke off, else what the document holds.
const std::vector<verify::StageResult>* Verification::stagesOf(const QString& id) const {
    if (const auto run = m_runs.find(id); run != m_runs.end()) return &run->second.stages;
    const session::Candidate* candidate = m_document->candidate(id);
    return candidate && candidate->judgement ? &candidate->judgement->result.stages : nullptr;
}

void Verification::show() {
    const QString id = m_document->current();
    const auto* stages = stagesOf(id);
    const bool ownRun = m_runs.contains(id), isRunning = ownRun && running() == id;
    const bool stale = !ownRun && isStale(id);
    if (isRunning) {
        m_stages->begin();
        for (const verify::StageResult& stage : *stages) m_stages->setStage(stage);
    } else {
        m_stages->setStages(stages ? *stages : std::vector<verify::StageResult>{}, stale);
    }
    m_problems->setStages(stages ? *stages : std::vector<verify::StageResult>{}, stale);
    emit findingsChanged();
    emit stateChanged(id);
}

void Verification::started(const QString& id) {
    m_runs[id] = {};
    if (isCurrent(id)) show();
    emit message(tr("Verifying %1…").arg(nameOf(id)));
    emit stateChanged(id);
}

void Verification::stageAnswered(const QString& id, const verify::StageResult& stage) {
    Run& run = m_runs[id];
    run.stages.push_back(stage);
    if (!isCurrent(id)) return;
    m_stages->setStage(stage);
    m_problems->setStages(run.stages, false);
    emit findingsChanged();
}

void Verification::finished(const QString& id, const verify::VerifyReport& report) {
    m_runs.erase(id);
    if (!report.results.empty()) {
        const verify::CandidateResult& result = report.results.front();
        m_tally[id] = text(name(result.verdict));
        const QString why = decidedBy(result), by = ui::evidence(result);
        emit message(QStringLiteral("%1: %2%3%4")
                         .arg(nameOf(id), m_tally[id], by.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(by),
                              why.isEmpty() ? QString() : QStringLiteral(" — ") + why));
    }
    if (isCurrent(id)) m_stages->end();
    m_document->setResults(id, report); // shows it
    emit stateChanged(id);
}

void Verification::failed(const QString& id, const QString& why, const QString& hint) {
    m_runs[id].message = hint.isEmpty() ? why : why + QLatin1Char(' ') + hint;
    m_tally[id] = tr("broken off");
    if (isCurrent(id)) m_stages->end();
    emit message(QStringLiteral("%1: %2").arg(nameOf(id), m_runs[id].message));
    emit stateChanged(id);
}

void Verification::cancelled(const QString& id) {
    m_runs.erase(id);
    if (isCurrent(id)) {
        m_stages->end();
        show();
    }
    emit message(tr("Stopped verifying %1.").arg(nameOf(id)));
    emit stateChanged(id);
}

void Verification::textChanged(const QString& id) {
    // What a broken run said was about another text.
    if (running() != id) m_runs.erase(id);
    if (!isCurrent(id)) return;
    m_stages->setStale(isStale(id));
    m_problems->setStale(isStale(id));
    emit stateChanged(id);
    if (id == baseline) emit findingsChanged(); // its pane took the text anew, and has no marks now
}

void Verification::endIfIdle() {
    if (isBusy()) return;
    std::map<QString, int> counts;
    for (const auto& [id, verdict] : m_tally) ++counts[verdict];
    QStringList parts;
    for (const auto& [verdict, count] : counts)
        parts += m_tally.size() == 1 ? QStringLiteral("%1: %2").arg(nameOf(m_tally.begin()->first), verdict)
                                     : QStringLiteral("%1 %2").arg(count).arg(verdict);
    if (!parts.isEmpty()) emit ended(parts.join(QStringLiteral(", ")), double(m_since.elapsed()) / 1000);
}

PaneState Verification::state(const QString& id) const {
    if (running() == id && !id.isEmpty()) return PaneState::verifying;
    const session::Candidate* candidate = m_document->candidate(id);
    if (!candidate || !candidate->judgement) return PaneState::unverified;
    if (isStale(id)) return PaneState::stale;
    switch (candidate->judgement->result.verdict) {
    case verify::Verdict::pass: return PaneState::passed;
    case verify::Verdict::fail: return PaneState::failed;
    case verify::Verdict::incomplete: break;
    }
    return PaneState::unverified;
}

QString Verification::evidence(const QString& id) const {
    const session::Candidate* candidate = m_document->candidate(id);
    if (!candidate || !candidate->judgement) return {};
    const QString by = ui::evidence(candidate->judgement->result);
    return candidate->judgement->result.verdict == verify::Verdict::incomplete ? tr("incomplete, %1").arg(by) : by;
}

QString Verification::verdictLine() const {
    const QString id = m_document->current();
    if (const auto run = m_runs.find(id); run != m_runs.end())
        return running() == id ? tr("Verifying %1…").arg(nameOf(id)) : tr("Broken off: %1").arg(run->second.message);
    const session::Candidate* candidate = m_document->candidate(id);
    if (!candidate || !candidate->judgement) return {};
    const QString why = decidedBy(candidate->judgement->result);
    QString line = verdictText(*candidate);
    if (!why.isEmpty()) line += QStringLiteral(": ") + why;
    return isStale(id) ? tr("Stale, the text has changed since. Before: %1").arg(line) : line;
}

std::vector<FindingMark> Verification::findingMarks() const {
    std::vector<FindingMark> marks;
    const QString id = m_document->current();
    const auto* stages = stagesOf(id);
    // Marks move with their lines: they stay while a person mends what they are about.
    if (!stages) return marks;
    int number = 0;
    for (const verify::StageResult& stage : *stages)
        for (const Finding& finding : stage.findings)
            if (stage.stage != verify::Stage::parse) addMarks(marks, finding, number++);
    return marks;
}

} // namespace ptxwb::ui
