#include "window/model_review.h"

#include "editors/comparison_view.h"
#include "models/document.h"
#include "panels/model_changes.h"

namespace ptxwb::ui {

namespace {

QByteArray textOf(const Document& document, const QString& id) {
    const session::Candidate* candidate = document.candidate(id);
    return candidate ? QByteArray::fromStdString(candidate->text) : QByteArray();
}

QString nameOf(const Document& document, const QString& id) {
    const session::Candidate* candidate = document.candidate(id);
    return candidate ? QString::fromStdString(candidate->name) : QString();
}

} // namespace

ModelReview::ModelReview(Document* document, ComparisonView* view, ModelChanges* panel, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_panel(panel) {
    connect(panel, &ModelChanges::replaceWanted, this, &ModelReview::replace);
    connect(panel, &ModelChanges::acceptAllWanted, this, &ModelReview::acceptAll);
    connect(panel, &ModelChanges::lineWanted, this, [this](int line) {
        if (m_document->current() == m_target) m_view->candidate().goToLine(line);
    });
    connect(document, &Document::sessionReplaced, this, [this] {
        m_job.cancel();
        end(tr("Choose an answer of the conversation, then Changes…"));
    });
    connect(document, &Document::textChanged, this, [this](const QString& id) {
        if (!m_proposal.isEmpty() && (id == m_target || id == m_proposal)) update();
    });
    // Another candidate is shown: that is the one that takes changes from now on.
    connect(document, &Document::currentChanged, this, [this] {
        if (!m_proposal.isEmpty()) begin(m_proposal);
    });
    connect(document, &Document::candidateRemoved, this, [this] {
        if (!m_proposal.isEmpty() && !m_document->candidate(m_proposal))
            end(tr("The proposal was deleted. Choose another answer of the conversation."));
    });
}

void ModelReview::end(const QString& reason) {
    m_proposal.clear();
    m_target.clear();
    m_panel->showReason(reason);
}

void ModelReview::begin(const QString& proposal) {
    if (!m_document->candidate(proposal)) return;
    if (flush) flush();
    const bool isNew = m_proposal != proposal || m_target != m_document->current();
    m_proposal = proposal;
    m_target = m_document->current();
    if (m_target == Document::baselineId()) {
        m_job.cancel();
        return m_panel->showReason(tr("The baseline takes no changes. Choose the candidate that shall take those of "
                                      "“%1”, or make one from the baseline.")
                                       .arg(nameOf(*m_document, proposal)));
    }
    if (m_target == proposal) {
        m_job.cancel();
        return m_panel->showReason(tr("“%1” itself is the current candidate. Choose the one that shall take its "
                                      "changes; or take hunks back from the baseline with Alt+Enter.")
                                       .arg(nameOf(*m_document, proposal)));
    }
    if (isNew) m_start = textOf(*m_document, m_target);
    update();
}

void ModelReview::update() {
    if (m_target == Document::baselineId() || m_target == m_proposal) return;
    const QByteArray target = textOf(*m_document, m_target), proposal = textOf(*m_document, m_proposal);
    m_job.start(
        [target, proposal, start = m_start](std::stop_token stop) {
            return Answer{textChanges(target, proposal, stop), textChanges(target, start, stop)};
        },
        [this, target](Answer answer) {
            m_compared = target;
            m_panel->setChanges(tr("“%1” against the current candidate “%2”")
                                    .arg(nameOf(*m_document, m_proposal), nameOf(*m_document, m_target)),
                                std::move(answer.open), std::move(answer.taken));
        });
}

/// Lines are only right for the text that was compared.
bool ModelReview::isCurrentText() const {
    return m_document->current() == m_target && !m_job.isRunning() && m_view->candidate().text() == m_compared;
}

void ModelReview::replace(const TextChange& change) {
    if (!isCurrentText()) return emit message(tr("The text has changed: the changes are being compared anew."));
    m_view->candidate().replaceLines(change.first, change.count, change.lines);
    m_view->candidate().goToLine(change.first);
    if (flush) flush();
    emit message(tr("%1. Ctrl+Z undoes it.").arg(describe(change)));
}

void ModelReview::acceptAll() {
    if (!isCurrentText()) return emit message(tr("The text has changed: the changes are being compared anew."));
    m_view->candidate().setTextKeepingView(textOf(*m_document, m_proposal));
    if (flush) flush();
    emit message(tr("Took all changes of “%1”. Ctrl+Z undoes it.").arg(nameOf(*m_document, m_proposal)));
}

} // namespace ptxwb::ui
