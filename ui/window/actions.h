// Every action of the window with its key, its words and its place in the menus.
// Made by the main window, which says what each does; the panels take theirs from here.
#pragma once

#include <QAction>
#include <QObject>

#include <span>
#include <vector>

class QMenu;
class QMenuBar;
class QToolBar;
class QUndoStack;
class QWidget;

namespace ptxwb::ui {

struct Theme;

class Actions : public QObject {
    Q_OBJECT

public:
    /// The actions belong to `window` and work wherever the focus is in it, except those that say otherwise.
    Actions(QWidget* window, QUndoStack* undoStack);

    void fillMenus(QMenuBar* bar);
    void fillToolBar(QToolBar* bar);
    /// Icons in the theme's text colour.
    void setTheme(const Theme& theme);
    /// One that another part of the window made: its key can be changed like the others'.
    void adopt(QAction* action) { m_all.push_back(action); }
    void adoptAll(std::span<QAction* const> actions);
    /// In the order of the menus.
    const std::vector<QAction*>& all() const { return m_all; }

    // File
    QAction *open, *draft, *reload, *save, *saveAs, *exportReport, *quit;
    QMenu* exports;           ///< of the current candidate; filled by the main window
    QMenu *examples, *recent; ///< filled by the main window when they open
    // Edit
    QAction *undo, *redo, *undoStep, *redoStep, *cut, *copy, *paste, *selectAll;
    QAction *find, *replace, *findNext, *findPrevious, *goToLine, *takeHunk, *complete, *settings;
    // Candidate
    QAction *create, *duplicate, *rename, *remove, *import, *askModel, *nextCandidate, *previousCandidate, *history,
        *delta, *noDelta;
    // Verify
    QAction *verify, *verifyAll, *stop, *count, *compile, *trust, *assemblerLog;
    // View
    QAction *nextChange, *previousChange, *nextProblem, *previousProblem, *cyclePanes, *reveal, *level, *changes, *wrap;
    QAction *zoomIn, *zoomOut, *resetZoom;
    QMenu* compareWith; ///< filled when it opens
    QMenu* finding;     ///< what can be done with a chosen one; filled by the main window
    QMenu *layouts, *panels, *themes, *lineCounts, *warp; ///< filled by the main window
    // Help
    QAction *instruction, *search, *machine, *about;

private:
    QAction* add(const QString& text, const QString& tip, const QKeySequence& key = {}, const char* icon = nullptr);
    void makeFileAndEdit(QUndoStack* undoStack);
    void makeCandidateAndVerify();
    void makeViewAndHelp();

    QWidget* m_window;
    std::vector<QAction*> m_all;
};

} // namespace ptxwb::ui
