#include "panels/lane_grid.h"

#include "models/lane_tables.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace ptxwb::ui {

namespace {

constexpr int sideMargin = 4, mark = 5; ///< pixels

/// Paints a cell itself: a thousand of them change with each step.
class CellPainter : public QStyledItemDelegate {
public:
    CellPainter(LaneGrid::Kind kind, QObject* parent) : QStyledItemDelegate(parent), m_kind(kind) {}

    Theme theme;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool changed = index.data(ChangedRole).toBool(), active = index.data(ActiveRole).toBool();
        const bool isBank = m_kind == LaneGrid::Kind::banks;
        const bool selected = option.state & QStyle::State_Selected;
        QColor paper = theme.base;
        if (isBank) {
            // Banks are told apart by their tint; what is touched has a frame and a mark.
            paper = theme.stripes[std::size_t(index.column()) % theme.stripes.size()];
            paper.setAlphaF(active ? 0.45F : 0.14F);
        } else if (changed) {
            paper = theme.added;
        }
        painter->fillRect(option.rect, theme.base);
        painter->fillRect(option.rect, selected ? theme.selection : paper);
        painter->setPen(!isBank && !active ? theme.disabledText : theme.text);
        QFont font = option.font;
        if (changed) font.setBold(true);
        painter->setFont(font);
        painter->drawText(option.rect.adjusted(sideMargin, 0, -sideMargin, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data().toString());
        if (changed) { // a corner that is filled: not by colour alone
            const QPoint corner = option.rect.topLeft();
            const QPoint points[] = {corner, corner + QPoint(mark, 0), corner + QPoint(0, mark)};
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.addedMark);
            painter->drawPolygon(points, 3);
        }
        if (isBank && active) {
            painter->setPen(index.data(StateRole).toInt() > 1 ? theme.failed : theme.text);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(theme.highlight);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
    }

private:
    LaneGrid::Kind m_kind;
};

} // namespace

LaneGrid::LaneGrid(Kind kind, QAbstractItemModel* model, const QString& accessibleName, QWidget* parent)
    : QTableView(parent) {
    setModel(model);
    setItemDelegate(new CellPainter(kind, this));
    setAccessibleName(accessibleName);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setShowGrid(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setCornerButtonEnabled(false);
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setHighlightSections(false);
        header->setSectionResizeMode(QHeaderView::Fixed);
        header->setMinimumSectionSize(8);
        header->setFont(font());
    }
    verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setMinimumSize(120, 60);
    fit();
}

void LaneGrid::setTheme(const Theme& theme) {
    static_cast<CellPainter*>(itemDelegate())->theme = theme;
    viewport()->update();
}

void LaneGrid::setColumnCharacters(int count) {
    m_characters = count;
    fit();
}

void LaneGrid::fit() {
    horizontalHeader()->setDefaultSectionSize(fontMetrics().horizontalAdvance(QLatin1Char('0')) * m_characters +
                                              2 * sideMargin + 2);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
}

} // namespace ptxwb::ui
