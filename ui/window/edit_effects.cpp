#include "window/edit_effects.h"

#include "models/document.h"

namespace ptxwb::ui {

namespace {
constexpr int restMilliseconds = 400;
}

EditEffects::EditEffects(Document* document, QAction* verify, QObject* parent)
    : QObject(parent), m_document(document), m_history(document), m_panel(new EffectPanel(verify)) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, &EditEffects::update);
    const auto later = [this] { m_rest.start(); };
    connect(&m_history, &VersionHistory::changed, this, later);
    connect(document, &Document::currentChanged, this, later);
    connect(document, &Document::textChanged, this, later);
    connect(document, &Document::sessionReplaced, this, later);
    connect(m_panel, &EffectPanel::shown, this, &EditEffects::update);
    connect(m_panel, &EffectPanel::lineWanted, this, &EditEffects::lineWanted);
}

void EditEffects::update() {
    m_rest.stop();
    if (!m_panel->isVisible()) return;
    std::vector<report::Version> versions = m_history.of(m_document->current());
    if (versions.size() < 2) {
        m_job.cancel();
        m_panel->showReason(tr("There is only one version yet. Change a candidate and verify it (F5): each verified "
                               "version stands here beside the one before, with the lines that moved its figures."));
        return;
    }
    const auto& targets = m_document->session().targets;
    m_job.start(
        [versions = std::move(versions),
         arch = targets.empty() ? std::string() : targets.front()](std::stop_token stop) {
            Answer answer{versions, {}};
            for (std::size_t i = 0; i + 1 < versions.size() && !stop.stop_requested(); ++i)
                answer.effects.push_back(report::editEffect(versions[i], versions[i + 1], arch, stop));
            return answer;
        },
        [this](Answer answer) { m_panel->setVersions(std::move(answer.versions), std::move(answer.effects)); });
}

} // namespace ptxwb::ui
