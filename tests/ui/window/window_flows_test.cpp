// What a person does in a day, with the keyboard: the first verified edit, back to an earlier text, a case run again,
// texts replaced, keys changed, what is given away.
#include "window.h"

#include "dialogs/history_dialog.h"
#include "dialogs/machine_card.h"
#include "dialogs/settings_dialog.h"
#include "editors/find_bar.h"
#include "panels/case_table.h"
#include "panels/element_map.h"
#include "panels/empty_page.h"
#include "panels/heat_map.h"
#include "support/files.h"
#include "window/notice_bar.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPaintEvent>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

template <class Widget>
Widget* opened(Person& person) {
    for (QWidget* each : person.window.findChildren<QWidget*>())
        if (auto* found = qobject_cast<Widget*>(each); found && found->isVisible()) return found;
    return nullptr;
}

/// The tallest part of a widget that was painted at once.
struct Painted : QObject {
    explicit Painted(QWidget* widget) { widget->installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint)
            tallest = std::max(tallest, static_cast<QPaintEvent*>(event)->region().boundingRect().height());
        return false;
    }
    int tallest = 0;
};

std::filesystem::path asPath(const QString& file) {
    return file.toStdString();
}

} // namespace

class WindowFlowsTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void theFirstCardSaysWhatThisMachineCanDo() {
        const auto facts = [](const QString& counters, bool gpu) {
            QJsonObject doctor{{"gpus", gpu ? QJsonArray{QJsonObject{{"name", "NVIDIA H200"}}} : QJsonArray{}}};
            if (!counters.isNull())
                doctor["counters"] = QJsonObject{{"permitted", counters.isEmpty()}, {"reason", counters}};
            return doctor;
        };
        const auto has = [](const std::vector<MachineFact>& all, bool found, const QString& what,
                            const QString& detail) {
            return std::ranges::any_of(all, [&](const MachineFact& each) {
                return each.found == found && each.what.contains(what) && each.detail.contains(detail);
            });
        };
        QVERIFY(has(machineFacts(facts("", true)), true, "Hardware counters", "may be read"));
        QVERIFY(has(machineFacts(facts("only root may", true)), false, "hardware counters", "only root may"));
        QVERIFY(has(machineFacts(facts("", true)), true, "GPU", "NVIDIA H200"));
        QVERIFY(!has(machineFacts(facts({}, false)), false, "counters", {}));
        MachineCard card(lightTheme());
        const auto says = [&](const QString& text) {
            const auto labels = card.findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](QLabel* each) { return each->text().contains(text); });
        };
        card.setAnswer(facts("", true));
        QVERIFY(says("timed on the GPU"));
        card.setAnswer(facts({}, false));
        QVERIFY(says("nothing has to be installed") && !says("timed on the GPU"));
    }

    /// Who types fast in a long kernel waits for each line that is painted anew without need.
    void aLetterPaintsNothingButItsLine() {
        Person person;
        person.open("saxpy");
        CodePane &left = person.window.view().baseline(), &right = person.window.view().candidate();
        right.goToLine(3, 100);
        const auto type = [&] {
            QTest::keyClick(&right.editor(), Qt::Key_X);
            QTRY_VERIFY(person.window.analysis().isRunning());
            person.waitForAnalysis();
            QTest::qWait(300); // what follows the text at leisure
        };
        right.replaceLines(3, 1, "// edited\n");
        right.goToLine(3, 100);
        person.waitForAnalysis();
        type(); // the line is a changed one from now on
        Painted leftPainted(left.editor().viewport()), rightPainted(right.editor().viewport());
        for (int i = 0; i < 3; ++i) type();
        QVERIFY(right.text().contains("// editedxxxx\n"));
        QVERIFY2(rightPainted.tallest > 0 && rightPainted.tallest <= 3 * right.editor().lineHeight(),
                 qPrintable(QString::number(rightPainted.tallest)));
        QVERIFY2(leftPainted.tallest <= 3 * left.editor().lineHeight(),
                 qPrintable(QString::number(leftPainted.tallest)));
    }

    /// From the start of the program to the first verified edit, as somebody does it who has read the tips only.
    void aNewcomersFirstVerifiedEdit() {
        QElapsedTimer clock;
        clock.start();
        Person person;
        person.window.greet(); // the card that says what this machine has
        QTRY_VERIFY(QApplication::activeWindow() != &person.window);
        QTest::keyClick(QApplication::activeWindow(), Qt::Key_Escape);
        person.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&person.window));
        person.open("saxpy"); // what the program opens at the first start
        Editor& editor = person.window.view().candidate().editor();
        for (int i = 0; i < 20 && !editor.hasFocus(); ++i) person.key(Qt::Key_F6);
        QVERIFY(editor.hasFocus());
        person.key(Qt::Key_Home, Qt::ControlModifier);
        for (const char letter : {'/', '/', ' ', 'm', 'e'}) QTest::keyClick(&editor, letter);
        person.key(Qt::Key_Return);
        QVERIFY(person.window.view().candidate().text().startsWith("// me\n"));
        person.key(Qt::Key_F5);
        QVERIFY(person.window.verification().isBusy());
        person.waitForVerdict();
        const QString verdict = person.cell("vectorized", CandidateModel::Verdict);
        QVERIFY2(verdict == "pass (emulator)" || verdict == "incomplete (emulator)", qPrintable(verdict));
        QVERIFY2(clock.elapsed() < 120'000, qPrintable(QString::number(clock.elapsed())));
    }

    /// A panel without content says why, and what fills it: a button, or a key by its name.
    void everyEmptyPanelNamesItsNextStep() {
        Person person;
        int empty = 0;
        for (QDockWidget* dock : person.window.findChildren<QDockWidget*>()) {
            // Never empty, or with words of their own: the lessons, the review, the question to a model.
            if (dock->findChildren<EmptyPage*>().isEmpty() || dock->objectName() == "model") continue;
            dock->show();
            dock->raise();
            QString said;
            const auto offers = [&] {
                for (const EmptyPage* page : dock->findChildren<EmptyPage*>()) {
                    if (!page->isVisible()) continue;
                    said = page->text();
                    const auto buttons = page->findChildren<QAbstractButton*>();
                    return std::ranges::any_of(buttons, [](QAbstractButton* each) { return each->isVisible(); });
                }
                return false;
            };
            QTRY_VERIFY2(offers(), qPrintable(dock->windowTitle() + " offers no next step: " + said));
            QVERIFY2(!said.isEmpty(), qPrintable(dock->windowTitle() + " is empty without a reason"));
            // Nothing can be verified while nothing is open.
            if (dock->objectName() == "resources" || dock->objectName() == "timing")
                QVERIFY2(dock->findChild<EmptyPage*>()->findChild<QToolButton*>()->defaultAction() ==
                             person.window.actions().open,
                         qPrintable(dock->windowTitle()));
            ++empty;
        }
        QVERIFY(empty >= 8);
    }

    void anEarlierTextComesBack() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        const QByteArray first = person.window.view().candidate().text();
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        person.window.view().candidate().editor().setFocus();
        person.key(Qt::Key_Home, Qt::ControlModifier);
        person.type("// second\n");
        person.waitForAnalysis();
        person.key(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
        auto* history = opened<HistoryDialog>(person);
        QVERIFY(history);
        QTRY_VERIFY(!history->isComparing());
        QCOMPARE(history->list().count(), 1);
        QVERIFY2(history->list().item(0)->text().contains("pass") ||
                     history->list().item(0)->text().contains("incomplete"),
                 qPrintable(history->list().item(0)->text()));
        // Three texts beside one another, with the new line facing a filler.
        QCOMPARE(history->pane(0).text(), person.window.view().baseline().text());
        QCOMPARE(history->pane(1).text(), first);
        QVERIFY(history->pane(2).text().startsWith("// second\n"));
        QTest::mouseClick(&history->restoreButton(), Qt::LeftButton);
        QTRY_COMPARE(person.window.view().candidate().text(), first);
        // The text that went is kept as well, and the editor takes it back.
        QTRY_COMPARE(history->list().count(), 2);
        QTest::keyClick(history, Qt::Key_Escape);
        QTRY_VERIFY(!opened<HistoryDialog>(person));
        person.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&person.window));
        person.window.view().candidate().editor().setFocus();
        person.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(person.window.view().candidate().text().startsWith("// second\n"));
    }

    void twoCandidatesAreCompared() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        const QByteArray other = person.window.view().candidate().text();
        person.choose("misaligned_vector");
        const QString toBaseline = person.window.view().summary();
        const auto choose = [&](const QString& words) {
            QMenu* menu = person.window.actions().compareWith;
            emit menu->aboutToShow();
            for (QAction* each : menu->actions())
                if (each->text() == words) return each->trigger();
            QFAIL(qPrintable(words));
        };
        choose("vectorized");
        person.waitForAnalysis();
        QCOMPARE(person.window.view().baseline().text(), other);
        QVERIFY(person.window.view().summary() != toBaseline);
        QVERIFY(person.window.view().summary().contains("removed") || person.window.view().summary().contains("~"));
        person.key(Qt::Key_F7); // and its changes are gone through
        // Another candidate keeps it; itself it is compared with the baseline; one that goes is forgotten.
        person.choose("unmasked_tail");
        QCOMPARE(person.window.view().baseline().text(), other);
        person.choose("vectorized");
        QVERIFY(person.window.view().baseline().text() != other);
        QTest::keyClick(&person.window.candidates().table(), Qt::Key_Delete);
        person.waitForAnalysis();
        QCOMPARE(person.window.document().left(), Document::baselineId());
        person.choose("misaligned_vector");
        QCOMPARE(person.window.view().summary(), toBaseline);
    }

    void theHistoryIsSavedWithTheSession() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("tuning.ptxwb");
        {
            Person person;
            person.open("saxpy");
            person.choose("vectorized");
            person.type("// one\n");
            person.waitForAnalysis();
            person.window.analysis().flush();
            QVERIFY(person.window.document().saveAs(file));
        }
        Person person;
        person.open(file);
        person.choose("vectorized");
        const auto* candidate = person.window.document().candidate(person.window.document().current());
        QCOMPARE(candidate->history.size(), std::size_t{2}); // as it came, and as it was saved
        QVERIFY(!candidate->history[0].text->starts_with("// one"));
        QVERIFY(candidate->history[1].text->starts_with("// one"));
    }

    void aFailingCaseIsRunAgain() {
        Person person;
        person.open("saxpy");
        person.choose("unmasked_tail");
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        VerificationPanel& panel = person.window.verificationPanel();
        HeatMap& map = panel.heatMap();
        panel.tabs().setCurrentWidget(&map);
        QVERIFY2(map.summary().contains("wrong"), qPrintable(map.summary()));
        QVERIFY(map.cases().rowCount() > 3);
        QVERIFY(map.cases().failed() > 0);
        // The first wrong one is chosen already.
        QVERIFY(map.cases().currentItem()->text().contains(QChar(0x2717)));
        map.cases().setFocus();
        QTest::keyClick(&map.cases(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(map.answer().contains("finding"), 60000);
        QVERIFY(map.findings().count() > 0);
        // A finding leads to its line.
        person.window.view().candidate().goToLine(1);
        map.findings().setCurrentRow(0);
        map.findings().setFocus();
        QTest::keyClick(&map.findings(), Qt::Key_Return);
        QVERIFY(person.window.view().candidate().currentLine() > 1);
        // After an edit it would show another text.
        person.type("// x\n");
        QTRY_VERIFY(map.answer().contains("Choose a case"));
    }

    void theWrongElementsAreShown() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        // Multiplies where it should multiply and add: every element is wrong.
        CodePane& pane = person.window.view().candidate();
        QByteArray text = pane.text();
        const auto at = text.indexOf("fma.rn.f32");
        QVERIFY(at > 0);
        pane.goToLine(int(text.left(at).count('\n')) + 1);
        pane.editor().setFocus();
        person.key(Qt::Key_Home);
        person.key(Qt::Key_End, Qt::ShiftModifier);
        const QByteArray line = pane.line(pane.currentLine()).trimmed();
        const QList<QByteArray> operands = line.mid(line.indexOf('%')).chopped(1).split(',');
        QCOMPARE(operands.size(), 4);
        person.type("mul.rn.f32 " + operands[0] + "," + operands[1] + "," + operands[2] + ";");
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QCOMPARE(person.cell("vectorized", CandidateModel::Verdict), "fail (emulator)");
        // From the finding, by its own button.
        VerificationPanel& panel = person.window.verificationPanel();
        QTreeView& tree = panel.tree();
        const QModelIndex stage = tree.model()->index(int(verify::Stage::stress), 0); // where buffers are aligned
        tree.setCurrentIndex(tree.model()->index(0, 0, stage));
        QAction* replay = nullptr;
        for (QAction* each : tree.actions())
            if (each->text().contains("Replay")) replay = each;
        QVERIFY(replay && replay->isEnabled());
        replay->trigger();
        HeatMap& map = panel.heatMap();
        QTRY_VERIFY_WITH_TIMEOUT(map.elements().isVisible(), 60000);
        const verify::OutputMap& shown = map.elements().map();
        QCOMPARE(shown.argument, std::string("y"));
        QVERIFY(shown.wrong > 0);
        QVERIFY2(map.elements().cellText(map.elements().current()).contains("y["),
                 qPrintable(map.elements().cellText(0)));
        // From cell to cell with the arrow keys.
        if (shown.columns > 1) {
            const int before = map.elements().current();
            map.elements().setFocus();
            QTest::keyClick(&map.elements(), Qt::Key_Right);
            QCOMPARE(map.elements().current(), before + 1);
        }
    }

    void replacesInTheCandidate() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        CodePane& pane = person.window.view().candidate();
        const QByteArray before = pane.text();
        const auto count = before.count("%f1,");
        QVERIFY(count > 1);
        pane.editor().setFocus();
        person.key(Qt::Key_Home, Qt::ControlModifier);
        person.key(Qt::Key_H, Qt::ControlModifier);
        auto* bar = pane.findChild<FindBar*>();
        QVERIFY(bar->isVisible());
        const std::array fields{bar->findChild<QLineEdit*>("findText"), bar->findChild<QLineEdit*>("findReplacement")};
        QVERIFY(fields[0] && fields[1] && fields[1]->isVisible());
        QTest::keyClicks(fields[0], "%f1,");
        fields[1]->setFocus();
        QTest::keyClicks(fields[1], "%f77,");
        QTest::keyClick(fields[1], Qt::Key_Return); // the first, which the search has selected
        QCOMPARE(pane.text().count("%f77,"), 1);
        QCOMPARE(pane.text().count("%f1,"), count - 1);
        for (auto* each : bar->findChildren<QPushButton*>())
            if (each->text().contains("all")) QTest::mouseClick(each, Qt::LeftButton);
        QCOMPARE(pane.text().count("%f1,"), 0);
        QCOMPARE(pane.text().count("%f77,"), count);
        QTest::keyClick(fields[0], Qt::Key_Escape);
        person.key(Qt::Key_Z, Qt::ControlModifier); // all of them are one step
        QCOMPARE(pane.text().count("%f77,"), 1);
        person.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(pane.text(), before);
        // Where nothing can be edited it finds.
        person.window.view().baseline().editor().setFocus();
        person.key(Qt::Key_H, Qt::ControlModifier);
        auto* other = person.window.view().baseline().findChild<FindBar*>();
        QVERIFY(other->isVisible());
        QVERIFY(!other->findChild<QLineEdit*>("findReplacement")->isVisible());
    }

    void keysCanBeChanged() {
        {
            Person person;
            person.open("saxpy");
            const NextDialog<SettingsDialog, std::function<void(SettingsDialog&)>> change([](SettingsDialog& dialog) {
                dialog.tabs().setCurrentWidget(&dialog.shortcutTable());
                QTreeWidget& tree = dialog.shortcutTable().tree();
                const auto found = tree.findItems("Duplicate", Qt::MatchExactly);
                QCOMPARE(found.size(), 1);
                tree.setCurrentItem(found.front());
                QKeySequenceEdit& field = dialog.shortcutTable().keyField();
                // One that another action has is refused until it is another.
                field.setKeySequence(QKeySequence(Qt::Key_F5));
                emit field.editingFinished();
                QVERIFY2(dialog.shortcutTable().problem().contains("Verify"),
                         qPrintable(dialog.shortcutTable().problem()));
                auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
                QVERIFY(!ok->isEnabled());
                field.setKeySequence(QKeySequence("Ctrl+Alt+Y"));
                emit field.editingFinished();
                QVERIFY(dialog.shortcutTable().problem().isEmpty());
                QTest::mouseClick(ok, Qt::LeftButton);
            });
            person.key(Qt::Key_Comma, Qt::ControlModifier);
            QVERIFY(change.wasShown);
            person.window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&person.window));
            person.choose("vectorized");
            const auto before = person.names().size();
            person.key(Qt::Key_Y, Qt::ControlModifier | Qt::AltModifier);
            QCOMPARE(person.names().size(), before + 1);
            QVERIFY(person.window.actions().duplicate->toolTip().contains("Alt"));
        }
        Person person; // and the next time
        QCOMPARE(person.window.actions().duplicate->shortcut(), QKeySequence("Ctrl+Alt+Y"));
        QSettings().remove("shortcuts");
    }

    void aLongRunTellsSomebodyInAnotherWindow() {
        Person person;
        person.open("saxpy");
        QStringList told;
        person.window.notify = [&](const QString& title, const QString& text) { told += title + ": " + text; };
        emit person.window.verification().ended("5 pass", 12);
        QVERIFY2(told.isEmpty(), "who looks at the window sees it");
        QWidget other;
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other));
        emit person.window.verification().ended("5 pass", 2);
        QVERIFY2(told.isEmpty(), "a short run interrupts nobody");
        emit person.window.verification().ended("5 pass", 12);
        QCOMPARE(told, QStringList{"saxpy verified: 5 pass"});
    }

    void longLinesWrapOnlyWhereAPersonWants() {
        Person person;
        person.open("saxpy");
        Editor& source = person.window.view().source().editor();
        QCOMPARE(source.wrapMode(), QsciScintilla::WrapNone);
        person.window.actions().wrap->trigger();
        QCOMPARE(source.wrapMode(), QsciScintilla::WrapWhitespace);
        QCOMPARE(person.window.view().candidate().editor().wrapMode(), QsciScintilla::WrapNone);
        person.window.actions().wrap->trigger();
    }

    void aSessionAndACandidateThatChangeOnDiskAreNoticed() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("tuning.ptxwb");
        Person person;
        person.open("saxpy");
        QVERIFY(person.window.document().saveAs(file));
        QTest::qWait(300);
        QVERIFY2(person.window.notices().text().isEmpty(), qPrintable(person.window.notices().text())); // our own save
        person.choose("vectorized");
        const QString ptx = folder.filePath("tuning.candidates/vectorized.ptx");
        const QByteArray before = person.window.view().candidate().text();
        QVERIFY(writeFileAtomically(asPath(ptx), "// from elsewhere\n" + before.toStdString()));
        QTRY_VERIFY(person.window.notices().text().contains("vectorized.ptx"));
        QTest::mouseClick(person.window.notices().findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY(person.window.view().candidate().text().startsWith("// from elsewhere"));
        person.window.view().candidate().editor().setFocus();
        person.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(person.window.view().candidate().text(), before);
        // Written a second time, in one step: still watched.
        QTest::qWait(400);
        QVERIFY(writeFileAtomically(asPath(ptx), "// once more\n" + before.toStdString()));
        QTRY_VERIFY(person.window.notices().text().contains("vectorized.ptx"));

        auto session = readFile(asPath(file));
        QVERIFY(session);
        QVERIFY(writeFileAtomically(asPath(file), *session + "\n"));
        QTRY_VERIFY(person.window.notices().text().contains("tuning.ptxwb"));
    }
};

int main(int count, char** arguments) {
    WindowFlowsTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "window_flows_test.moc"
