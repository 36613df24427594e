#include "panels/sass_panel.h"

#include "panels/copy_key.h"
#include "panels/empty_page.h"
#include "panels/marks.h"
#include "panels/panel_page.h"
#include "theme/theme.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace ptxwb::ui {

/// The comparison's tints, and that of what belongs to the caret's line.
class SassDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    Theme theme;
    std::set<int> linked;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        using compare::SassRowKind;
        const auto kind = static_cast<SassRowKind>(index.data(SassModel::KindRole).toInt());
        const bool isBaseline = index.column() <= SassModel::Baseline;
        const bool isChanged = kind == SassRowKind::changed;
        if (isBaseline && (isChanged || kind == SassRowKind::removed)) option->backgroundBrush = theme.removed;
        if (!isBaseline && (isChanged || kind == SassRowKind::added)) option->backgroundBrush = theme.added;
        if (linked.contains(index.row())) option->backgroundBrush = theme.linked;
        if (index.column() == SassModel::BaselineLine || index.column() == SassModel::CandidateLine)
            option->palette.setColor(QPalette::Text, theme.marginText);
    }
};

SassPanel::SassPanel(SassModel* model, QWidget* parent)
    : QWidget(parent), m_model(model), m_pages(new QStackedWidget),
      m_empty(new EmptyPage(tr("The machine code of what is shown appears here. Open a kernel (Ctrl+O)."))),
      m_summary(paragraph()), m_table(new QTableView), m_delegate(new SassDelegate(this)) {
    m_table->setModel(model);
    m_table->setItemDelegate(m_delegate);
    m_table->setAccessibleName(tr("Machine code"));
    m_table->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 4);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setMinimumSectionSize(20);
    for (const int narrow : {SassModel::BaselineLine, SassModel::Mark, SassModel::CandidateLine, SassModel::Samples})
        header->setSectionResizeMode(narrow, QHeaderView::ResizeToContents);
    for (const int wide : {SassModel::Baseline, SassModel::Candidate})
        header->setSectionResizeMode(wide, QHeaderView::Stretch);
    new CopyKey(m_table, [this] {
        QStringList lines;
        for (const QModelIndex& row : m_table->selectionModel()->selectedRows(SassModel::Candidate))
            lines += row.data().toString();
        if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    });
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_summary);
    column->addWidget(m_table);
    m_summary->setContentsMargins(8, 0, 8, 0);
    m_pages->addWidget(page);
    m_pages->addWidget(m_empty);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);
    connect(m_table, &QTableView::clicked, this, &SassPanel::follow);
    connect(m_table, &QTableView::activated, this, &SassPanel::follow);
    setTheme(themeFor(palette()));
    m_pages->setCurrentWidget(m_empty);
}

SassPanel::~SassPanel() = default;

void SassPanel::setTheme(const Theme& theme) {
    m_delegate->theme = theme;
    m_table->viewport()->update();
}

void SassPanel::showReason(const QString& text, QAction* action) {
    m_empty->setText(text);
    m_empty->setActions({action});
    m_pages->setCurrentIndex(1);
}

void SassPanel::showCode(bool stale) {
    m_empty->setText({});
    m_pages->setCurrentIndex(0);
    m_table->setColumnHidden(SassModel::Baseline, !m_model->isCompared());
    m_table->setColumnHidden(SassModel::BaselineLine, !m_model->isCompared());
    m_table->setColumnHidden(SassModel::Mark, !m_model->isCompared());
    m_table->setColumnHidden(SassModel::Samples, !m_model->hasSamples());
    const QString counts = m_model->counts();
    say(m_summary, stale ? tr("\u21BB Of an earlier text. %1").arg(counts) : counts);
    if (stale) m_delegate->linked.clear();
}

void SassPanel::setCurrentLine(SassModel::Column side, int ptxLine) {
    const std::vector<int> rows = m_model->rowsOf(side, ptxLine);
    const std::set<int> linked(rows.begin(), rows.end());
    if (linked == m_delegate->linked) return;
    m_delegate->linked = linked;
    if (!rows.empty()) m_table->scrollTo(m_model->index(rows.front(), side));
    m_table->viewport()->update();
}

/// A click on a side's code asks for that side's line; on the mark or the samples for the candidate's.
void SassPanel::follow(const QModelIndex& index) {
    const bool isBaseline = index.column() <= SassModel::Baseline;
    const int line = index.data(isBaseline ? SassModel::BaselineLineRole : SassModel::CandidateLineRole).toInt();
    if (line == 0) return;
    if (isBaseline)
        emit baselineLineWanted(line);
    else
        emit candidateLineWanted(line);
}

QString SassPanel::emptyText() const {
    return m_pages->currentIndex() == 1 ? m_empty->text() : QString();
}

QString SassPanel::summary() const {
    return m_summary->text();
}

void SassPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit shown();
}

} // namespace ptxwb::ui
