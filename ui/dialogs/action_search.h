// Ctrl+Shift+P: every action of the window's menus by its name.
// Shown by the main window.
#pragma once

#include <QDialog>
#include <QPointer>
#include <QString>

#include <vector>

class QAction;
class QLineEdit;
class QListWidget;
class QMenuBar;

namespace ptxwb::ui {

class ActionSearch : public QDialog {
    Q_OBJECT

public:
    explicit ActionSearch(const QMenuBar& menus, QWidget* parent = nullptr);

    QLineEdit& line() { return *m_line; }
    QListWidget& hits() { return *m_hits; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void collect(const QList<QAction*>& actions, const QString& menu);
    void fill();
    void run();

    struct Entry {
        QPointer<QAction> action; ///< menus of recent files are filled anew
        QString text;             ///< "Theme: Dark"
    };
    std::vector<Entry> m_entries;
    QLineEdit* m_line;
    QListWidget* m_hits;
};

} // namespace ptxwb::ui
