#include "window/actions.h"

#include "theme/theme.h"
#include "window/icons.h"

#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QUndoStack>

namespace ptxwb::ui {

Actions::Actions(QWidget* window, QUndoStack* undoStack) : QObject(window), m_window(window) {
    makeFileAndEdit(undoStack);
    makeCandidateAndVerify();
    makeViewAndHelp();
}

QAction* Actions::add(const QString& text, const QString& tip, const QKeySequence& key, const char* icon) {
    auto* action = new QAction(text, m_window);
    action->setShortcut(key);
    action->setStatusTip(tip);
    const QString keyText = key.toString(QKeySequence::NativeText);
    action->setToolTip(keyText.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keyText));
    if (icon) action->setObjectName(QLatin1String(icon));
    m_window->addAction(action);
    m_all.push_back(action);
    return action;
}

void Actions::makeFileAndEdit(QUndoStack* undoStack) {
    open = add(tr("&Open…"), tr("Open CUDA source, PTX, a kernel spec or a session"), QKeySequence::Open, "open");
    examples = new QMenu(tr("Open &example"), m_window);
    recent = new QMenu(tr("Open &recent"), m_window);
    draft = add(tr("&New kernel spec from source…"),
                tr("Draft a kernel spec and a reference beside a .cu or .ptx file"), QKeySequence(tr("Ctrl+Shift+N")));
    reload = add(tr("Re&load kernel"), tr("Read the spec and its files from disk again"), QKeySequence(tr("Ctrl+R")));
    save = add(tr("&Save"), tr("Save the session"), QKeySequence::Save, "save");
    saveAs = add(tr("Save &as…"), tr("Save the session under another name"), QKeySequence(tr("Ctrl+Shift+S")));
    exportReport =
        add(tr("Export repor&t…"), tr("Write what is known of the candidates for a reviewer: HTML, Markdown or JSON"),
            QKeySequence(tr("Ctrl+E")));
    exports = new QMenu(tr("Export &candidate"), m_window);
    quit = add(tr("&Quit"), tr("Close the window"), QKeySequence(tr("Ctrl+Q")));

    // The editor takes the keys of text editing itself; the menu names them. Outside of it they must not act on a pane
    // that a person does not look at.
    const auto textKey = [this](QAction* action) {
        action->setShortcutContext(Qt::WidgetShortcut);
        return action;
    };
    undo = textKey(add(tr("&Undo typing"), tr("Undo the last change of the text"), QKeySequence::Undo));
    redo = textKey(add(tr("&Redo typing"), tr("Redo the change of the text"), QKeySequence::Redo));
    undoStep = undoStack->createUndoAction(m_window, tr("Undo"));
    undoStep->setShortcut(QKeySequence(tr("Ctrl+Alt+Z")));
    undoStep->setStatusTip(tr("Undo the last operation on candidates"));
    redoStep = undoStack->createRedoAction(m_window, tr("Redo"));
    redoStep->setShortcut(QKeySequence(tr("Ctrl+Alt+Shift+Z")));
    redoStep->setStatusTip(tr("Redo the operation on candidates"));
    for (QAction* step : {undoStep, redoStep}) {
        m_window->addAction(step);
        m_all.push_back(step);
    }
    cut = textKey(add(tr("Cu&t"), tr("Cut the selected text"), QKeySequence::Cut));
    copy = textKey(add(tr("&Copy"), tr("Copy the selected text"), QKeySequence::Copy));
    paste = textKey(add(tr("&Paste"), tr("Insert what was copied"), QKeySequence::Paste));
    selectAll = textKey(add(tr("Select &all"), tr("Select the whole text"), QKeySequence::SelectAll));
    find = add(tr("&Find…"), tr("Find in the pane"), QKeySequence::Find);
    replace = add(tr("Rep&lace…"), tr("Replace a text in the candidate"), QKeySequence(tr("Ctrl+H")));
    findNext = add(tr("Find &next"), tr("Go to the next hit"), QKeySequence(Qt::Key_F3));
    findPrevious = add(tr("Find pre&vious"), tr("Go to the hit before"), QKeySequence(Qt::SHIFT | Qt::Key_F3));
    goToLine = add(tr("&Go to line…"), tr("Go to a line of the pane"), QKeySequence(tr("Ctrl+G")));
    takeHunk = add(tr("Take the &hunk from the baseline"),
                   tr("Put the baseline's lines in place of the change at the caret"), QKeySequence(tr("Alt+Return")));
    complete = add(tr("Co&mplete"), tr("List what could stand at the caret"), QKeySequence(tr("Ctrl+Space")));
    settings = add(tr("&Settings…"), tr("The worker's command line, look, autosave"), QKeySequence(tr("Ctrl+,")));
}

void Actions::makeCandidateAndVerify() {
    create = add(tr("&New"), tr("New candidate from the baseline"), QKeySequence(tr("Ctrl+N")), "new");
    duplicate = add(tr("&Duplicate"), tr("Copy the current candidate"), QKeySequence(tr("Ctrl+D")), "duplicate");
    rename = add(tr("&Rename"), tr("Give the candidate another name"), QKeySequence(Qt::Key_F2), "rename");
    remove = add(tr("De&lete"), tr("Delete the candidate; it can be undone"), QKeySequence::Delete, "delete");
    // Delete in an editor deletes a character: the key works in the list, where the panel takes this action too.
    remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_window->removeAction(remove);
    import = add(tr("&Import…"), tr("Take PTX files as candidates"), QKeySequence(tr("Ctrl+I")), "import");
    askModel = add(tr("&Ask a model…"), tr("Candidates from a language model, verified as they arrive"),
                   QKeySequence(tr("Ctrl+Shift+M")));
    nextCandidate = add(tr("Ne&xt candidate"), tr("Show the next candidate"), QKeySequence(tr("Ctrl+PgDown")));
    previousCandidate = add(tr("&Previous candidate"), tr("Show the candidate before"), QKeySequence(tr("Ctrl+PgUp")));

    compareWith = new QMenu(tr("&Compare with"), m_window);
    history = add(tr("&History…"), tr("Earlier versions of the candidate beside the baseline; one can come back"),
                  QKeySequence(tr("Ctrl+Shift+H")));
    delta =
        add(tr("Show di&fferences to this one"), tr("List the figures of all others as differences to the candidate"));
    noDelta = add(tr("N&o differences"), tr("List every candidate's own figures again"));

    verify = add(tr("&Verify"), tr("Verify the current candidate"), QKeySequence(Qt::Key_F5), "verify");
    verifyAll = add(tr("Verify &all"), tr("Verify the baseline and every candidate"),
                    QKeySequence(Qt::CTRL | Qt::Key_F5), "verify-all");
    stop = add(tr("&Stop"), tr("Stop verifying"), QKeySequence(Qt::SHIFT | Qt::Key_F5), "stop");
    stop->setEnabled(false);
    assemblerLog = add(tr("What &ptxas writes"), tr("Assemble the current text and show all that ptxas says of it"));
    count = add(tr("C&ount on the GPU"), tr("Hardware counters of the current candidate beside the baseline's"),
                QKeySequence(tr("Ctrl+Shift+F5")));
    compile = add(tr("&Compile baseline"), tr("Compile the CUDA source to the baseline's PTX with nvcc"),
                  QKeySequence(tr("Ctrl+B")), "compile");
    trust = add(tr("&Trust the reference…"), tr("Read the kernel's reference and decide whether it may run"));
}

void Actions::makeViewAndHelp() {
    nextChange = add(tr("Ne&xt change"), tr("Go to the next change"), QKeySequence(Qt::Key_F7), "next-change");
    previousChange = add(tr("&Previous change"), tr("Go to the change before"), QKeySequence(Qt::SHIFT | Qt::Key_F7),
                         "previous-change");
    nextProblem = add(tr("Next pro&blem"), tr("Go to the next problem"), QKeySequence(Qt::Key_F8));
    previousProblem = add(tr("Previous problem"), tr("Go to the problem before"), QKeySequence(Qt::SHIFT | Qt::Key_F8));
    cyclePanes =
        add(tr("Next p&ane or panel"), tr("Go to the next pane, then to the panels"), QKeySequence(Qt::Key_F6));
    reveal = add(tr("&Reveal line in the other panes"), tr("Show this line in the other panes"),
                 QKeySequence(Qt::CTRL | Qt::Key_F10));
    level =
        add(tr("Comparison &level"), tr("Show all rows, those that are renamed or changed, or only the changed ones"),
            QKeySequence(tr("Ctrl+Alt+N")));
    changes = add(tr("List o&f changes…"), tr("Every change as a sentence"), QKeySequence(tr("Ctrl+Shift+L")));
    wrap = add(tr("&Wrap long lines of the source"),
               tr("Break long lines of the CUDA source; PTX rows stay beside one another"));
    wrap->setCheckable(true);
    zoomIn = add(tr("Zoom &in"), tr("Larger text"), QKeySequence::ZoomIn);
    zoomIn->setShortcuts({QKeySequence::ZoomIn, QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    zoomOut = add(tr("Zoom &out"), tr("Smaller text"), QKeySequence::ZoomOut);
    resetZoom = add(tr("Normal &size"), tr("Text in its normal size"), QKeySequence(tr("Ctrl+0")));
    layouts = new QMenu(tr("La&yout"), m_window);
    panels = new QMenu(tr("Pan&els"), m_window);
    themes = new QMenu(tr("&Theme"), m_window);
    lineCounts = new QMenu(tr("Line co&unts"), m_window);
    warp = new QMenu(tr("&Warp stepper"), m_window);
    finding = new QMenu(tr("The chosen &finding"), m_window);

    instruction = add(tr("&Instruction help"), tr("What the instruction at the caret does, its forms, since when"),
                      QKeySequence(Qt::Key_F1));
    search = add(tr("&Search actions…"), tr("Find an action by its name"), QKeySequence(tr("Ctrl+Shift+P")));
    machine = add(tr("What this &machine has…"), tr("Toolkit, GPU, host compiler: what was found and what is missing"));
    about = add(tr("&About PTX Workbench"), tr("Version and licences"));
    about->setMenuRole(QAction::AboutRole);
    quit->setMenuRole(QAction::QuitRole);
}

void Actions::adoptAll(std::span<QAction* const> actions) {
    for (QAction* action : actions)
        if (!action->isSeparator()) adopt(action);
}

void Actions::fillMenus(QMenuBar* bar) {
    const auto fill = [](QMenu* menu, std::initializer_list<QAction*> entries) {
        for (QAction* entry : entries)
            if (entry)
                menu->addAction(entry);
            else
                menu->addSeparator();
    };
    fill(bar->addMenu(tr("&File")),
         {open, examples->menuAction(), recent->menuAction(), nullptr, draft, reload, nullptr, save, saveAs, nullptr,
          exportReport, exports->menuAction(), nullptr, quit});
    fill(bar->addMenu(tr("&Edit")),
         {undo, redo,    nullptr,  undoStep,     redoStep, nullptr, cut,      copy,     paste,   selectAll, nullptr,
          find, replace, findNext, findPrevious, goToLine, nullptr, takeHunk, complete, nullptr, settings});
    fill(bar->addMenu(tr("&Candidate")),
         {create, duplicate, rename, remove, import, nullptr, askModel, nullptr, nextCandidate, previousCandidate,
          nullptr, compareWith->menuAction(), delta, noDelta, history});
    fill(bar->addMenu(tr("Ve&rify")), {verify, verifyAll, stop, count, finding->menuAction(), warp->menuAction(),
                                       nullptr, compile, assemblerLog, trust});
    fill(bar->addMenu(tr("&View")),
         {nextChange, previousChange, nextProblem, previousProblem, nullptr, cyclePanes, reveal, level, changes,
          lineCounts->menuAction(), nullptr, wrap, zoomIn, zoomOut, resetZoom, nullptr, layouts->menuAction(),
          panels->menuAction(), themes->menuAction()});
    fill(bar->addMenu(tr("&Help")), {instruction, search, machine, nullptr, about});
}

void Actions::fillToolBar(QToolBar* bar) {
    for (QAction* entry : {open, save, static_cast<QAction*>(nullptr), verify, verifyAll, stop,
                           static_cast<QAction*>(nullptr), previousChange, nextChange})
        if (entry)
            bar->addAction(entry);
        else
            bar->addSeparator();
}

void Actions::setTheme(const Theme& theme) {
    for (QAction* action : m_all)
        if (const QString name = action->objectName(); !name.isEmpty()) action->setIcon(themedIcon(name, theme));
}

} // namespace ptxwb::ui
