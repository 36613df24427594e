// Where problems are shown, what stands above the panes, and the windows beside the main one.
#include "window.h"

#include "dialogs/change_list.h"
#include "dialogs/shortcut_table.h"
#include "editors/comparison_bar.h"
#include "editors/scintilla_numbers.h"
#include "support/files.h"
#include "window/shortcuts.h"

#include <QPlainTextEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

QString exampleText(const char* file) {
    return QString::fromStdString(
        *readFile(std::filesystem::path(PTXWB_SOURCE_DIR "/resources/examples/saxpy") / file));
}

bool hasFinding(CodePane& pane, int line) {
    const long marks = pane.editor().send(QsciScintillaBase::SCI_MARKERGET, std::uintptr_t(line - 1));
    return (marks & (1L << marker::finding)) != 0;
}

} // namespace

class PlacesTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void problemsOfTheBaselineStandInItsPane() {
        Person person;
        person.open("saxpy");
        Document& document = person.window.document();
        document.setBaseline(exampleText("candidates/unmasked_tail.ptx"));
        document.setCurrent(Document::baselineId());
        person.waitForAnalysis();
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        CodePane &left = person.window.view().baseline(), &right = person.window.view().candidate();
        QList<int> lines;
        for (int i = 0; i < 3; ++i) {
            person.key(Qt::Key_F8);
            lines += left.currentLine();
            QVERIFY2(hasFinding(left, lines.last()), qPrintable(QString::number(lines.last())));
        }
        QVERIFY2(lines[0] < lines[1] && lines[1] < lines[2], "F8 stays where it is");
        QVERIFY(person.window.statusBar()->currentMessage().contains("past the end"));
        // Nobody reads of it above another text.
        person.choose("vectorized");
        QVERIFY(!person.window.statusBar()->currentMessage().contains("past the end"));
        for (const int line : lines) QVERIFY(!hasFinding(left, line) && !hasFinding(right, line));
    }

    void headersNameTargetAndFlags() {
        Person person;
        person.open("saxpy");
        ComparisonView& view = person.window.view();
        const auto header = [&](PaneId id) { return view.pane(id).findChild<PaneHeader*>()->accessibleName(); };
        QVERIFY2(header(PaneId::source).contains("saxpy.cu, sm_90, -O3"), qPrintable(header(PaneId::source)));
        QVERIFY2(header(PaneId::baseline).contains("nvcc PTX, sm_90, -O3  nvcc 13"),
                 qPrintable(header(PaneId::baseline)));
        QVERIFY2(header(PaneId::candidate).contains("vectorized, sm_80"), qPrintable(header(PaneId::candidate)));
    }

    /// The bar's buttons tell the keys that a person has given them.
    void tipsTellTheKeysThereAre() {
        Person person;
        QAction* next = person.window.actions().nextChange;
        const auto tips = [&] {
            QStringList all;
            for (QWidget* each : person.window.view().bar().findChildren<QWidget*>()) all += each->toolTip();
            return all;
        };
        QVERIFY2(tips().filter("F7").size() >= 2, qPrintable(tips().join('\n')));
        auto rows = shortcutRows(person.window.actions());
        const auto row = std::ranges::find(rows, next->text().remove('&'), &ShortcutRow::text);
        QVERIFY(row != rows.end());
        row->own = QKeySequence("Ctrl+Alt+J");
        setShortcuts(person.window.actions(), rows);
        QVERIFY2(tips().filter("Ctrl+Alt+J").size() == 1, qPrintable(tips().join('\n')));
        QSettings().remove("shortcuts");
    }

    void verifyingWorksFromAWindowBeside() {
        Person person;
        person.open("saxpy");
        person.window.actions().changes->trigger();
        auto* list = person.window.findChild<ChangeList*>();
        QVERIFY(list);
        list->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(list));
        QTest::keyClick(list, Qt::Key_F5);
        QVERIFY(person.window.verification().isBusy());
        person.waitForVerdict();
    }

    void whatPtxasWrites() {
        if (QStandardPaths::findExecutable("ptxas").isEmpty()) QSKIP("no ptxas here");
        Person person;
        person.open("saxpy");
        QAction* action = person.window.actions().assemblerLog;
        const auto logs = [&] {
            QList<QPlainTextEdit*> all;
            for (auto* each : person.window.findChildren<QPlainTextEdit*>())
                if (each->accessibleName() == "What ptxas writes") all += each;
            return all;
        };
        action->trigger();
        QCOMPARE(logs().size(), 1);
        logs().front()->window()->close(); // while it works
        QTRY_VERIFY(logs().isEmpty());
        // Two at once: each is filled with its own.
        action->trigger();
        person.choose("two_quads");
        action->trigger();
        QCOMPARE(logs().size(), 2);
        for (QPlainTextEdit* each : logs()) {
            QTRY_VERIFY_WITH_TIMEOUT(each->toPlainText().contains("registers"), 20000); // of whichever ptxas
            QVERIFY2(each->toPlainText().startsWith("$ ptxas "), qPrintable(each->toPlainText()));
        }
        QVERIFY(logs()[0]->window()->windowTitle() != logs()[1]->window()->windowTitle());
    }
};

int main(int count, char** arguments) {
    PlacesTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "places_test.moc"
