// Named arrangements of the docks: Tune, Teach, Review; each remembers how a person left it.
// Made by the main window after its docks.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <array>

class QAction;
class QDockWidget;
class QMainWindow;
class QMenu;

namespace ptxwb::ui {

class Layouts : public QObject {
    Q_OBJECT

public:
    struct Docks {
        QDockWidget *candidates, *resources, *timing, *counters, *outline, *verification, *problems, *sass, *model,
            *warp, *lesson, *effects;
    };
    enum class Name : unsigned char { tune, teach, review };

    Layouts(QMainWindow* window, const Docks& docks);

    /// One more dock at the bottom, behind the problems; to the front in the review.
    void addReview(QDockWidget* dock) { m_review = dock; }

    void fillMenu(QMenu* menu);
    Name current() const { return m_current; }
    /// Keeps the arrangement that is shown, then shows the other one as it was left.
    void choose(Name name);
    void restoreDefault();

    void restore();     ///< at the start, from QSettings
    void store() const; ///< at the end

private:
    void arrange(Name name);
    void show(Name name);

    QMainWindow* m_window;
    Docks m_docks;
    QDockWidget* m_review = nullptr;
    Name m_current = Name::tune;
    std::array<QAction*, 3> m_actions{};
};

} // namespace ptxwb::ui
