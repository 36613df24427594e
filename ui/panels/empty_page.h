// What a panel shows while it has nothing: why, and the buttons that fill it.
// Used by the panels.
#pragma once

#include <QList>
#include <QScrollArea>

class QAction;
class QLabel;

namespace ptxwb::ui {

/// Scrolls where a dock is too small for it.
class EmptyPage : public QScrollArea {
    Q_OBJECT

public:
    explicit EmptyPage(const QString& text, const QList<QAction*>& actions = {}, QWidget* parent = nullptr);

    void setText(const QString& text);
    QString text() const;

private:
    QLabel* m_text;
};

} // namespace ptxwb::ui
