#include "panels/candidate_panel.h"

#include "editors/elided_label.h"
#include "models/document.h"
#include "panels/candidate_sort.h"
#include "panels/empty_page.h"
#include "panels/marks.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolTip>
#include <QVBoxLayout>

namespace ptxwb::ui {

CandidatePanel::CandidatePanel(Document* document, const CandidateActions& actions, QWidget* parent)
    : QWidget(parent), m_document(document), m_actions(actions), m_model(new CandidateModel(document, this)),
      m_sorted(new CandidateSort(this)), m_table(new QTableView), m_pages(new QStackedWidget),
      m_deltaText(new ElidedLabel(Qt::ElideMiddle)) {
    m_sorted->setSourceModel(m_model);
    makeTable();
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(makeToolBar());
    column->addWidget(m_table, 1);
    m_deltaText->hide();
    auto* below = new QHBoxLayout;
    below->setContentsMargins(6, 0, 6, 0);
    below->addWidget(m_deltaText, 1);
    below->addStretch();
    column->addLayout(below);
    m_pages->addWidget(filled);
    m_pages->addWidget(new EmptyPage(tr("There is no candidate yet. Write one, or import a PTX file."),
                                     {m_actions.create, m_actions.import}));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);
    setFocusProxy(m_table);
    connectDocument();
    updateColumns();
    updatePage();
    selectCurrent();
}

CandidatePanel::~CandidatePanel() = default;

void CandidatePanel::makeTable() {
    m_table->setModel(m_sorted);
    m_table->setAccessibleName(tr("Candidates"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setMinimumHeight(60);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->setItemDelegate(new MarkDelegate(
        [](const QModelIndex& index, const Theme& theme) {
            if (index.column() != CandidateModel::Verdict) return Mark{};
            return verdictMark(index.data(CandidateModel::VerdictRole).toString(), theme);
        },
        this));
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    // A third click takes the sorting away: the session's own order, where children stand below their parents.
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    connect(header, &QHeaderView::sectionResized, this, [this] { m_ownWidths |= !m_fitting; });
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this] {
        if (m_table->currentIndex().isValid()) m_table->scrollTo(m_table->currentIndex());
    });
    connect(m_table, &QWidget::customContextMenuRequested, this, &CandidatePanel::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CandidatePanel::takeSelection);
}

QToolBar* CandidatePanel::makeToolBar() {
    auto* bar = new QToolBar(tr("Candidates"));
    bar->setIconSize({16, 16});
    if (m_actions.delta)
        connect(m_actions.delta, &QAction::triggered, this, [this] { setDeltaAgainst(selected()); });
    if (m_actions.noDelta) connect(m_actions.noDelta, &QAction::triggered, this, [this] { setDeltaAgainst({}); });
    for (QAction* action : {m_actions.verify, m_actions.create, m_actions.duplicate, m_actions.rename, m_actions.remove,
                            m_actions.import})
        if (action) bar->addAction(action);
    for (QWidget* button : bar->findChildren<QWidget*>()) button->setFocusPolicy(Qt::TabFocus);
    return bar;
}

void CandidatePanel::connectDocument() {
    connect(m_document, &Document::currentChanged, this, &CandidatePanel::selectCurrent);
    connect(m_model, &CandidateModel::renameRefused, this, [this](const QString& reason) {
        const QRect cell = m_table->visualRect(m_table->currentIndex());
        QToolTip::showText(m_table->viewport()->mapToGlobal(cell.bottomLeft()), reason, m_table);
        emit message(reason);
    });
    const auto changed = [this] {
        updateColumns();
        updatePage();
    };
    connect(m_model, &QAbstractItemModel::dataChanged, this, changed);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, changed);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, [this, changed] {
        if (!m_deltaAgainst.isEmpty() && m_model->row(m_deltaAgainst) < 0) setDeltaAgainst({});
        changed();
    });
    // Behind the proxy's own reset, which this panel's connection to the model might come before.
    connect(m_sorted, &QAbstractItemModel::modelReset, this, [this, changed] {
        if (m_model->row(m_deltaAgainst) < 0) setDeltaAgainst({});
        changed();
        selectCurrent();
    });
}

QString CandidatePanel::selected() const {
    const auto rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? QString() : rows.first().data(CandidateModel::IdRole).toString();
}

void CandidatePanel::selectCurrent() {
    const QModelIndex row = m_sorted->mapFromSource(m_model->index(m_model->row(m_document->current()), 0));
    if (!row.isValid() || selected() == m_document->current()) return;
    m_selecting = true;
    // The column stays where the keyboard was.
    const int column = std::max(0, m_table->currentIndex().column());
    m_table->selectionModel()->setCurrentIndex(row.siblingAtColumn(column),
                                               QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->scrollTo(row.siblingAtColumn(column));
    m_selecting = false;
}

void CandidatePanel::takeSelection() {
    if (m_selecting) return;
    if (const QString id = selected(); !id.isEmpty()) return m_document->setCurrent(id);
    // Ctrl+click takes the last selected row out: there is always a current candidate. Rows that go away take their
    // selection along too, and the document has then chosen another one.
    QMetaObject::invokeMethod(this, &CandidatePanel::selectCurrent, Qt::QueuedConnection);
}

void CandidatePanel::updateColumns() {
    m_fitting = true;
    for (const int column : {CandidateModel::SameCode, CandidateModel::Time, CandidateModel::Ratio}) {
        bool empty = true;
        for (int row = 0; row < m_model->rowCount() && empty; ++row)
            empty = CandidateSort::isUnknown(m_model->index(row, column));
        m_table->setColumnHidden(column, empty);
    }
    if (!m_ownWidths) {
        m_table->resizeColumnsToContents();
        for (const int column : {CandidateModel::Name, CandidateModel::Verdict})
            m_table->setColumnWidth(column,
                                    std::min(m_table->columnWidth(column), 34 * fontMetrics().averageCharWidth()));
    }
    m_fitting = false;
}

void CandidatePanel::updatePage() {
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 0 : 1);
    const QModelIndex name = m_model->index(m_model->row(m_deltaAgainst), CandidateModel::Name);
    m_deltaText->setFullText(tr("In brackets: difference to “%1”").arg(name.data().toString()));
    m_deltaText->setVisible(name.isValid());
}

void CandidatePanel::editName(const QString& id) {
    const QModelIndex name = m_sorted->mapFromSource(m_model->index(m_model->row(id), CandidateModel::Name));
    if (!(name.flags() & Qt::ItemIsEditable)) {
        emit message(tr("The baseline is nvcc's own PTX and keeps its name. Duplicate it to have one to change."));
        return;
    }
    m_document->setCurrent(id);
    m_table->setFocus();
    m_table->setCurrentIndex(name);
    m_table->scrollTo(name);
    m_table->edit(name);
}

void CandidatePanel::showMenu(const QPoint& at) {
    auto* menu = new QMenu(m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QAction* action : {m_actions.verify, m_actions.create, m_actions.duplicate, m_actions.rename, m_actions.remove,
                            m_actions.import})
        if (action) menu->addAction(action);
    menu->addSeparator();
    const QString id = selected();
    QAction* here = menu->addAction(tr("Show differences to this one"), this, [this, id] { setDeltaAgainst(id); });
    here->setEnabled(!id.isEmpty() && id != m_deltaAgainst);
    QAction* none = menu->addAction(tr("No differences"), this, [this] { setDeltaAgainst({}); });
    none->setEnabled(!m_deltaAgainst.isEmpty());
    // From the keyboard's menu key there is no pointer, but a row.
    const QModelIndex under = m_table->indexAt(at);
    const QPoint place = under.isValid() ? at : m_table->visualRect(m_table->currentIndex()).center();
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

void CandidatePanel::setDeltaAgainst(const QString& id) {
    m_deltaAgainst = id;
    m_model->setDeltaAgainst(id);
    updatePage();
}

QByteArray CandidatePanel::saveState() const {
    return m_table->horizontalHeader()->saveState();
}

bool CandidatePanel::restoreState(const QByteArray& state) {
    QHeaderView* header = m_table->horizontalHeader();
    m_fitting = true;
    const bool restored = header->restoreState(state);
    m_ownWidths |= restored;
    m_fitting = false;
    if (restored) m_sorted->sort(header->sortIndicatorSection(), header->sortIndicatorOrder());
    updateColumns();
    return restored;
}

} // namespace ptxwb::ui
