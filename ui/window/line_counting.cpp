#include "window/line_counting.h"

#include "editors/comparison_view.h"
#include "models/counter_store.h"
#include "models/document.h"

#include <QActionGroup>
#include <QMenu>
#include <QSettings>

namespace ptxwb::ui {

namespace {
const QString settingsKey = QStringLiteral("view/lineCounts");
}

LineCounting::LineCounting(Document* document, CounterStore* counters, ComparisonView* view, QObject* parent)
    : QObject(parent), m_document(document), m_counters(counters), m_view(view) {
    const int stored = QSettings().value(settingsKey, static_cast<int>(m_kind)).toInt();
    if (stored >= 0 && stored < static_cast<int>(countKinds.size())) m_kind = countKinds[std::size_t(stored)];
    for (const auto signal : {&Document::currentChanged, &Document::textChanged, &Document::resultsChanged})
        connect(document, signal, this, &LineCounting::updatePanes);
    for (const auto signal : {&Document::sessionReplaced, &Document::leftChanged})
        connect(document, signal, this, &LineCounting::updatePanes);
    connect(counters, &CounterStore::changed, this, &LineCounting::updatePanes);
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        connect(&view->pane(id), &CodePane::moduleChanged, this, [this] {
            if (isStatic(m_kind)) updatePanes();
        });
}

/// Of the text in the pane; while somebody types the figures of the last text that was analysed stay, as of an earlier
/// text.
void LineCounting::analyse(CodePane& pane, LatestJob<std::vector<LineCount>>& job) {
    const auto module = pane.module();
    if (!module) return;
    job.start([module, kind = m_kind](std::stop_token) { return staticLineCounts(kind, *module); },
              [this, kind = m_kind, &pane](const std::vector<LineCount>& counts) {
                  if (kind == m_kind) pane.setLineCounts(title(kind), counts, false);
              });
}

void LineCounting::fillMenu(QMenu* menu) {
    auto* group = new QActionGroup(this);
    std::size_t next = 0;
    for (const CountKind kind : countKinds) {
        QAction* action = menu->addAction(title(kind), this, [this, kind] { choose(kind); });
        action->setStatusTip(meaning(kind));
        action->setCheckable(true);
        action->setChecked(kind == m_kind);
        group->addAction(action);
        m_actions[next++] = action;
    }
}

void LineCounting::chooseByName(const QString& name) {
    constexpr std::array names{"none", "executed", "sectors", "wavefronts", "samples", "pressure", "divergence"};
    static_assert(names.size() == countKinds.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == QLatin1String(names[i]) && m_actions[i]) m_actions[i]->trigger();
}

void LineCounting::choose(CountKind kind) {
    m_kind = kind;
    QSettings().setValue(settingsKey, static_cast<int>(kind));
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        m_view->pane(id).setLineCounts(title(kind), {}, false);
    updatePanes();
}

void LineCounting::updatePanes() {
    if (isStatic(m_kind)) {
        analyse(m_view->pane(PaneId::baseline), m_baselineJob);
        analyse(m_view->pane(PaneId::candidate), m_candidateJob);
        return;
    }
    m_baselineJob.cancel();
    m_candidateJob.cancel();
    updatePane(m_view->pane(PaneId::baseline), m_document->left());
    if (m_document->current() != Document::baselineId())
        updatePane(m_view->pane(PaneId::candidate), m_document->current());
}

void LineCounting::updatePane(CodePane& pane, const QString& id) {
    const session::Candidate* candidate = m_document->candidate(id);
    const verify::WorkReport* work = candidate && candidate->judgement && candidate->judgement->result.work
                                         ? &*candidate->judgement->result.work
                                         : nullptr;
    const verify::PcSampling* sampling = nullptr;
    const Counted* counted = m_counters->counted(id);
    if (counted && counted->report && counted->report->kernels.back().sampling)
        sampling = &*counted->report->kernels.back().sampling;
    const bool stale =
        m_kind == CountKind::samples ? m_counters->isStale(id) : m_document->freshness(id) == session::Freshness::stale;
    pane.setLineCounts(title(m_kind), lineCounts(m_kind, work, sampling), stale);
}

} // namespace ptxwb::ui
