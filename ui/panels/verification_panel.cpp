#include "panels/verification_panel.h"

#include "editors/elided_label.h"
#include "panels/check_list.h"
#include "panels/copy_key.h"
#include "panels/empty_page.h"
#include "panels/finding_text.h"
#include "panels/heat_map.h"
#include "panels/marks.h"
#include "panels/stage_chips.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace ptxwb::ui {

namespace {

using Column = StageModel::Column;
using State = StageModel::State;

constexpr int stageCount = 6;

QToolButton* buttonFor(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAutoRaise(true);
    return button;
}

Mark markOfRow(const QModelIndex& index, const Theme& theme) {
    if (index.column() != Column::StatusColumn || index.parent().isValid()) return {};
    return markOf(static_cast<State>(index.data(StageModel::StateRole).toInt()), theme);
}

/// "stress: fail", then what the stage had to say.
QStringList stageLines(const QModelIndex& stage) {
    QStringList lines{QStringLiteral("%1: %2").arg(stage.siblingAtColumn(Column::StageColumn).data().toString(),
                                                   stage.siblingAtColumn(Column::StatusColumn).data().toString())};
    const QString judge = stage.siblingAtColumn(Column::Backend).data().toString();
    if (!judge.isEmpty()) lines += VerificationPanel::tr("judged by %1").arg(judge);
    const QString message = stage.siblingAtColumn(Column::Message).data().toString();
    if (!message.isEmpty()) lines += message;
    return lines;
}

} // namespace

VerificationPanel::VerificationPanel(StageModel* model, QAction* verify, QAction* stop, QWidget* parent)
    : QWidget(parent), m_model(model), m_chips(new StageChips(model)), m_verdict(new ElidedLabel(Qt::ElideRight)),
      m_tree(new QTreeView), m_detail(new QTextBrowser), m_checks(new CheckList), m_heatMap(new HeatMap),
      m_replay(new QAction(tr("Replay"), this)), m_tabs(new QTabWidget),
      m_splitter(new QSplitter(Qt::Horizontal)), m_pages(new QStackedWidget) {
    makeTree();
    m_detail->setOpenLinks(false);
    m_detail->setAccessibleName(tr("The selected finding"));
    m_detail->setPlaceholderText(tr("Select a stage or a finding to read all about it."));
    m_detail->setMinimumSize(100, 40);
    m_detail->document()->setDocumentMargin(6);
    m_pages->addWidget(makeContent(verify, stop));
    m_pages->addWidget(new EmptyPage(tr("Nothing is verified yet. A verification assembles the candidate, runs it "
                                        "against the reference at small and at awkward sizes, and looks for races and "
                                        "stray accesses."),
                                     {verify}));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);
    connect(m_chips, &StageChips::stageChosen, this, &VerificationPanel::showStage);
    connect(m_detail, &QTextBrowser::anchorClicked, this, &VerificationPanel::openLink);
    connect(m_replay, &QAction::triggered, this, &VerificationPanel::replaySelected);
    connect(m_heatMap, &HeatMap::replayWanted, this, &VerificationPanel::replayWanted);
    connect(m_heatMap, &HeatMap::ptxLineWanted, this, &VerificationPanel::ptxLineWanted);
    connect(m_checks, &CheckList::ptxLineWanted, this, [this](int line) { emit ptxLineWanted(line, 0); });
    connectModel();
    showFailure();
}

VerificationPanel::~VerificationPanel() = default;

QWidget* VerificationPanel::makeContent(QAction* verify, QAction* stop) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_chips);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 0, 4, 2);
    QFont bold = font();
    bold.setBold(true);
    m_verdict->setFont(bold);
    m_verdict->setAccessibleName(tr("Verdict"));
    row->addWidget(m_verdict, 1);
    row->addStretch();
    for (QAction* action : {verify, stop})
        if (action) row->addWidget(buttonFor(action));
    m_copy = new QAction(tr("Copy finding"), this);
    m_copy->setIconText(tr("Copy")); // on its button
    m_copy->setToolTip(tr("Copy the selected finding with all its circumstances"));
    connect(m_copy, &QAction::triggered, this, &VerificationPanel::copy);
    m_tree->addAction(m_copy);
    new CopyKey(m_tree, [this] { copy(); });
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_replay->setToolTip(tr("Run the launch of the selected finding again and show which elements are wrong"));
    m_tree->addAction(m_replay);
    row->addWidget(buttonFor(m_replay));
    m_steps = new QAction(tr("Step"), this);
    m_steps->setToolTip(tr("Record the warp of the selected finding and stand before the step that goes wrong"));
    connect(m_steps, &QAction::triggered, this, [this] {
        if (const Finding* finding = m_model->finding(m_tree->currentIndex())) emit stepsWanted(*finding);
    });
    m_tree->addAction(m_steps);
    row->addWidget(buttonFor(m_steps));
    row->addWidget(buttonFor(m_copy));
    for (QAction* action : findingActions()) action->setStatusTip(action->toolTip());
    column->addLayout(row);
    m_splitter->addWidget(m_tree);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Finding, checks, cases"));
    m_tabs->addTab(m_detail, tr("Finding"));
    m_tabs->addTab(m_checks, tr("Checks"));
    m_tabs->addTab(m_heatMap, tr("Cases"));
    m_splitter->addWidget(m_tabs);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);
    column->addWidget(m_splitter, 1);
    return content;
}

void VerificationPanel::makeTree() {
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Stages and findings"));
    m_tree->setUniformRowHeights(true);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tree->setMinimumSize(140, 40);
    m_tree->setItemDelegate(new MarkDelegate(markOfRow, this));
    connect(m_tree, &QTreeView::clicked, this, &VerificationPanel::jump);
    connect(m_tree, &QTreeView::activated, this, &VerificationPanel::jump);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &VerificationPanel::updateDetail);
}

void VerificationPanel::connectModel() {
    connect(m_model, &QAbstractItemModel::modelReset, this, &VerificationPanel::showFailure);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &VerificationPanel::showFailure);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &VerificationPanel::updateDetail);
    connect(m_model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& from, const QModelIndex& to) {
        // The running stage's clock ticks ten times a second: it concerns the tree alone.
        if (from == to && from.column() == Column::Elapsed) return;
        if (m_pages->currentIndex() == 1) showFailure();
        fitColumns();
        const int current = m_tree->currentIndex().row();
        if (!m_tree->currentIndex().parent().isValid() && current >= from.row() && current <= to.row()) updateDetail();
    });
}

/// What there is to see after new answers: the first failed stage's first finding, unless a person has chosen a row.
void VerificationPanel::showFailure() {
    bool any = false;
    for (int row = 0; row < stageCount; ++row) {
        const auto stage = static_cast<verify::Stage>(row);
        const QModelIndex index = m_model->index(row, 0);
        any |= m_model->state(stage) != State::notRun;
        if (m_model->rowCount(index) == 0) continue;
        m_tree->expand(index);
        if (!m_tree->currentIndex().isValid() && m_model->state(stage) == State::fail) showStage(stage);
    }
    m_pages->setCurrentIndex(any ? 0 : 1);
    setFocusProxy(any ? static_cast<QWidget*>(m_tree) : m_pages->widget(1));
    updateDetail();
    fitColumns();
}

void VerificationPanel::showStage(verify::Stage stage) {
    const QModelIndex row = m_model->index(static_cast<int>(stage), 0);
    const QModelIndex first = m_model->index(0, 0, row);
    m_tree->setCurrentIndex(first.isValid() ? first : row);
    m_tree->scrollTo(m_tree->currentIndex());
}

void VerificationPanel::setVerdict(const QString& text) {
    m_verdict->setFullText(text);
}

void VerificationPanel::setResult(const verify::CandidateResult* result, bool stale) {
    m_checks->setResult(result, stale);
    m_heatMap->setResult(result, stale);
}

/// Only findings of a launch say which inputs it had.
void VerificationPanel::replaySelected() {
    const Finding* finding = m_model->finding(m_tree->currentIndex());
    if (!finding || !finding->seed) return;
    m_tabs->setCurrentWidget(m_heatMap);
    emit replayWanted(
        {finding->set, finding->fill, *finding->seed, {}, verify::CaseStatus::fail, finding->asAllocated});
}

void VerificationPanel::updateDetail() {
    const QModelIndex current = m_tree->currentIndex();
    const Finding* const chosen = m_model->finding(current);
    m_replay->setEnabled(chosen && chosen->seed);
    m_steps->setEnabled(chosen && chosen->thread && chosen->line > 0);
    if (const Finding* finding = chosen) {
        m_detail->setHtml(findingHtml(*finding));
    } else if (current.isValid()) {
        m_detail->setPlainText(stageLines(current).join(QLatin1Char('\n')));
    } else {
        m_detail->clear();
    }
}

void VerificationPanel::jump(const QModelIndex& index) {
    if (const int line = index.data(StageModel::LineRole).toInt(); line > 0)
        emit ptxLineWanted(line, index.data(StageModel::ColumnRole).toInt());
    else if (const int cudaLine = index.data(StageModel::CudaLineRole).toInt(); cudaLine > 0)
        emit cudaLineWanted(index.data(StageModel::CudaFileRole).toString(), cudaLine);
}

void VerificationPanel::openLink(const QUrl& url) {
    const auto link = findingLink(url);
    if (!link) return;
    if (link->cudaFile.isEmpty())
        emit ptxLineWanted(link->line, link->column);
    else
        emit cudaLineWanted(link->cudaFile, link->line);
}

void VerificationPanel::copy() {
    const QModelIndex current = m_tree->currentIndex();
    if (!current.isValid()) return;
    const Finding* finding = m_model->finding(current);
    QGuiApplication::clipboard()->setText(finding ? findingText(*finding)
                                                  : stageLines(current).join(QLatin1Char('\n')));
}

void VerificationPanel::fitColumns() {
    for (const int column : {Column::StageColumn, Column::StatusColumn, Column::Elapsed, Column::Backend})
        m_tree->resizeColumnToContents(column);
    // The running clock must not be cut off between two answers.
    const int clock = fontMetrics().horizontalAdvance(QStringLiteral("00.000 s")) + 8;
    m_tree->setColumnWidth(Column::Elapsed, std::max(m_tree->columnWidth(Column::Elapsed), clock));
}

void VerificationPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // Beside the list where there is width, below it in a narrow dock.
    m_splitter->setOrientation(width() < 560 && height() > 240 ? Qt::Vertical : Qt::Horizontal);
}

void VerificationPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) updateDetail(); // links keep the colour they were laid out with
}

} // namespace ptxwb::ui
