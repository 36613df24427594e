// Without a mouse and without a screen: every part has a name and a role, and the keyboard reaches it.
#include "window.h"

#include "dialogs/history_dialog.h"
#include "dialogs/settings_dialog.h"
#include "window/shortcuts.h"

#include <QAccessible>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>

#include <set>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

QString describe(const QWidget* widget) {
    QStringList path;
    for (const QWidget* each = widget; each && path.size() < 4; each = each->parentWidget())
        path += QString::fromLatin1(each->metaObject()->className());
    return path.join(" in ");
}

/// Qt's own parts of a control (the field of a combo box, the viewport of a list) speak through the control.
bool isPart(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    return parent && (parent->inherits("QAbstractScrollArea") || parent->inherits("QComboBox") ||
                      parent->inherits("QAbstractSpinBox") || parent->inherits("QKeySequenceEdit") ||
                      parent->inherits("QTabBar") || parent->inherits("QLineEdit"));
}

/// What a person reaches with Tab must say what it is.
QStringList nameless(const QWidget* root) {
    QStringList found;
    for (const QWidget* each : root->findChildren<QWidget*>()) {
        if (!(each->focusPolicy() & Qt::TabFocus) || !each->isVisibleTo(root) || isPart(each)) continue;
        const QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(each));
        if (!seen) {
            found += describe(each) + ": not seen";
            continue;
        }
        if (seen->text(QAccessible::Name).isEmpty()) found += describe(each) + ": no name";
        if (seen->role() == QAccessible::NoRole) found += describe(each) + ": no role";
    }
    return found;
}

} // namespace

class AccessibilityTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void aPartWithoutANameIsNoticed() {
        QWidget root;
        auto* button = new QPushButton(&root);
        root.show();
        QCOMPARE(nameless(&root).size(), 1);
        button->setText("Go");
        QVERIFY(nameless(&root).isEmpty());
    }

    void everyPartOfEveryPanelHasANameAndARole() {
        Person person;
        person.open("saxpy");
        person.choose("misaligned_vector");
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        int panels = 0;
        for (QDockWidget* dock : person.window.findChildren<QDockWidget*>()) {
            dock->show();
            dock->raise();
            QApplication::processEvents();
            QVERIFY2(!dock->windowTitle().isEmpty(), qPrintable(dock->objectName()));
            const QStringList wrong = nameless(dock->widget());
            QVERIFY2(wrong.isEmpty(), qPrintable(dock->windowTitle() + ":\n" + wrong.join('\n')));
            ++panels;
        }
        QVERIFY(panels >= 8);
        const QStringList wrong = nameless(&person.window);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void everyPartOfTheDialogsHasANameAndARole() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        SettingsDialog settings({}, "ptxwb worker", shortcutRows(person.window.actions()), &person.window);
        for (int tab = 0; tab < settings.tabs().count(); ++tab) {
            settings.show();
            settings.tabs().setCurrentIndex(tab);
            const QStringList wrong = nameless(&settings);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        }
        settings.close();
        HistoryDialog history(&person.window.document(), person.window.document().current(),
                              person.window.theme().current(), &person.window);
        history.show();
        const QStringList wrong = nameless(&history);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    /// From pane to pane with F6, and with Tab through everything else.
    void tabReachesEveryPanel() {
        Person person;
        person.open("saxpy");
        std::set<const QDockWidget*> wanted, reached;
        for (const QDockWidget* dock : person.window.findChildren<QDockWidget*>())
            if (dock->isVisible() && !dock->visibleRegion().isEmpty()) wanted.insert(dock);
        QVERIFY(wanted.size() >= 3);
        // The editors keep Tab to themselves: the way out of them is in the menus, by a panel's own key.
        person.window.candidates().table().setFocus();
        for (int i = 0; i < 400 && reached.size() < wanted.size(); ++i) {
            const QWidget* focus = QApplication::focusWidget();
            for (const QWidget* each = focus; each; each = each->parentWidget())
                if (const auto* dock = qobject_cast<const QDockWidget*>(each); dock && wanted.contains(dock))
                    reached.insert(dock);
            if (focus && focus->inherits("QsciScintilla")) break;
            person.key(Qt::Key_Tab);
        }
        QStringList missing;
        for (const QDockWidget* dock : wanted)
            if (!reached.contains(dock)) missing += dock->windowTitle();
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(", ")));
    }

    void f6LeavesTheEditorsForThePanels() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        person.window.view().candidate().editor().setFocus();
        std::set<QString> places;
        for (int i = 0; i < 12; ++i) {
            person.key(Qt::Key_F6);
            QString place = "panes";
            for (const QWidget* each = QApplication::focusWidget(); each; each = each->parentWidget())
                if (const auto* dock = qobject_cast<const QDockWidget*>(each)) place = dock->objectName();
            places.insert(place);
        }
        QVERIFY2(places.contains("panes"), "the panes");
        QVERIFY2(places.contains("candidates"), "the candidates");
        QVERIFY2(places.contains("verification"), "the verification");
    }

    void everyMenuHasItsOwnKey() {
        Person person;
        const auto mustDiffer = [](const QList<QAction*>& actions, const QString& where) {
            QMap<QChar, QString> keys;
            for (const QAction* action : actions) {
                const int at = int(action->text().indexOf('&'));
                if (action->isSeparator() || at < 0 || action->text().mid(at, 2) == "&&") continue;
                const QChar key = action->text().at(at + 1).toLower();
                QVERIFY2(!keys.contains(key), qPrintable(where + ": " + action->text() + " and " + keys.value(key)));
                keys[key] = action->text();
            }
        };
        mustDiffer(person.window.menuBar()->actions(), "the menu bar");
        for (const QAction* action : person.window.menuBar()->actions())
            if (action->menu()) mustDiffer(action->menu()->actions(), action->text());
    }

    /// On a small screen nothing makes the window larger than the screen.
    void theWindowFitsOnASmallScreen() {
        Person person;
        person.open("saxpy");
        for (const Qt::Key layout : {Qt::Key_1, Qt::Key_2, Qt::Key_3}) {
            person.window.resize(1280, 720);
            person.key(layout, Qt::ControlModifier | Qt::AltModifier);
            QApplication::processEvents();
            person.window.resize(1280, 720);
            QApplication::processEvents();
            QCOMPARE(person.window.size(), QSize(1280, 720));
            const CodePane& pane = person.window.view().candidate();
            QVERIFY2(pane.width() >= 160, qPrintable(QString::number(pane.width())));
            QVERIFY2(pane.height() >= 240, qPrintable(QString::number(pane.height())));
        }
    }
};

int main(int count, char** arguments) {
    AccessibilityTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "accessibility_test.moc"
