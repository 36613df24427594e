#include "window/disassembly.h"

#include "jobs/verify_runner.h"
#include "models/counter_store.h"
#include "models/document.h"
#include "models/sass_model.h"
#include "panels/sass_panel.h"
#include "toolchain/ptx_text.h"

namespace ptxwb::ui {

namespace {

constexpr int pauseMs = 500;

/// What both texts are assembled for: the spec's target, else the candidate's own.
QString architectureFor(const Document& document, const QString& text) {
    const std::string& wanted = document.session().kernel.spec.arch;
    if (!wanted.empty()) return QString::fromStdString(wanted);
    return QString::fromStdString(toolchain::targetOf(text.toStdString()));
}

} // namespace

Disassembly::Disassembly(Document* document, CounterStore* counters, VerifyRunner* runner, SassModel* model,
                         SassPanel* panel, const Remedies& remedies, QObject* parent)
    : QObject(parent), m_document(document), m_counters(counters), m_runner(runner), m_model(model), m_panel(panel),
      m_remedies(remedies) {
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &Disassembly::start);
    for (const auto signal : {&Document::currentChanged, &Document::textChanged})
        connect(document, signal, this, &Disassembly::changed);
    connect(document, &Document::sessionReplaced, this, &Disassembly::changed);
    connect(document, &Document::leftChanged, this, &Disassembly::changed);
    connect(document, &Document::kernelChanged, this, &Disassembly::changed);
    connect(panel, &SassPanel::shown, this, &Disassembly::changed);
    connect(counters, &CounterStore::changed, this, &Disassembly::showSamples);
    connect(&m_job, &SassJob::disassembled, this, [this](const SassTexts& texts) {
        m_shown = m_asked;
        m_refused.clear();
        m_shownTitle = m_document->current();
        m_model->setCode(texts.baseline, texts.candidate);
        showSamples();
    });
    connect(&m_job, &SassJob::failed, this, [this](const QString& why, const QString& hint) {
        m_shown.clear();
        m_refused = m_asked;
        m_model->clear();
        m_panel->showReason(hint.isEmpty() ? tr("No machine code: %1.").arg(why)
                                           : tr("No machine code: %1.\nTo do: %2.").arg(why, hint),
                            m_remedies.machine);
    });
}

void Disassembly::changed() {
    if (!m_panel->isVisible()) return;
    if (!m_shown.isEmpty() && m_shownTitle == m_document->current()) m_panel->showCode(true);
    m_pause.start(m_askedTitle == m_document->current() ? pauseMs : 0);
}

void Disassembly::start() {
    const QString id = m_document->current(), text = m_document->text(id);
    m_askedTitle = id;
    if (text.isEmpty()) {
        m_job.cancel();
        m_asked.clear();
        return m_panel->showReason(
            tr("No PTX is open: the machine code of what is shown appears here. Open a kernel (Ctrl+O)."),
            m_remedies.open);
    }
    const bool isBaseline = id == Document::baselineId();
    const QString baseline = isBaseline ? QString() : m_document->text(m_document->left());
    const QString key = baseline + QChar(0) + text;
    if (key == m_shown) return m_panel->showCode(false);
    if (key == m_refused) return; // the reason stands there
    m_asked = key;
    if (m_shown.isEmpty() || m_shownTitle != id) m_panel->showReason(tr("Assembling and disassembling…"));
    m_job.start(baseline, text, architectureFor(*m_document, text), m_runner->effectiveCommandLine());
}

void Disassembly::showSamples() {
    if (m_shown.isEmpty()) return;
    std::map<std::uint64_t, double> percent;
    const QString id = m_document->current();
    const Counted* counted = m_counters->counted(id);
    if (counted && counted->report && !m_counters->isStale(id) && counted->report->kernels.back().sampling) {
        const verify::PcSampling& sampling = *counted->report->kernels.back().sampling;
        for (const verify::SampledLine& line : sampling.lines)
            for (const auto& [offset, samples] : line.instructions)
                percent[offset] += 100.0 * static_cast<double>(samples) / static_cast<double>(sampling.samples);
    }
    m_model->setSamples(percent);
    m_panel->showCode(false);
}

} // namespace ptxwb::ui
