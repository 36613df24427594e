// The card of F1: it stays until Escape or a click elsewhere, can be scrolled, copied and read aloud.
// A part of the code pane.
#pragma once

#include <QFrame>

class QTextBrowser;

namespace ptxwb::ui {

class CardPopup : public QFrame {
    Q_OBJECT

public:
    explicit CardPopup(QWidget* parent);

    /// Rich text, with its corner at a place of the screen where there is room.
    void showAt(QPoint place, const QString& html);
    QString text() const; ///< plain
    QTextBrowser& browser() { return *m_browser; }

signals:
    void lineWanted(int line);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QTextBrowser* m_browser;
};

} // namespace ptxwb::ui
