// The dock of the warp stepper: registers with a lane a column, the access that comes next, shared memory by banks,
// who waits where; forward and back through what one warp did.
// Made by WarpStepping, which records the warp that is asked for.
#pragma once

#include "models/warp_replay.h"

#include <QWidget>

#include <functional>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSlider;
class QSpinBox;
class QStackedWidget;
class QTabWidget;

namespace ptxwb::ui {

class AccessPicture;
class ElidedLabel;
class EmptyPage;
class LaneGrid;
class RegisterTable;
class SharedTable;
struct Theme;

class WarpPanel : public QWidget {
    Q_OBJECT

public:
    struct Choice {
        Index3 block{};
        std::uint32_t warp = 0;
        QString sizes; ///< "n = 1000, m = 33"; empty: the spec's first
        bool operator==(const Choice&) const = default;
    };

    explicit WarpPanel(WarpReplay* replay, QWidget* parent = nullptr);
    ~WarpPanel() override;

    void setTheme(const Theme& theme);
    /// Said while there is no recording: why.
    void showReason(const QString& text);
    void showBusy(const QString& text); ///< in place of the steps, until the next recording or `showSteps`
    void showSteps();
    void setStale(bool stale);
    void setChoice(const Choice& choice);
    Choice choice() const;
    /// For the menu: record, steps, and where to run to.
    QList<QAction*> actions() const { return m_actions; }
    std::function<int()> caretLine; ///< of the pane that shows the recorded text, for "run to line"; from 1

    // For tests and the window.
    QString emptyText() const; ///< empty where steps are shown
    QString sentence() const;
    QString notice() const;
    LaneGrid& registers() { return *m_registers; }
    LaneGrid& shared() { return *m_shared; }
    AccessPicture& access() { return *m_access; }
    QLabel& lanes() { return *m_lanes; }
    QTabWidget& tabs() { return *m_tabs; }
    QSpinBox& position() { return *m_position; }
    QComboBox& formats() { return *m_formats; }
    QComboBox& rows() { return *m_rows; }
    QAction *recordAction, *forwardAction, *backAction, *startAction, *endAction, *toLineAction, *backToLineAction,
        *divergenceAction, *backToDivergenceAction, *findingAction, *backToFindingAction;

signals:
    void recordWanted();
    void message(const QString& text);
    void shown();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeActions();
    QWidget* makeBar();
    QWidget* makeContent();
    void reset();
    void update();
    void go(bool moved, const QString& otherwise);

    WarpReplay* m_replay;
    QList<QAction*> m_actions;
    QStackedWidget* m_pages;
    EmptyPage* m_empty;
    std::array<QSpinBox*, 3> m_block{};
    QSpinBox *m_warp, *m_position;
    QLineEdit* m_sizes;
    QSlider* m_slider;
    QComboBox *m_formats, *m_rows;
    ElidedLabel* m_sentence;
    QLabel *m_notice, *m_finding, *m_lanes;
    RegisterTable* m_registerTable;
    SharedTable* m_sharedTable;
    LaneGrid *m_registers, *m_shared;
    AccessPicture* m_access;
    QTabWidget* m_tabs;
    bool m_stale = false;
};

} // namespace ptxwb::ui
