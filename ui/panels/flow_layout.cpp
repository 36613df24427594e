#include "panels/flow_layout.h"

#include <algorithm>

namespace ptxwb::ui {

FlowLayout::FlowLayout(QWidget* parent, int spacing) : QLayout(parent), m_spacing(spacing) {}

FlowLayout::~FlowLayout() {
    for (QLayoutItem* item : m_items) delete item;
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item) m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::heightForWidth(int width) const {
    return arrange(QRect(0, 0, width, 0), Apply::no);
}

/// All in one row.
QSize FlowLayout::sizeHint() const {
    QSize size;
    for (const QLayoutItem* item : m_items) {
        const QSize hint = item->sizeHint();
        size = {size.width() + hint.width() + m_spacing, std::max(size.height(), hint.height())};
    }
    const QMargins around = contentsMargins();
    return {size.width() + around.left() + around.right(), size.height() + around.top() + around.bottom()};
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items) size = size.expandedTo(item->minimumSize());
    const QMargins around = contentsMargins();
    return size + QSize(around.left() + around.right(), around.top() + around.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, Apply::yes);
}

int FlowLayout::arrange(const QRect& rect, Apply apply) const {
    const QMargins around = contentsMargins();
    const QRect inside = rect.marginsRemoved(around);
    int x = inside.x(), y = inside.y(), rowHeight = 0;
    for (QLayoutItem* item : m_items) {
        const QSize size = item->sizeHint();
        if (x > inside.x() && x + size.width() > inside.right() + 1) {
            x = inside.x();
            y += rowHeight + m_spacing;
            rowHeight = 0;
        }
        if (apply == Apply::yes) item->setGeometry(QRect(QPoint(x, y), size));
        x += size.width() + m_spacing;
        rowHeight = std::max(rowHeight, size.height());
    }
    return y + rowHeight - rect.y() + around.bottom();
}

} // namespace ptxwb::ui
