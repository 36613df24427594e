// Projector mode: large type and high contrast, for those who sit at the back of the room.
// Made by the main window.
#pragma once

#include <QFont>
#include <QObject>

class QAction;
class QMenu;

namespace ptxwb::ui {

class ComparisonView;
class ThemeSource;

class Projector : public QObject {
    Q_OBJECT

public:
    Projector(ThemeSource* theme, ComparisonView* view, QWidget* window);
    ~Projector() override; ///< the application's font as it was

    void fillMenu(QMenu* menu);
    QAction& action() { return *m_action; }

private:
    void set(bool on);

    ThemeSource* m_theme;
    ComparisonView* m_view;
    QAction* m_action;
    QFont m_font; ///< of the application, before
};

} // namespace ptxwb::ui
