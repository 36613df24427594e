#include "panels/problem_panel.h"

#include "panels/copy_key.h"
#include "panels/empty_page.h"
#include "panels/marks.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

using Column = ProblemModel::Column;

QString counted(int count, const QString& one, const QString& many) {
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
}

QString messageOf(const QModelIndex& index) {
    return index.siblingAtColumn(Column::Message).data().toString();
}

/// "saxpy.cu:12:5: error: message"; what is not known is left out.
QString asLine(const QModelIndex& index) {
    QString text;
    const QString file = index.data(ProblemModel::FileRole).toString();
    const int line = index.data(ProblemModel::LineRole).toInt(), column = index.data(ProblemModel::ColumnRole).toInt();
    if (!file.isEmpty()) text += file + QLatin1Char(':');
    if (line > 0) text += QStringLiteral("%1:").arg(line);
    if (line > 0 && column > 0) text += QStringLiteral("%1:").arg(column);
    if (!text.isEmpty()) text += QLatin1Char(' ');
    return text + QStringLiteral("%1: %2").arg(index.siblingAtColumn(Column::SeverityColumn).data().toString(),
                                               messageOf(index));
}

} // namespace

ProblemPanel::ProblemPanel(ProblemModel* model, QAction* verify, QWidget* parent)
    : QWidget(parent), m_model(model), m_tree(new QTreeView),
      m_empty(new EmptyPage(tr("No problems: the checker finds nothing wrong with this text. What only a run shows is "
                               "found when it is verified (F5)."),
                            {verify})),
      m_pages(new QStackedWidget) {
    m_tree->setModel(model);
    m_tree->setAccessibleName(tr("Problems"));
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tree->setItemDelegate(new MarkDelegate(
        [](const QModelIndex& index, const Theme& theme) {
            if (index.column() != Column::SeverityColumn) return Mark{};
            return markOf(static_cast<Severity>(index.data(ProblemModel::SeverityRole).toInt()), theme);
        },
        this));
    m_tree->header()->setResizeContentsPrecision(0); // what is on the screen: the checker answers at each key
    m_pages->addWidget(m_tree);
    m_pages->addWidget(m_empty);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);
    setFocusProxy(m_tree);

    connect(m_tree, &QTreeView::clicked, this, &ProblemPanel::jump);
    connect(m_tree, &QTreeView::activated, this, &ProblemPanel::jump);
    connect(m_tree->header(), &QHeaderView::sectionResized, this, [this](int column) {
        m_ownWidths |= !m_fitting && column != Column::Hint; // the last one fills what is left
    });
    auto* copyAction = new QAction(tr("Copy"), m_tree);
    connect(copyAction, &QAction::triggered, this, &ProblemPanel::copy);
    m_tree->addAction(copyAction);
    new CopyKey(m_tree, [this] { copy(); });
    connectModel();
    updateTitle();
}

void ProblemPanel::connectModel() {
    // The checker fills the model anew at each key: whoever reads the list keeps the place.
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        m_expanded.clear();
        m_selected = messageOf(m_tree->currentIndex());
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (const QModelIndex index = m_model->index(row, 0); m_tree->isExpanded(index))
                m_expanded += messageOf(index);
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        for (int row = 0; row < m_model->rowCount(); ++row) {
            const QModelIndex index = m_model->index(row, 0);
            if (m_expanded.contains(messageOf(index))) m_tree->expand(index);
            if (!m_selected.isEmpty() && messageOf(index) == m_selected) m_tree->setCurrentIndex(index);
        }
        updateTitle();
        fitColumns();
    });
}

void ProblemPanel::setEmptyText(const QString& text) {
    m_empty->setText(text);
}

void ProblemPanel::updateTitle() {
    QStringList parts;
    if (const int n = m_model->count(Severity::error)) parts += counted(n, tr("error"), tr("errors"));
    if (const int n = m_model->count(Severity::warning)) parts += counted(n, tr("warning"), tr("warnings"));
    if (const int n = m_model->count(Severity::note)) parts += counted(n, tr("note"), tr("notes"));
    const QString title = parts.isEmpty() ? tr("Problems") : tr("Problems (%1)").arg(parts.join(QStringLiteral(", ")));
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 0 : 1);
    if (title == m_title) return;
    m_title = title;
    emit titleChanged(title);
}

void ProblemPanel::jump(const QModelIndex& index) {
    const int line = index.data(ProblemModel::LineRole).toInt();
    if (line <= 0) return;
    const bool cuda = index.data(ProblemModel::PaneRole).toString() == QStringLiteral("cuda");
    emit placeWanted(cuda ? ProblemModel::Pane::cuda : ProblemModel::Pane::ptx,
                     index.data(ProblemModel::FileRole).toString(), line, index.data(ProblemModel::ColumnRole).toInt(),
                     index.data(ProblemModel::LengthRole).toInt());
}

void ProblemPanel::copy() {
    if (const QModelIndex index = m_tree->currentIndex(); index.isValid())
        QGuiApplication::clipboard()->setText(asLine(index));
}

void ProblemPanel::fitColumns() {
    if (m_ownWidths) return;
    m_fitting = true;
    int left = m_tree->viewport()->width();
    for (const int column : {Column::SeverityColumn, Column::PlaceColumn, Column::Source}) {
        m_tree->resizeColumnToContents(column);
        left -= m_tree->columnWidth(column);
    }
    // Three parts message to two parts hint, and never too narrow to read.
    m_tree->setColumnWidth(Column::Message, std::max(left * 3 / 5, 30 * fontMetrics().averageCharWidth()));
    m_fitting = false;
}

void ProblemPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
}

} // namespace ptxwb::ui
