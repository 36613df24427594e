#include "panels/counters_panel.h"

#include "models/counter_store.h"
#include "models/document.h"
#include "panels/counter_figures.h"
#include "panels/empty_page.h"
#include "panels/hot_line_table.h"
#include "panels/marks.h"
#include "panels/panel_page.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace ptxwb::ui {

CountersPanel::CountersPanel(Document* document, CounterStore* counters, QAction* count, QWidget* parent)
    : QWidget(parent), m_document(document), m_counters(counters), m_pages(new QStackedWidget),
      m_empty(new EmptyPage({}, {count})), m_stale(paragraph()), m_measuredOn(paragraph()), m_unknown(paragraph()),
      m_sampled(paragraph()), m_table(new FigureTable(tr("Hardware counters"))), m_lines(new HotLineTable) {
    auto* again = new QToolButton;
    again->setDefaultAction(count);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 6, 8, 6);
    for (QWidget* each : std::initializer_list<QWidget*>{m_stale, m_measuredOn, m_sampled, m_lines, m_table, m_unknown})
        column->addWidget(each);
    column->addWidget(again, 0, Qt::AlignLeft);
    column->addStretch(1);
    m_pages->addWidget(scrolling(page));
    m_pages->addWidget(m_empty);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);

    for (const auto signal : {&Document::currentChanged, &Document::textChanged, &Document::candidateRenamed})
        connect(document, signal, this, &CountersPanel::updateAll);
    connect(document, &Document::sessionReplaced, this, &CountersPanel::updateAll);
    connect(document, &Document::resultsChanged, this, &CountersPanel::updateAll); // another baseline too
    connect(counters, &CounterStore::changed, this, &CountersPanel::updateAll);
    connect(m_lines, &HotLineTable::lineWanted, this, &CountersPanel::lineWanted);
    setTheme(themeFor(palette()));
    updateAll();
}

CountersPanel::~CountersPanel() = default;

void CountersPanel::setTheme(const Theme& theme) {
    QPalette ink = palette();
    ink.setColor(QPalette::WindowText, theme.stale);
    m_stale->setPalette(ink);
}

void CountersPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) updateAll(); // the greyed cells
}

QString CountersPanel::whyEmpty(const QString& id) const {
    if (!m_document->candidate(id))
        return tr("No candidate is open. Open a kernel (Ctrl+O), or an example in the File menu.");
    const Counted* counted = m_counters->counted(id);
    if (counted && counted->report) return {};
    if (m_counters->running() == id) return tr("Counting: the GPU replays the kernel once for each group of metrics.");
    if (!counted)
        return tr("Not counted yet. An NVIDIA GPU counts what its units do during one launch at the benchmark's size: "
                  "sectors, hits, conflicts, and why warps wait.");
    return counted->hint.isEmpty() ? tr("Not counted: %1.").arg(counted->failure)
                                   : tr("Not counted: %1.\nTo do: %2.").arg(counted->failure, counted->hint);
}

void CountersPanel::updateAll() {
    const QString id = m_document->current(), why = whyEmpty(id);
    m_empty->setText(why);
    m_pages->setCurrentIndex(why.isEmpty() ? 0 : 1);
    if (!why.isEmpty()) return;
    const bool running = m_counters->running() == id, stale = m_counters->isStale(id);
    const CounterFigures figures = counterFigures(*m_counters->counted(id)->report);
    say(m_stale, running ? tr("Counting again…")
                 : stale ? tr("\u21BB Stale: these counts are of an earlier text. Count again.")
                         : QString());
    say(m_measuredOn, figures.measuredOn);
    say(m_unknown, figures.unknown);
    m_measuredOn->setEnabled(!stale);
    m_table->setFigures(figures.rows, figures.columns, stale ? session::Freshness::stale : session::Freshness::current);
    updateLines(id, stale);
}

void CountersPanel::updateLines(const QString& id, bool stale) {
    constexpr std::size_t most = 8; // the counters below stay in sight
    const Counted& counted = *m_counters->counted(id);
    const verify::ProfiledKernel& own = counted.report->kernels.back();
    m_lines->setVisible(own.sampling.has_value());
    if (!own.sampling)
        return say(m_sampled, own.samplingProblem.empty()
                                  ? QString()
                                  : tr("No samples by line: %1.").arg(QString::fromStdString(own.samplingProblem)));
    std::vector<HotLine> lines = hotLines(*own.sampling, counted.text, own.sampling->lines.size());
    QString text =
        tr("Where the warps of %1 stood, by %2 samples:")
            .arg(QString::fromStdString(own.name), QLocale().toString(static_cast<qulonglong>(own.sampling->samples)));
    if (lines.size() > most) {
        text += QLatin1Char('\n') +
                tr("(the %1 busiest of %2 lines with half a percent or more)").arg(most).arg(lines.size());
        lines.resize(most);
    }
    say(m_sampled, text);
    m_sampled->setEnabled(!stale);
    m_lines->setLines(lines, stale);
}

QString CountersPanel::emptyText() const {
    return m_empty->text();
}

} // namespace ptxwb::ui
