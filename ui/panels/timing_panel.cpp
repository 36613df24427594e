#include "panels/timing_panel.h"

#include "models/candidate_figures.h"
#include "models/document.h"
#include "panels/empty_page.h"
#include "panels/figure_table.h"
#include "panels/marks.h"
#include "panels/panel_page.h"
#include "panels/timing_figures.h"
#include "panels/timing_plot.h"
#include "panels/work_figures.h"

#include <QEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace ptxwb::ui {

TimingPanel::TimingPanel(Document* document, QAction* verify, QAction* open, QWidget* parent)
    : QWidget(parent), m_document(document), m_pages(new QStackedWidget), m_empty(new EmptyPage({})), m_verify(verify),
      m_open(open), m_stale(paragraph()), m_call(paragraph()), m_explanation(paragraph()), m_measuredOn(paragraph()),
      m_outside(paragraph()), m_note(paragraph()), m_plot(new TimingPlot),
      m_table(new FigureTable(tr("Figures of the benchmark, or the emulator's counts"))) {
    m_pages->addWidget(scrolling(makeFigures()));
    m_pages->addWidget(m_empty);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);

    const auto update = [this] {
        // Opening a session says several things at once.
        if (std::exchange(m_updatePending, true)) return;
        QMetaObject::invokeMethod(this, &TimingPanel::updateAll, Qt::QueuedConnection);
    };
    connect(document, &Document::currentChanged, this, update);
    connect(document, &Document::sessionReplaced, this, update);
    connect(document, &Document::candidateRenamed, this, update);
    connect(document, &Document::resultsChanged, this, [this, update](const QString& id) {
        if (id == Document::baselineId() || id == m_document->current()) update();
    });
    setTheme(themeFor(palette()));
    updateAll();
}

TimingPanel::~TimingPanel() = default;

QWidget* TimingPanel::makeFigures() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 6, 8, 6);
    QFont bold = m_call->font();
    bold.setBold(true);
    m_call->setFont(bold);
    m_call->setToolTip(tr("The baseline's time divided by the candidate's, over rounds that launch both: the median of "
                          "the pairs, with its 95 % interval"));
    for (QWidget* each :
         {static_cast<QWidget*>(m_stale), static_cast<QWidget*>(m_call), static_cast<QWidget*>(m_explanation),
          static_cast<QWidget*>(m_measuredOn), static_cast<QWidget*>(m_plot), static_cast<QWidget*>(m_outside),
          static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_note)})
        column->addWidget(each);
    column->addStretch(1);
    return page;
}

void TimingPanel::setTheme(const Theme& theme) {
    m_plot->setTheme(theme, m_isStale ? TimingPlot::Ink::stale : TimingPlot::Ink::full);
    QPalette ink = palette();
    ink.setColor(QPalette::WindowText, theme.stale);
    m_stale->setPalette(ink);
}

void TimingPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    updateAll(); // the greyed cells, and the plot
}

void TimingPanel::updateAll() {
    m_updatePending = false;
    const session::Candidate* candidate = m_document->candidate(m_document->current());
    const QString why = candidate ? whyNoTime(*candidate)
                                  : tr("No candidate is open. Open a kernel (Ctrl+O), or an example in the File menu.");
    m_empty->setText(why);
    m_empty->setActions({candidate ? m_verify : m_open});
    m_isStale = m_document->freshness(m_document->current()) == session::Freshness::stale;
    const session::Candidate& baseline = m_document->session().baseline;
    const bool counts = m_document->freshness(Document::baselineId()) == session::Freshness::current;
    const verify::CandidateResult* beside = counts ? &baseline.judgement->result : nullptr;
    const std::optional<TimingFigures> figures = why.isEmpty() ? timingFigures(*candidate, beside)
                                                 : candidate   ? workFigures(*candidate, beside)
                                                               : std::nullopt;
    m_pages->setCurrentIndex(figures ? 0 : 1);
    if (figures) show(*figures);
}

void TimingPanel::show(const TimingFigures& figures) {
    const session::Candidate& candidate = *m_document->candidate(m_document->current());
    say(m_stale, m_isStale ? tr("\u21BB Stale: these figures are of an earlier text. Verify again.") : QString());
    say(m_call, figures.glyph.isEmpty() ? figures.call : QStringLiteral("%1 %2").arg(figures.glyph, figures.call));
    m_call->setAccessibleName(m_isStale ? tr("%1, stale").arg(figures.call) : figures.call);
    say(m_explanation, figures.explanation);
    say(m_measuredOn, figures.measuredOn);
    say(m_outside, ui::outsideText(figures.strips));
    say(m_note, figures.note);
    for (QLabel* label : {m_call, m_explanation, m_measuredOn, m_outside, m_note}) label->setEnabled(!m_isStale);
    m_plot->setStrips(figures.strips);
    m_plot->setVisible(!figures.strips.strips.empty());
    const bool isBaseline = candidate.id == session::baselineId;
    const bool alone = figures.against.isEmpty();
    QStringList columns{isBaseline ? tr("baseline") : QString::fromStdString(candidate.name)};
    if (!alone) columns += figures.against;
    std::vector<FigureRow> rows;
    for (const TimingRow& row : figures.rows)
        rows.push_back(
            {row.name, row.meaning, alone ? QStringList{row.candidate} : QStringList{row.candidate, row.baseline}});
    // Both are of the same rounds: one is as old as the other.
    m_table->setFigures(rows, columns, m_isStale ? session::Freshness::stale : session::Freshness::current);
    setTheme(themeFor(palette()));
}

QString TimingPanel::callText() const {
    if (!emptyText().isEmpty()) return {};
    return m_explanation->text().isEmpty() ? m_call->text()
                                           : m_call->text() + QLatin1Char('\n') + m_explanation->text();
}

QString TimingPanel::emptyText() const {
    return m_empty->text();
}

QString TimingPanel::outsideText() const {
    return m_outside->text();
}

} // namespace ptxwb::ui
