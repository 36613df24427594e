#include "window/focus_cycle.h"

#include "editors/comparison_view.h"
#include "editors/editor.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>
#include <vector>

namespace ptxwb::ui {

namespace {

/// The first part of a panel that takes the focus by Tab.
QWidget* entryOf(QDockWidget* dock) {
    QWidget* content = dock->widget();
    for (QWidget* proxy = content; proxy; proxy = proxy->focusProxy())
        if (proxy->focusPolicy() & Qt::TabFocus && proxy->isVisible()) return proxy;
    for (QWidget* each : content->findChildren<QWidget*>())
        if (each->focusPolicy() & Qt::TabFocus && each->isVisible() && each->isEnabled() && !each->focusProxy())
            return each;
    return nullptr;
}

} // namespace

void cycleFocus(const QMainWindow& window, ComparisonView& view) {
    std::vector<QWidget*> places, entries;
    for (const PaneId id : {PaneId::source, PaneId::baseline, PaneId::candidate}) {
        places.push_back(&view.pane(id));
        entries.push_back(&view.pane(id).editor());
    }
    QList<QDockWidget*> docks = window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    docks.removeIf([](const QDockWidget* dock) { return !dock->isVisible() || dock->visibleRegion().isEmpty(); });
    std::ranges::stable_sort(docks, [](const QDockWidget* a, const QDockWidget* b) {
        const QPoint left = a->mapToGlobal(QPoint()), right = b->mapToGlobal(QPoint());
        return left.y() != right.y() ? left.y() < right.y() : left.x() < right.x();
    });
    for (QDockWidget* dock : docks)
        if (QWidget* entry = entryOf(dock)) {
            places.push_back(dock);
            entries.push_back(entry);
        }
    const QWidget* focus = QApplication::focusWidget();
    const auto at = std::ranges::find_if(
        places, [focus](const QWidget* place) { return focus && (place == focus || place->isAncestorOf(focus)); });
    // From elsewhere (a menu's dialog, the tool bar) back to the pane that was left.
    std::size_t next = std::size_t(view.currentPane());
    if (at != places.end()) next = std::size_t(at - places.begin() + 1) % places.size();
    entries[next]->setFocus(Qt::ShortcutFocusReason);
}

} // namespace ptxwb::ui
