#include "panels/copy_key.h"

#include <QAbstractItemView>
#include <QKeyEvent>

namespace ptxwb::ui {

CopyKey::CopyKey(QAbstractItemView* view, std::function<void()> copy) : QObject(view), m_copy(std::move(copy)) {
    view->installEventFilter(this);
}

bool CopyKey::eventFilter(QObject* watched, QEvent* event) {
    const bool asksForKey = event->type() == QEvent::ShortcutOverride;
    if ((!asksForKey && event->type() != QEvent::KeyPress) ||
        !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return QObject::eventFilter(watched, event);
    // Accepting keeps the key from the window's shortcuts: it then comes as a key press.
    event->accept();
    if (!asksForKey) m_copy();
    return true;
}

} // namespace ptxwb::ui
