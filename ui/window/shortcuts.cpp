#include "window/shortcuts.h"

#include "window/actions.h"

#include <QSettings>

#include <algorithm>

namespace ptxwb::ui {

namespace {

constexpr const char* standardProperty = "standardKeys";
const QString group = QStringLiteral("shortcuts/");

using Member = QAction* Actions::*;

/// Names that stay when words and languages change.
constexpr std::pair<const char*, Member> names[] = {
    {"open", &Actions::open},
    {"draft", &Actions::draft},
    {"reload", &Actions::reload},
    {"save", &Actions::save},
    {"saveAs", &Actions::saveAs},
    {"exportReport", &Actions::exportReport},
    {"quit", &Actions::quit},
    {"undo", &Actions::undo},
    {"redo", &Actions::redo},
    {"undoStep", &Actions::undoStep},
    {"redoStep", &Actions::redoStep},
    {"cut", &Actions::cut},
    {"copy", &Actions::copy},
    {"paste", &Actions::paste},
    {"selectAll", &Actions::selectAll},
    {"find", &Actions::find},
    {"replace", &Actions::replace},
    {"findNext", &Actions::findNext},
    {"findPrevious", &Actions::findPrevious},
    {"goToLine", &Actions::goToLine},
    {"takeHunk", &Actions::takeHunk},
    {"complete", &Actions::complete},
    {"settings", &Actions::settings},
    {"create", &Actions::create},
    {"duplicate", &Actions::duplicate},
    {"rename", &Actions::rename},
    {"remove", &Actions::remove},
    {"import", &Actions::import},
    {"askModel", &Actions::askModel},
    {"nextCandidate", &Actions::nextCandidate},
    {"previousCandidate", &Actions::previousCandidate},
    {"delta", &Actions::delta},
    {"noDelta", &Actions::noDelta},
    {"assemblerLog", &Actions::assemblerLog},
    {"history", &Actions::history},
    {"verify", &Actions::verify},
    {"verifyAll", &Actions::verifyAll},
    {"stop", &Actions::stop},
    {"count", &Actions::count},
    {"compile", &Actions::compile},
    {"trust", &Actions::trust},
    {"nextChange", &Actions::nextChange},
    {"previousChange", &Actions::previousChange},
    {"nextProblem", &Actions::nextProblem},
    {"previousProblem", &Actions::previousProblem},
    {"cyclePanes", &Actions::cyclePanes},
    {"reveal", &Actions::reveal},
    {"level", &Actions::level},
    {"changes", &Actions::changes},
    {"wrap", &Actions::wrap},
    {"zoomIn", &Actions::zoomIn},
    {"zoomOut", &Actions::zoomOut},
    {"resetZoom", &Actions::resetZoom},
    {"instruction", &Actions::instruction},
    {"search", &Actions::search},
    {"machine", &Actions::machine},
    {"about", &Actions::about},
};

/// Of an action that has none yet: its words.
QString nameOf(const Actions& actions, const QAction* action) {
    for (const auto& [name, member] : names)
        if (actions.*member == action) return QLatin1String(name);
    return action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

/// The keys that it came with, remembered the first time that somebody asks.
QList<QKeySequence> standardKeys(QAction* action) {
    if (const QVariant known = action->property(standardProperty); known.isValid())
        return QKeySequence::listFromString(known.toString(), QKeySequence::PortableText);
    action->setProperty(standardProperty, QKeySequence::listToString(action->shortcuts(), QKeySequence::PortableText));
    return action->shortcuts();
}

void setKeys(QAction* action, const QList<QKeySequence>& keys) {
    action->setShortcuts(keys);
    const QString tip = action->statusTip(),
                  key = keys.isEmpty() ? QString() : keys.front().toString(QKeySequence::NativeText);
    if (!tip.isEmpty()) action->setToolTip(key.isEmpty() ? tip : Actions::tr("%1 (%2)").arg(tip, key));
}

} // namespace

std::vector<ShortcutRow> shortcutRows(const Actions& actions) {
    std::vector<ShortcutRow> rows;
    for (QAction* action : actions.all()) {
        const auto standard = standardKeys(action);
        rows.push_back({nameOf(actions, action), action->text().remove(QLatin1Char('&')),
                        standard.isEmpty() ? QKeySequence() : standard.front(), action->shortcut()});
    }
    return rows;
}

void setShortcuts(Actions& actions, const std::vector<ShortcutRow>& rows) {
    QSettings settings;
    for (QAction* action : actions.all()) {
        const QString name = nameOf(actions, action);
        const auto row = std::ranges::find(rows, name, &ShortcutRow::name);
        if (row == rows.end()) continue;
        if (row->own == row->standard) {
            settings.remove(group + name);
            setKeys(action, standardKeys(action));
        } else {
            settings.setValue(group + name, row->own.toString(QKeySequence::PortableText));
            setKeys(action, row->own.isEmpty() ? QList<QKeySequence>{} : QList<QKeySequence>{row->own});
        }
    }
}

void loadShortcuts(Actions& actions) {
    const QSettings settings;
    for (QAction* action : actions.all()) {
        standardKeys(action);
        const QString key = group + nameOf(actions, action);
        if (!settings.contains(key)) continue;
        const QKeySequence own(settings.value(key).toString(), QKeySequence::PortableText);
        setKeys(action, own.isEmpty() ? QList<QKeySequence>{} : QList<QKeySequence>{own});
    }
}

} // namespace ptxwb::ui
