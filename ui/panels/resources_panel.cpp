#include "panels/resources_panel.h"

#include "models/document.h"
#include "panels/empty_page.h"
#include "panels/marks.h"
#include "panels/occupancy_plot.h"
#include "panels/panel_page.h"
#include "panels/resource_table.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>

#include <algorithm>

namespace ptxwb::ui {

namespace {

constexpr std::array over = {gpu::SweepOver::block, gpu::SweepOver::registers, gpu::SweepOver::shared};

QString asText(const Diagnostic& problem) {
    return QString::fromStdString(problem.hint.empty() ? problem.message : problem.message + " " + problem.hint);
}

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

} // namespace

ResourcesPanel::ResourcesPanel(Document* document, QAction* verify, QAction* open, QWidget* parent)
    : QWidget(parent), m_document(document), m_pages(new QStackedWidget), m_empty(new EmptyPage({})), m_verify(verify),
      m_open(open), m_table(new ResourceTable), m_target(new QComboBox), m_stale(paragraph()), m_launch(paragraph()),
      m_occupancy(paragraph()), m_noPlots(paragraph()) {
    m_occupancy->setTextFormat(Qt::RichText);
    m_pages->addWidget(scrolling(makeFigures()));
    m_pages->addWidget(m_empty);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);

    const auto update = [this] {
        // Opening a session says several things at once.
        if (std::exchange(m_updatePending, true)) return;
        QMetaObject::invokeMethod(this, &ResourcesPanel::updateAll, Qt::QueuedConnection);
    };
    connect(document, &Document::currentChanged, this, update);
    connect(document, &Document::sessionReplaced, this, update);
    connect(document, &Document::targetsChanged, this, update);
    connect(document, &Document::candidateRenamed, this, update);
    connect(document, &Document::resultsChanged, this, [this, update](const QString& id) {
        const bool isBaseline = id.toStdString() == session::baselineId;
        if (isBaseline || id == m_document->current()) update();
    });
    connect(m_target, &QComboBox::currentIndexChanged, this, &ResourcesPanel::updateOccupancy);
    // Only what a person chose outlives the next session; without a choice it is the session's first target.
    connect(m_target, &QComboBox::activated, this, [this] { m_chosenTarget = m_target->currentData().toString(); });
    setTheme(themeFor(palette()));
    updateAll();
}

ResourcesPanel::~ResourcesPanel() = default;

QWidget* ResourcesPanel::makeFigures() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 6, 8, 6);
    column->addWidget(m_stale);
    column->addWidget(m_table);
    column->addWidget(m_launch);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("&Target:"));
    label->setBuddy(m_target);
    row->addWidget(label);
    m_target->setAccessibleName(tr("Target of the plots"));
    m_target->setToolTip(tr("The architecture whose limits the plots show: the session's targets, then all others"));
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_target->setMinimumContentsLength(10);
    row->addWidget(m_target, 1);
    column->addWidget(heading(tr("Occupancy")));
    column->addLayout(row);
    m_occupancy->setAccessibleName(tr("Occupancy"));
    column->addWidget(m_occupancy);
    QLabel* note = paragraph();
    note->setText(tr("Occupancy is not speed: many fast kernels run at a low one."));
    note->setToolTip(tr("More warps help to hide the time that memory takes, up to the point where it is hidden. "
                        "Only a measurement on a GPU says which candidate is faster."));
    column->addWidget(note);
    column->addWidget(m_noPlots);
    for (OccupancyPlot*& plot : m_plots) {
        plot = new OccupancyPlot;
        column->addWidget(plot);
    }
    column->addStretch(1);
    return page;
}

void ResourcesPanel::setTheme(const Theme& theme) {
    for (OccupancyPlot* plot : m_plots) plot->setTheme(theme);
    QPalette ink = palette();
    ink.setColor(QPalette::WindowText, theme.stale);
    m_stale->setPalette(ink);
}

void ResourcesPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    setTheme(themeFor(palette()));
    updateAll(); // the greyed cells
}

void ResourcesPanel::fillTargets() {
    const QSignalBlocker blocker(m_target);
    m_target->clear();
    std::vector<std::string> listed;
    for (const std::string& target : m_document->session().targets) {
        const auto arch = gpu::architecture(target);
        if (arch) listed.push_back(arch->arch);
        const QString name = QString::fromStdString(target);
        m_target->addItem(arch ? QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(arch->name)) : name, name);
    }
    if (m_target->count() > 0) m_target->insertSeparator(m_target->count());
    for (const gpu::Architecture& arch : gpu::architectures()) {
        if (std::ranges::find(listed, arch.arch) != listed.end()) continue;
        const QString name = QString::fromStdString(arch.arch);
        m_target->addItem(QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(arch.name)), name);
    }
    m_target->setCurrentIndex(std::max(0, m_target->findData(m_chosenTarget)));
}

void ResourcesPanel::updateAll() {
    m_updatePending = false;
    fillTargets();
    const session::Candidate* candidate = m_document->candidate(m_document->current());
    const QString why = candidate ? whyNoFigures(*candidate)
                                  : tr("No candidate is open. Open a kernel (Ctrl+O), or an example in the File menu.");
    m_empty->setText(why);
    m_empty->setActions({candidate ? m_verify : m_open});
    m_pages->setCurrentIndex(why.isEmpty() ? 0 : 1);
    if (!why.isEmpty()) return;
    const bool older = candidate->judgement && candidate->judgement->hasOlderFigures();
    const session::Freshness freshness =
        older ? session::Freshness::stale : m_document->freshness(m_document->current());
    m_stale->setText(
        older ? tr("\u21BB These figures are of an earlier text: the last one that was verified does not assemble.")
              : tr("\u21BB Stale: these figures are of an earlier text. Verify again."));
    m_stale->setVisible(freshness == session::Freshness::stale);
    for (QLabel* label : {m_launch, m_occupancy}) label->setEnabled(freshness != session::Freshness::stale);
    m_table->setColumns(resourceColumns(m_document->session(), *candidate), freshness);
    const auto launch = launchUsed(m_document->session(), *candidate);
    m_launch->setText(launch ? tr("Launch: %1 threads per block, %2 B of dynamic shared memory")
                                   .arg(launch->block)
                                   .arg(launch->sharedDynamic)
                             : tr("The launch is not known: %1").arg(asText(launch.error())));
    updateOccupancy();
}

QString ResourcesPanel::occupancyOf(const std::string& target) const {
    const auto arch = gpu::architecture(target);
    if (!arch) return asText(arch.error());
    const session::Candidate& candidate = *m_document->candidate(m_document->current());
    const auto launch = launchUsed(m_document->session(), candidate);
    if (!launch) return tr("not known, as the launch is not.");
    const auto question = occupancyQuestion(m_document->session(), candidate, target, *launch);
    const auto occupancy = gpu::occupancy(*arch, question->request);
    if (!occupancy) return asText(occupancy.error());
    QString text = QStringLiteral("%1 %2").arg(ui::occupancyText(*arch, *occupancy),
                                               nextStepText(*occupancy, question->request.registers));
    if (question->from != target)
        text += tr(" (Figures of ptxas for %1: it was not asked for %2.)")
                    .arg(QString::fromStdString(question->from), QString::fromStdString(target));
    return text;
}

void ResourcesPanel::updateOccupancy() {
    const session::Candidate* candidate = m_document->candidate(m_document->current());
    if (!candidate || !whyNoFigures(*candidate).isEmpty()) return;
    auto targets = m_document->session().targets;
    const std::string chosen = m_target->currentData().toString().toStdString();
    if (std::ranges::find(targets, chosen) == targets.end()) targets.insert(targets.begin(), chosen);
    QString html, plain;
    for (const std::string& target : targets) {
        const QString name = QString::fromStdString(target), text = occupancyOf(target);
        html += QStringLiteral("<p style=\"margin:2px 0\"><b>%1</b>: %2</p>")
                    .arg(name.toHtmlEscaped(), text.toHtmlEscaped());
        plain += QStringLiteral("%1: %2\n").arg(name, text);
    }
    m_occupancy->setText(html);
    m_occupancy->setAccessibleDescription(plain);
    updatePlots();
}

void ResourcesPanel::updatePlots() {
    const session::Candidate& candidate = *m_document->candidate(m_document->current());
    const std::string target = m_target->currentData().toString().toStdString();
    const auto arch = gpu::architecture(target);
    const auto launch = launchUsed(m_document->session(), candidate);
    const auto question = launch ? occupancyQuestion(m_document->session(), candidate, target, *launch) : std::nullopt;
    QString problem = !arch ? asText(arch.error()) : !launch ? asText(launch.error()) : QString();
    for (std::size_t i = 0; i < m_plots.size(); ++i) {
        const auto curve = problem.isEmpty() ? occupancyCurve(*arch, question->request, over[i])
                                             : Expected<OccupancyCurve>(OccupancyCurve{});
        if (!curve) problem = asText(curve.error());
        m_plots[i]->setVisible(problem.isEmpty());
        if (problem.isEmpty()) m_plots[i]->setCurve(*curve);
    }
    m_noPlots->setText(tr("No plots: %1").arg(problem));
    m_noPlots->setVisible(!problem.isEmpty());
}

QString ResourcesPanel::occupancyText() const {
    return m_occupancy->accessibleDescription();
}

QString ResourcesPanel::emptyText() const {
    return m_empty->text();
}

} // namespace ptxwb::ui
