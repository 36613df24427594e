#include "panels/review_panel.h"

#include "panels/marks.h"

#include <QHeaderView>
#include <QTabBar>
#include <QTreeWidget>

#include <algorithm>
#include <array>
#include <map>

namespace ptxwb::ui {

namespace {

enum Column { What, Detail, columns };
constexpr int stateRole = Qt::UserRole; ///< int of ItemState; none on a group's row

Mark markOfRow(const QModelIndex& index, const Theme& theme) {
    const QVariant state = index.data(stateRole);
    if (index.column() != What || !state.isValid()) return {};
    switch (static_cast<review::ItemState>(state.toInt())) {
    case review::ItemState::met: return markOf(StageModel::State::pass, theme);
    case review::ItemState::failed: return markOf(StageModel::State::fail, theme);
    case review::ItemState::open: break;
    }
    return markOf(StageModel::State::skipped, theme);
}

QString words(const std::array<int, 3>& counts) {
    return ReviewPanel::tr("%1 met, %2 failed, %3 open").arg(counts[0]).arg(counts[1]).arg(counts[2]);
}

} // namespace

ReviewPanel::ReviewPanel(QWidget* parent)
    : QTabWidget(parent), m_comments(new CommentsPage), m_decision(new DecisionPage), m_checklist(new QTreeWidget) {
    m_checklist->setObjectName(QStringLiteral("reviewChecklist"));
    m_checklist->setColumnCount(columns);
    m_checklist->setHeaderLabels({tr("What"), tr("How it stands")});
    m_checklist->setAccessibleName(tr("Checklist"));
    m_checklist->setUniformRowHeights(true);
    m_checklist->setItemDelegate(new MarkDelegate(markOfRow, this));
    m_checklist->header()->setSectionResizeMode(What, QHeaderView::Interactive);
    m_checklist->setColumnWidth(What, 60 * fontMetrics().averageCharWidth());
    setDocumentMode(true);
    setAccessibleName(tr("Review"));
    tabBar()->setAccessibleName(tr("Parts of the review"));
    addTab(m_comments, tr("Comments"));
    addTab(m_decision, tr("Decision"));
    addTab(m_checklist, tr("Checklist"));
}

void ReviewPanel::showPage(Page page) {
    setCurrentIndex(static_cast<int>(page));
}

void ReviewPanel::setOpenComments(int count) {
    const QString text = count == 0 ? tr("Comments") : tr("Comments (%1 open)").arg(count);
    if (text != tabText(0)) setTabText(0, text); // lays all of the tabs out
}

QString ReviewPanel::checklistSummary() const {
    return m_summary;
}

void ReviewPanel::setChecklist(const std::vector<review::Item>& items) {
    const auto same = [](const review::Item& a, const review::Item& b) {
        return a.check == b.check && a.title == b.title && a.state == b.state && a.detail == b.detail;
    };
    if (std::ranges::equal(items, m_items, same)) return;
    m_items = items;
    m_checklist->clear();
    std::array<int, 3> all{};
    struct Group {
        QTreeWidgetItem* item = nullptr;
        std::array<int, 3> counts{};
    };
    std::map<std::string, Group> groups;
    for (const review::Item& item : items) {
        auto& [group, counts] = groups[item.group];
        if (!group) group = new QTreeWidgetItem(m_checklist, {QString::fromStdString(item.group)});
        const QString title = QString::fromStdString(item.title), detail = QString::fromStdString(item.detail);
        const QString state = QString::fromLatin1(review::name(item.state).data());
        auto* row =
            new QTreeWidgetItem(group, {title, detail.isEmpty() ? state : state + QStringLiteral(": ") + detail});
        row->setData(What, stateRole, static_cast<int>(item.state));
        for (int column = 0; column < columns; ++column) {
            row->setToolTip(column, detail.isEmpty() ? title : title + QLatin1Char('\n') + detail);
            row->setData(column, Qt::AccessibleTextRole, QStringLiteral("%1, %2").arg(title, state));
        }
        ++counts[static_cast<std::size_t>(item.state)];
        ++all[static_cast<std::size_t>(item.state)];
        group->setText(Detail, words(counts));
        group->setExpanded(counts[1] > 0 || item.group == "review");
    }
    m_summary = words(all);
    setTabText(2, all[1] > 0 ? tr("Checklist (%1 failed)").arg(all[1]) : tr("Checklist"));
}

} // namespace ptxwb::ui
