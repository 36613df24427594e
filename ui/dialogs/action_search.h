// Ctrl+Shift+P: every action of the window by its name.
// Shown by the main window.
#pragma once

#include <QDialog>

#include <vector>

class QAction;
class QLineEdit;
class QListWidget;

namespace ptxwb::ui {

class ActionSearch : public QDialog {
    Q_OBJECT

public:
    explicit ActionSearch(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

    QLineEdit& line() { return *m_line; }
    QListWidget& hits() { return *m_hits; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void run();

    std::vector<QAction*> m_actions;
    QLineEdit* m_line;
    QListWidget* m_hits;
};

} // namespace ptxwb::ui
