#include "window/live_analysis.h"

#include "editors/comparison_view.h"
#include "models/document.h"
#include "models/problem_model.h"
#include "ptx/check.h"
#include "ptx/parse.h"

namespace ptxwb::ui {

namespace {

constexpr int restMilliseconds = 40; ///< shorter than between two keys of most people, longer than a key repeats
/// Of an alignment, where nothing is shown yet: a coarse one comes first, the exact one follows.
constexpr std::chrono::milliseconds coarseAfter{100};

QByteArray bytes(const std::string& text) {
    return QByteArray::fromStdString(text);
}

} // namespace

LiveAnalysis::LiveAnalysis(Document* document, ComparisonView* view, ProblemModel* problems, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_problems(problems) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        flush();
        start();
    });
    connect(&m_steps, &QTimer::timeout, this, &LiveAnalysis::deliverMore);
    connect(view, &ComparisonView::candidateEdited, this, [this] {
        m_typed = true;
        m_rest.start();
    });
    connect(document, &Document::sessionAboutToBeReplaced, this, [this] {
        flush();
        m_shown.clear();
        m_view->candidate().forgetTexts();
    });
    connect(document, &Document::sessionReplaced, this, [this] {
        showSource();
        showBaseline();
        showCandidate();
    });
    connect(document, &Document::kernelChanged, this, &LiveAnalysis::showSource);
    connect(document, &Document::candidateAboutToBeRemoved, this, &LiveAnalysis::flush);
    connect(document, &Document::currentChanged, this, [this] {
        flush();
        if (m_document->left() != m_left) showBaseline();
        showCandidate();
    });
    connect(document, &Document::leftChanged, this, [this] {
        flush();
        showBaseline();
        start();
    });
    connect(document, &Document::textChanged, this, &LiveAnalysis::textChangedElsewhere);
}

void LiveAnalysis::flush() {
    if (!m_typed) return;
    m_typed = false;
    if (!m_shown.isEmpty()) m_document->setText(m_shown, QString::fromUtf8(m_view->candidate().text()));
}

void LiveAnalysis::showSource() {
    m_view->setSourceText(bytes(m_document->session().source));
}

void LiveAnalysis::showBaseline() {
    m_baseline = {};
    m_left = m_document->left();
    const session::Candidate* shown = m_document->candidate(m_left);
    m_view->setBaselineText(shown ? bytes(shown->text) : QByteArray());
}

void LiveAnalysis::showCandidate() {
    m_typed = false;
    const bool isBaseline = m_document->current() == Document::baselineId();
    const session::Candidate* shown = isBaseline ? nullptr : m_document->candidate(m_document->current());
    m_shown = shown ? m_document->current() : QString();
    m_view->setCandidateText(shown ? bytes(shown->text) : QByteArray(), m_shown);
    m_view->candidate().setReadOnly(shown ? Access::edit : Access::readOnly);
    start();
}

/// By an undo of the document or by a compiler, not by the pane.
void LiveAnalysis::textChangedElsewhere(const QString& id) {
    if (id == m_left) {
        showBaseline();
    } else if (id == m_shown) {
        const QByteArray text = bytes(m_document->candidate(id)->text);
        if (m_view->candidate().text() == text) return; // it came from there
        m_view->candidate().setTextKeepingView(text);
    } else {
        return;
    }
    start();
}

LiveAnalysis::Answer LiveAnalysis::analyse(QByteArray baseline, QByteArray candidate, Parsed known,
                                           const std::string& sourceName, Exactness exactness, std::stop_token stop) {
    Answer answer;
    answer.baseline = std::move(known);
    if (!answer.baseline.module || answer.baseline.text != baseline)
        answer.baseline = {baseline, ptx::parse(baseline.toStdString(), "baseline.ptx")};
    if (stop.stop_requested()) return answer;
    answer.candidate = {candidate, ptx::parse(candidate.toStdString(), "candidate.ptx")};
    if (!candidate.isEmpty()) answer.diagnostics = ptx::check(*answer.candidate.module);
    answer.outline = ptx::outline(candidate.isEmpty() ? *answer.baseline.module : *answer.candidate.module);
    if (stop.stop_requested()) return answer;
    answer.baselineLinks = makeSourceLinks(*answer.baseline.module, sourceName);
    answer.candidateLinks = makeSourceLinks(*answer.candidate.module, sourceName);
    if (baseline.isEmpty() || candidate.isEmpty()) return answer;
    compare::CompareOptions options;
    // A candidate that a person or a model wrote has no line information, and nobody means it to.
    options.lineInformation = compare::LineInformation::ignore;
    if (exactness == Exactness::coarse) options.deadline = std::chrono::steady_clock::now() + coarseAfter;
    answer.comparison = compare::compare(*answer.baseline.module, *answer.candidate.module, options, stop);
    answer.isCoarse =
        options.deadline && answer.comparison.approximate && std::chrono::steady_clock::now() >= *options.deadline;
    return answer;
}

void LiveAnalysis::start() {
    start(m_view->layoutOfRows().empty() ? Exactness::coarse : Exactness::full);
}

void LiveAnalysis::start(Exactness exactness) {
    m_rest.stop();
    m_steps.stop();
    m_job.start([baseline = m_view->baseline().text(), candidate = m_view->candidate().text(), known = m_baseline,
                 source = session::sourceName(m_document->session()), exactness](
                    std::stop_token stop) { return analyse(baseline, candidate, known, source, exactness, stop); },
                [this, left = m_view->baseline().revision(), right = m_view->candidate().revision()](Answer answer) {
                    deliver(std::move(answer), left, right);
                });
}

void LiveAnalysis::deliver(Answer answer, quint64 baselineRevision, quint64 candidateRevision) {
    m_baseline = answer.baseline;
    m_delivery = {std::move(answer), baselineRevision, candidateRevision};
    m_steps.start();
}

/// False once somebody has typed: that text's own answer is on its way.
bool LiveAnalysis::isCurrent() const {
    return m_delivery.candidateRevision == m_view->candidate().revision() &&
           m_delivery.baselineRevision == m_view->baseline().revision();
}

void LiveAnalysis::deliverMore() {
    if (!isCurrent()) return m_steps.stop();
    Answer& answer = m_delivery.answer;
    switch (m_delivery.step++) {
    case 0:
        m_diagnostics = std::move(answer.diagnostics);
        m_problems->setChecker(m_diagnostics);
        return;
    case 1:
        m_view->candidate().setDiagnostics(m_diagnostics);
        m_view->baseline().setModule(answer.baseline.module);
        m_view->candidate().setModule(answer.candidate.module);
        return;
    case 2: return m_view->setSourceLinks(std::move(answer.baselineLinks), std::move(answer.candidateLinks));
    case 3:
        if (answer.baseline.text.isEmpty())
            m_view->clearComparison(tr("nothing to compare with: there is no baseline yet"));
        else if (answer.candidate.text.isEmpty())
            m_view->clearComparison(m_shown.isEmpty() ? tr("no candidate is chosen") : tr("the candidate is empty"));
        else
            m_view->applyComparison(std::move(answer.comparison), m_delivery.baselineRevision,
                                    m_delivery.candidateRevision, answer.isCoarse);
        return;
    default:
        m_steps.stop();
        emit outlineChanged(answer.outline);
        emit checked();
        if (answer.isCoarse) start(Exactness::full);
    }
}

} // namespace ptxwb::ui
