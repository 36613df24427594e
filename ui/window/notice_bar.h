// A line above the panes that says something and offers what to do about it: a kernel that changed on disk, work that
// was not saved before a crash. Does not interrupt, as a message box would.
// Made by the main window.
#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace ptxwb::ui {

class NoticeBar : public QFrame {
    Q_OBJECT

public:
    using Offer = std::pair<QString, std::function<void()>>; ///< a button's text, and what it does

    explicit NoticeBar(QWidget* parent = nullptr);

    /// In place of what was said before. The bar closes when a button is pressed, or at its own close button.
    void say(const QString& text, std::vector<Offer> offers = {});
    QString text() const;

private:
    QLabel* m_text;
    QHBoxLayout* m_buttons;
};

} // namespace ptxwb::ui
