// The main job, as a person does it: open, look, edit, F5, read the verdict, mend, undo.
#include "window.h"

#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QTreeWidget>

using namespace ptxwb;
using namespace ptxwb::test;

class WindowTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void opensEditsAndVerifies() {
        Person person;
        person.open("saxpy");
        QCOMPARE(person.window.windowTitle(), "saxpy[*] \u2014 PTX Workbench");
        QCOMPARE(person.names(), (QStringList{"baseline", "vectorized", "unmasked_tail", "misaligned_vector",
                                              "does_not_assemble", "two_quads"}));
        QVERIFY(person.window.view().source().text().contains("__global__"));
        QVERIFY(person.window.view().baseline().text().contains(".entry saxpy"));
        QVERIFY2(person.window.view().summary().contains("added"), qPrintable(person.window.view().summary()));
        QCOMPARE(person.cell("vectorized", CandidateModel::Verdict), "unverified");

        person.choose("vectorized");
        person.window.view().candidate().goToLine(3);
        person.key(Qt::Key_End);
        person.type("\n// by hand");
        QVERIFY(person.window.view().candidate().text().contains("// by hand"));
        person.key(Qt::Key_F5);
        QVERIFY(person.window.verification().isBusy());
        person.waitForVerdict();
        const QString verdict = person.cell("vectorized", CandidateModel::Verdict);
        // Without ptxas the stage "assemble" is left out, and the verdict says so.
        QVERIFY2(verdict == "pass (emulator)" || verdict == "incomplete (emulator)", qPrintable(verdict));
        // What the emulator counted stands beside the lines.
        const QByteArray ptx = person.window.view().candidate().text();
        const int load = int(ptx.left(ptx.indexOf("ld.param.u32")).count('\n')) + 1;
        QTRY_VERIFY(person.window.view().candidate().counts().isVisible());
        // 32 warps: what was typed stands before the launch line, so that the spec's launch counts.
        QCOMPARE(person.window.view().candidate().counts().textAt(load), QString("32"));
        QVERIFY(person.window.isWindowModified());
        QVERIFY(person.window.document().text(person.window.document().current()).contains("// by hand"));

        QVERIFY2(person.window.findChild<ResourcesPanel*>()->target().currentText().startsWith("sm_90"),
                 "the plots are for the session's own target");

        // An edit makes the result stale, and leaves it where it is.
        person.type("x");
        QTRY_VERIFY2(person.chip().startsWith("\u21BB Stale"), qPrintable(person.chip()));
        QCOMPARE(person.cell("vectorized", CandidateModel::Verdict), verdict + ", stale");
        person.key(Qt::Key_Backspace);
        QTRY_VERIFY(!person.chip().startsWith("\u21BB Stale"));
    }

    void mendsTheMisalignedCandidate() {
        Person person;
        person.open("saxpy");
        person.choose("misaligned_vector");
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QCOMPARE(person.cell("misaligned_vector", CandidateModel::Verdict), "fail (emulator)");
        QVERIFY(person.chip().contains("Failed"));

        // F8 goes to the finding's line: the load.
        person.window.view().candidate().goToLine(1);
        person.key(Qt::Key_F8);
        const int line = person.window.view().candidate().currentLine();
        QVERIFY2(person.window.view().candidate().line(line).contains("ld.global.v4.f32"),
                 person.window.view().candidate().line(line).constData());
        // So does Enter on the finding in the verification panel.
        QTreeView& tree = person.window.verificationPanel().tree();
        const QModelIndex stage = tree.model()->index(int(verify::Stage::function), 0);
        const QModelIndex finding = tree.model()->index(0, 0, stage);
        QVERIFY(finding.isValid());
        person.window.view().candidate().goToLine(1);
        tree.setCurrentIndex(finding);
        QTest::keyClick(&tree, Qt::Key_Return);
        QCOMPARE(person.window.view().candidate().currentLine(), line);

        // The way out for pointers that are no multiple of 16 goes above it.
        person.key(Qt::Key_Home);
        person.type("or.b64 %rd5, %rd6, %rd7;\nand.b64 %rd5, %rd5, 15;\nsetp.ne.s64 %p3, %rd5, 0;\nmin.s32 %r6, %r6, "
                    "4;\n@%p3 bra $L_next;\n");
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QVERIFY2(person.cell("misaligned_vector", CandidateModel::Verdict) == "pass (emulator)" ||
                     person.cell("misaligned_vector", CandidateModel::Verdict) == "incomplete (emulator)",
                 qPrintable(person.window.verification().verdictLine()));
        QVERIFY(person.window.verification().findingMarks().empty());
    }

    void saysAtOnceWhatIsWrong() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        QCOMPARE(person.window.problems().title(), "Problems");
        person.window.view().candidate().goToLine(person.window.view().candidate().lineCount() - 2);
        person.key(Qt::Key_End);
        person.type("\nadd.s32 %r1, %nosuch, 1;");
        person.waitForAnalysis();
        QCOMPARE(person.window.analysis().diagnostics().size(), std::size_t(1));
        QVERIFY2(person.window.problems().title().contains("1 error"), qPrintable(person.window.problems().title()));
        person.window.view().candidate().goToLine(1);
        QTreeView& tree = person.window.problems().tree();
        tree.setCurrentIndex(tree.model()->index(0, 0));
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Return);
        const CodePane& pane = person.window.view().candidate();
        QVERIFY(pane.line(pane.currentLine()).contains("%nosuch"));
    }

    void verifiesAllInTurn() {
        Person person;
        person.open("reduce");
        person.key(Qt::Key_F5, Qt::ControlModifier);
        person.waitForVerdict();
        QVERIFY(person.cell("baseline", CandidateModel::Verdict).contains("emulator"));
        QCOMPARE(person.cell("missing_barrier", CandidateModel::Verdict), "fail (emulator)");
        QVERIFY(person.cell("does_not_assemble", CandidateModel::Verdict).startsWith("fail"));
        // A race shows at both of its lines.
        person.choose("missing_barrier");
        int related = 0;
        for (const FindingMark& mark : person.window.verification().findingMarks())
            related += mark.side == FindingMark::Side::related;
        QVERIFY(related > 0);
    }

    void stopsAndGoesOn() {
        Person person;
        person.open("sgemm_tiled");
        person.key(Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(person.window.actions().stop->isEnabled());
        person.key(Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(!person.window.verification().isBusy());
        QVERIFY(!person.window.actions().stop->isEnabled());
        person.choose("does_not_assemble");
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QVERIFY(person.cell("does_not_assemble", CandidateModel::Verdict).startsWith("fail"));
    }

    void undoesEachOperationOnCandidates() {
        Person person;
        person.open("saxpy");
        const QStringList before = person.names();
        const auto undo = [&] { person.key(Qt::Key_Z, Qt::ControlModifier | Qt::AltModifier); };
        const auto redo = [&] { person.key(Qt::Key_Z, Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier); };

        person.choose("vectorized");
        person.key(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(person.names().size(), before.size() + 1);
        person.waitForAnalysis();
        QCOMPARE(person.window.view().candidate().text(), person.window.view().baseline().text());
        person.type("// mine\n");
        undo();
        QCOMPARE(person.names(), before);
        redo();
        person.waitForAnalysis();
        QVERIFY(person.window.view().candidate().text().startsWith("// mine"));
        undo();

        person.choose("vectorized");
        person.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(person.names().size(), before.size() + 1);
        undo();
        QCOMPARE(person.names(), before);

        person.choose("unmasked_tail");
        person.key(Qt::Key_F2);
        auto* line = person.window.candidates().findChild<QLineEdit*>();
        QVERIFY(line);
        line->selectAll();
        QTest::keyClicks(line, "tail");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(person.names().contains("tail"));
        undo();
        QCOMPARE(person.names(), before);
        redo();
        QTRY_VERIFY(person.names().contains("tail"));
        undo();

        person.choose("unmasked_tail");
        QTest::keyClick(&person.window.candidates().table(), Qt::Key_Delete);
        QVERIFY(!person.names().contains("unmasked_tail"));
        undo();
        QCOMPARE(person.names(), before);
        redo();
        QVERIFY(!person.names().contains("unmasked_tail"));
        undo();
        QVERIFY(!person.window.isWindowModified());
    }

    void closesWhileANameIsEdited() {
        Person person;
        person.open("saxpy");
        person.choose("unmasked_tail");
        person.key(Qt::Key_F2);
        auto* line = person.window.candidates().findChild<QLineEdit*>();
        QVERIFY(line);
        line->selectAll();
        QTest::keyClicks(line, "half a na"); // and the window goes
    }

    void eachCandidateKeepsItsUndoAndItsPlace() {
        Person person;
        person.open("saxpy");
        CodePane& pane = person.window.view().candidate();
        person.choose("vectorized");
        const QByteArray before = pane.text();
        pane.goToLine(20);
        person.type("one");
        const QByteArray edited = pane.text();
        person.choose("unmasked_tail");
        QVERIFY(!pane.canUndo());
        pane.goToLine(5);
        person.choose("vectorized");
        QCOMPARE(pane.text(), edited);
        QCOMPARE(pane.currentLine(), 20);
        person.type("");
        while (pane.canUndo()) person.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(pane.text(), before);
        person.choose("unmasked_tail");
        QCOMPARE(pane.currentLine(), 5);
        // Another session has nothing of it.
        person.waitForAnalysis();
        person.open("reduce");
        QVERIFY(!pane.canUndo());
    }

    void deleteInTheEditorDeletesText() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        const QStringList before = person.names();
        const QByteArray text = person.window.view().candidate().text();
        person.window.view().candidate().editor().setFocus();
        person.key(Qt::Key_Delete);
        QCOMPARE(person.names(), before);
        QCOMPARE(person.window.view().candidate().text(), text.mid(1));
    }

    void takesAHunkFromTheBaseline() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        person.key(Qt::Key_F7);
        const QByteArray before = person.window.view().candidate().text();
        person.key(Qt::Key_Return, Qt::AltModifier);
        QVERIFY(person.window.view().candidate().text() != before);
        person.waitForAnalysis();
        person.window.view().candidate().editor().setFocus();
        person.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(person.window.view().candidate().text(), before);
    }

    void findsActionsByName() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        person.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(QApplication::activeModalWidget());
        QWidget* dialog = QApplication::activeModalWidget();
        auto* line = dialog->findChild<QLineEdit*>();
        QVERIFY(line);
        QTest::keyClicks(line, "duplicate");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(person.names().size(), 6);

        // Entries of inner menus too, with the menu's name.
        const auto before = person.window.theme().current().name;
        person.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&person.window));
        person.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(QApplication::activeModalWidget());
        line = QApplication::activeModalWidget()->findChild<QLineEdit*>();
        QTest::keyClicks(line, "theme dark");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(person.window.theme().current().name, "dark");
        person.window.theme().setChoice(ThemeChoice::light);
        QCOMPARE(person.window.theme().current().name, before);
    }

    void theOutlineLeadsToKernelsAndBlocks() {
        Person person;
        person.open("sgemm_tiled");
        person.choose("register_tile");
        QTreeWidget& tree = person.window.outline().tree();
        QTRY_COMPARE(tree.topLevelItemCount(), 1);
        QTreeWidgetItem* kernel = tree.topLevelItem(0);
        QCOMPARE(kernel->text(0), "sgemm_tiled");
        QVERIFY(kernel->childCount() > 2);
        QTreeWidgetItem* block = nullptr;
        for (int i = 0; i < kernel->childCount(); ++i)
            if (kernel->child(i)->text(2).contains("loop") && kernel->child(i)->text(0).startsWith("$"))
                block = kernel->child(i);
        QVERIFY(block);
        tree.setCurrentItem(block);
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Return);
        const CodePane& pane = person.window.view().candidate();
        const QString label = block->text(0).section(',', 0, 0);
        QVERIFY2(pane.line(pane.currentLine()).contains(label.toUtf8()) ||
                     block->text(1).startsWith(QString::number(pane.currentLine())),
                 pane.line(pane.currentLine()).constData());
        // And the caret marks where it stands.
        person.window.view().candidate().goToLine(pane.lineCount() - 2);
        QTRY_VERIFY(tree.currentItem() != block);
    }

    void everyActionHasAMenuAndATip() {
        Person person;
        QList<QAction*> listed;
        for (QMenu* menu : person.window.findChildren<QMenu*>()) listed += menu->actions();
        for (QAction* action : person.window.actions().all()) {
            QVERIFY2(listed.contains(action), qPrintable(action->text()));
            QVERIFY2(!action->statusTip().isEmpty(), qPrintable(action->text()));
        }
        // One key, one action.
        QMap<QString, QString> keys;
        for (const QAction* action : person.window.findChildren<QAction*>()) {
            if (action->shortcutContext() != Qt::WindowShortcut) continue; // of one part of the window
            for (const QKeySequence& key : action->shortcuts()) {
                const QString text = key.toString();
                QVERIFY2(!keys.contains(text), qPrintable(text + ": " + action->text() + " and " + keys.value(text)));
                keys[text] = action->text();
            }
        }
    }

    void everyPartHasAName() {
        Person person;
        person.open("saxpy");
        for (const QWidget* each : person.window.findChildren<QWidget*>()) {
            const bool takesFocus = each->focusPolicy() & Qt::TabFocus;
            if (!takesFocus || !each->isVisible() || qobject_cast<const QAbstractScrollArea*>(each->parentWidget()) ||
                qobject_cast<const QAbstractSpinBox*>(each->parentWidget()) || // Qt's own parts of them
                qobject_cast<const QComboBox*>(each->parentWidget()))
                continue;
            const QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(each));
            QVERIFY2(
                seen && !seen->text(QAccessible::Name).isEmpty(),
                qPrintable(QString("%1 in %2")
                               .arg(each->metaObject()->className(), each->parentWidget()->metaObject()->className())));
        }
    }
};

int main(int count, char** arguments) {
    WindowTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "window_test.moc"
