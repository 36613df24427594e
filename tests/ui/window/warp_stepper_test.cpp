// The warp stepper in the window, with the real worker: record, step both ways, from a finding to the step before it.
#include "window.h"

#include "editors/scintilla_numbers.h"
#include "models/lane_tables.h"
#include "panels/access_picture.h"
#include "panels/lane_grid.h"
#include "panels/warp_panel.h"
#include "window/warp_stepping.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

/// The line from 1 that has the arrow; 0 for none.
int arrowLine(CodePane& pane) {
    for (int line = 0; line < pane.lineCount(); ++line)
        if (pane.editor().send(QsciScintillaBase::SCI_MARKERGET, std::uintptr_t(line)) & (1L << marker::step))
            return line + 1;
    return 0;
}

void waitForRecording(Person& person) {
    QTRY_VERIFY_WITH_TIMEOUT(!person.window.warp().isBusy(), 60000);
}

} // namespace

class WarpStepperTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void recordsAndSteps() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        WarpPanel& panel = *person.window.warp().panel();
        QVERIFY2(panel.emptyText().contains("Nothing is recorded"), qPrintable(panel.emptyText()));
        person.key(Qt::Key_F11, Qt::ControlModifier);
        QVERIFY(panel.isVisible()); // its dock came forward
        waitForRecording(person);
        QCOMPARE(panel.emptyText(), QString());
        WarpReplay& replay = person.window.warp().replay();
        QVERIFY(replay.steps() > 5);
        CodePane& pane = person.window.view().candidate();
        QCOMPARE(arrowLine(pane), replay.line());
        const int first = replay.line();
        person.key(Qt::Key_F11);
        person.key(Qt::Key_F11);
        QCOMPARE(replay.position(), 2U);
        QCOMPARE(arrowLine(pane), replay.line());
        QVERIFY(replay.line() != first);
        QVERIFY2(panel.sentence().startsWith(QString("Line %1:").arg(replay.line())), qPrintable(panel.sentence()));
        person.key(Qt::Key_F11, Qt::ShiftModifier);
        QCOMPARE(replay.position(), 1U);

        // The spin box and the formats, as a person uses them.
        panel.position().setFocus();
        panel.position().selectAll();
        QTest::keyClicks(&panel.position(), "4\r");
        QCOMPARE(replay.position(), 4U);
        panel.formats().setFocus();
        QTest::keyClick(&panel.formats(), Qt::Key_Down);
        QCOMPARE(panel.formats().currentText(), QString("Hexadecimal"));

        // Run to the caret's line, and back.
        const auto& steps = replay.recording().steps;
        const int wanted = int(replay.recording().places[steps[steps.size() / 2].place].line);
        pane.goToLine(wanted);
        pane.editor().setFocus();
        replay.moveTo(0);
        person.key(Qt::Key_F11, Qt::AltModifier);
        QCOMPARE(replay.line(), wanted);
        pane.goToLine(first);
        person.key(Qt::Key_F11, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(replay.line(), first);

        // An edit leaves the recording, marked as old, and takes the arrow away.
        pane.goToLine(pane.lineCount());
        person.type(QStringLiteral("\n// edited\n"));
        person.waitForAnalysis();
        QVERIFY2(panel.notice().contains("earlier text"), qPrintable(panel.notice()));
        QCOMPARE(arrowLine(pane), 0);
    }

    void choosesBlockAndWarp() {
        Person person;
        person.open("saxpy");
        person.choose("baseline");
        WarpPanel& panel = *person.window.warp().panel();
        panel.setChoice({{2, 0, 0}, 3, "n = 100000"});
        person.key(Qt::Key_F11, Qt::ControlModifier);
        waitForRecording(person);
        WarpReplay& replay = person.window.warp().replay();
        QVERIFY2(!replay.isEmpty(), qPrintable(panel.emptyText()));
        QCOMPARE(replay.recording().block[0], 2U);
        QCOMPARE(replay.recording().warp, 3U);
        QCOMPARE(replay.threadOf(5)[0], 101U);
        // The baseline is the one that is shown: the arrow stands in its pane.
        QCOMPARE(arrowLine(person.window.view().baseline()), replay.line());

        panel.setChoice({{9999, 0, 0}, 0, "n = 1000"});
        person.key(Qt::Key_F11, Qt::ControlModifier);
        waitForRecording(person);
        QVERIFY2(panel.emptyText().contains("Not recorded"), qPrintable(panel.emptyText()));
        panel.setChoice({{}, 0, "n : 1000"});
        person.key(Qt::Key_F11, Qt::ControlModifier);
        QVERIFY(!person.window.warp().isBusy());
    }

    void fromAFindingToTheStepThatGoesWrong() {
        Person person;
        person.open("saxpy");
        person.choose("misaligned_vector");
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QTreeView& tree = person.window.verificationPanel().tree();
        const Finding* finding = nullptr;
        const auto* model = static_cast<StageModel*>(tree.model());
        for (int stage = 0; stage < model->rowCount() && !finding; ++stage)
            for (int row = 0; row < model->rowCount(model->index(stage, 0)) && !finding; ++row) {
                const QModelIndex index = model->index(row, 0, model->index(stage, 0));
                const Finding* const one = model->finding(index);
                if (!one || one->kind != FindingKind::misaligned) continue;
                tree.setCurrentIndex(index);
                finding = one;
            }
        QVERIFY(finding);
        const int line = int(finding->line);
        QVERIFY(person.window.verificationPanel().stepsAction().isEnabled());
        person.window.verificationPanel().stepsAction().trigger();
        waitForRecording(person);
        WarpReplay& replay = person.window.warp().replay();
        QCOMPARE(replay.line(), line);
        QVERIFY2(!replay.findingLines().isEmpty(), "the checker says it again at this step");
        QCOMPARE(arrowLine(person.window.view().candidate()), line);
        const auto grids = person.window.warp().panel()->access().grids();
        QVERIFY(!grids.empty());
        QVERIFY2(grids[0].title.contains("no multiple of"), qPrintable(grids[0].title));
    }

    void everyActionIsInTheMenu() {
        Person person;
        QStringList texts;
        for (QAction* action : person.window.actions().warp->actions()) texts += action->text();
        for (QAction* action : person.window.warp().panel()->actions()) QVERIFY(texts.contains(action->text()));
    }
};

int main(int count, char** arguments) {
    WarpStepperTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "warp_stepper_test.moc"
