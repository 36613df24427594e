// Ctrl+C in a list copies what the panel makes of the row, and not the text of one cell.
// Used by the panels.
#pragma once

#include <QObject>

#include <functional>

class QAbstractItemView;

namespace ptxwb::ui {

/// Takes the key while the view has the focus, also where the window has an action with the same key.
class CopyKey : public QObject {
    Q_OBJECT

public:
    CopyKey(QAbstractItemView* view, std::function<void()> copy);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void()> m_copy;
};

} // namespace ptxwb::ui
