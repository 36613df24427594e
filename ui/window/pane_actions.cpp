#include "window/pane_actions.h"

#include "editors/comparison_bar.h"
#include "editors/comparison_view.h"
#include "window/actions.h"

#include <QSettings>

namespace ptxwb::ui {

namespace {

/// What can be done depends on the pane: nothing is undone in one that cannot be edited.
void updateEnabled(Actions& actions, ComparisonView& view) {
    const CodePane& pane = view.pane(view.currentPane());
    const bool edits = !pane.isReadOnly();
    actions.undo->setEnabled(edits && pane.canUndo());
    actions.redo->setEnabled(edits && pane.canRedo());
    actions.cut->setEnabled(edits);
    actions.paste->setEnabled(edits);
    actions.takeHunk->setEnabled(!view.candidate().isReadOnly());
}

} // namespace

void connectPaneActions(Actions& actions, ComparisonView& view) {
    const auto onPane = [&view](QAction* action, void (CodePane::*slot)()) {
        QObject::connect(action, &QAction::triggered, &view,
                         [&view, slot] { (view.pane(view.currentPane()).*slot)(); });
    };
    view.bar().setActions(actions.level, actions.previousChange, actions.nextChange);
    onPane(actions.undo, &CodePane::undo);
    onPane(actions.redo, &CodePane::redo);
    onPane(actions.cut, &CodePane::cut);
    onPane(actions.copy, &CodePane::copy);
    onPane(actions.paste, &CodePane::paste);
    onPane(actions.selectAll, &CodePane::selectAll);
    onPane(actions.find, &CodePane::showFind);
    onPane(actions.replace, &CodePane::showReplace);
    onPane(actions.findNext, &CodePane::findNext);
    onPane(actions.findPrevious, &CodePane::findPrevious);
    onPane(actions.goToLine, &CodePane::showGoToLine);
    onPane(actions.complete, &CodePane::complete);
    onPane(actions.instruction, &CodePane::showInstructionHelp);

    const auto onView = [&view](QAction* action, void (ComparisonView::*slot)()) {
        QObject::connect(action, &QAction::triggered, &view, slot);
    };
    onView(actions.takeHunk, &ComparisonView::takeHunkFromBaseline);
    onView(actions.nextChange, &ComparisonView::nextChange);
    onView(actions.previousChange, &ComparisonView::previousChange);
    onView(actions.reveal, &ComparisonView::revealInOtherPanes);
    onView(actions.level, &ComparisonView::cycleLevel);
    onView(actions.zoomIn, &ComparisonView::zoomIn);
    onView(actions.zoomOut, &ComparisonView::zoomOut);
    onView(actions.resetZoom, &ComparisonView::resetZoom);

    const QString wrapKey = QStringLiteral("wrapSource");
    actions.wrap->setChecked(QSettings().value(wrapKey, false).toBool());
    view.source().setWrap(actions.wrap->isChecked());
    QObject::connect(actions.wrap, &QAction::toggled, &view, [&view, wrapKey](bool wrap) {
        QSettings().setValue(wrapKey, wrap);
        view.source().setWrap(wrap);
    });

    const auto update = [&actions, &view] { updateEnabled(actions, view); };
    QObject::connect(&view, &ComparisonView::currentPaneChanged, &actions, update);
    for (const PaneId id : {PaneId::source, PaneId::baseline, PaneId::candidate})
        QObject::connect(&view.pane(id), &CodePane::undoAvailableChanged, &actions, update);
    update();
}

} // namespace ptxwb::ui
