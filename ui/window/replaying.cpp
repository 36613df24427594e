#include "window/replaying.h"

#include "jobs/verify_runner.h"
#include "models/document.h"
#include "panels/heat_map.h"
#include "panels/verification_panel.h"

namespace ptxwb::ui {

Replaying::Replaying(Document* document, VerifyRunner* runner, VerificationPanel* panel, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner), m_panel(panel) {
    connect(panel, &VerificationPanel::replayWanted, this, &Replaying::start);
    connect(&m_job, &ReplayJob::replayed, &panel->heatMap(), &HeatMap::setReport);
    connect(&m_job, &ReplayJob::failed, this, [this](const QString& why, const QString& hint) {
        m_panel->heatMap().setFailure(tr("Not replayed: %1. %2").arg(why, hint));
    });
    connect(document, &Document::currentChanged, this, &Replaying::forget);
    connect(document, &Document::sessionReplaced, this, &Replaying::forget);
    connect(document, &Document::textChanged, this, [this](const QString& id) {
        if (id == m_document->current()) forget();
    });
}

/// What it showed was about another text.
void Replaying::forget() {
    m_job.cancel();
    m_panel->heatMap().clearReplay();
}

void Replaying::start(const verify::RunCase& run) {
    if (flush) flush();
    verify::Plan plan;
    plan.reference = m_document->session().hasKernel() && trust ? trust() : verify::ReferenceTrust::refused;
    // The one that was verified: edge and unseen sizes are drawn with it.
    if (const session::Candidate* judged = m_document->candidate(m_document->current()); judged && judged->judgement)
        plan.seed = judged->judgement->seed;
    auto input = m_document->verifyInput(m_document->current(), std::move(plan));
    if (!input) {
        m_panel->heatMap().setFailure(QString::fromStdString(input.error().message + ' ' + input.error().hint));
        return;
    }
    m_panel->heatMap().setRunning(run);
    m_job.start(std::move(*input), run, m_runner->effectiveCommandLine());
}

} // namespace ptxwb::ui
