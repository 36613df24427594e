// A lesson as a learner goes through it: start, read, change, check; and the teacher's projector.
#include "window.h"

#include "editors/count_strip.h"
#include "panels/lesson_panel.h"
#include "support/files.h"
#include "window/lessons.h"
#include "window/projector.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QToolButton>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

void waitForCheck(Person& person) {
    QTRY_VERIFY_WITH_TIMEOUT(!person.window.lessons().isBusy(), 120000);
}

void choose(LessonPanel& panel, const QString& start) {
    for (int i = 0; i < panel.chooser().count(); ++i)
        if (panel.chooser().itemText(i).startsWith(start)) panel.chooser().setCurrentIndex(i);
    QVERIFY2(panel.chooser().currentText().startsWith(start), qPrintable(start));
}

QStringList goals(LessonPanel& panel) {
    QStringList lines;
    for (int i = 0; i < panel.goals().count(); ++i) lines += panel.goals().item(i)->text();
    return lines;
}

} // namespace

class LessonWindowTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void fromStartToReached() {
        Person person;
        person.key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier); // the layout for teaching
        LessonPanel& panel = *person.window.lessons().panel();
        QVERIFY(panel.isVisible());
        QCOMPARE(panel.chooser().count(), 8);
        QVERIFY(!panel.checkButton().isEnabled());
        choose(panel, "Divergence");
        QSignalSpy opened(&person.window.files(), &SessionFiles::opened);
        QTest::mouseClick(&panel.startButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
        person.waitForAnalysis();
        QVERIFY(panel.checkButton().isEnabled());
        CodePane& pane = person.window.view().candidate();
        QVERIFY(!pane.isReadOnly());
        QVERIFY(pane.text().contains("@%odd bra"));
        // The figures that the lesson is about stand beside the lines.
        const auto branchLine = [&] {
            for (int line = 1; line <= pane.lineCount(); ++line)
                if (pane.line(line).contains("@%odd bra")) return line;
            return 0;
        };
        QTRY_COMPARE(pane.counts().textAt(branchLine()), QStringLiteral("\u2442"));

        // Through the steps.
        QVERIFY2(panel.words().contains("The 32 lanes of a warp share"), qPrintable(panel.words()));
        for (int i = 0; i < 3; ++i) QTest::mouseClick(&panel.nextButton(), Qt::LeftButton);
        QCOMPARE(panel.step(), 3);
        QVERIFY(!panel.nextButton().isEnabled());
        QTest::mouseClick(&panel.backButton(), Qt::LeftButton);
        QVERIFY2(panel.words().contains("To change:"), qPrintable(panel.words()));

        QTest::mouseClick(&panel.checkButton(), Qt::LeftButton);
        waitForCheck(person);
        QVERIFY2(panel.result().contains("Not there yet"), qPrintable(panel.result()));
        QVERIFY2(goals(panel)[0].startsWith("\u2713") && goals(panel)[1].startsWith("\u2717"),
                 qPrintable(goals(panel).join('\n')));

        // The model solution, pasted over the text.
        const auto solution = readFile(PTXWB_SOURCE_DIR "/resources/lessons/divergence/solution.ptx");
        pane.editor().setFocus();
        pane.selectAll();
        QTest::keyClick(&pane.editor(), Qt::Key_Delete);
        pane.replaceLines(1, 0, QByteArray::fromStdString(*solution));
        person.waitForAnalysis();
        QVERIFY2(panel.result().contains("Changed since"), qPrintable(panel.result()));
        QTest::mouseClick(&panel.checkButton(), Qt::LeftButton);
        waitForCheck(person);
        QVERIFY2(panel.result().contains("Reached"), qPrintable(panel.result() + goals(panel).join('\n')));
        QCOMPARE(goals(panel).filter(QStringLiteral("\u2713")).size(), 3);

        // Another kernel ends the lesson.
        person.window.document().discardAutosave();
        NextDialog<QMessageBox, std::function<void(QMessageBox&)>> discard(
            [](QMessageBox& box) { box.button(QMessageBox::Discard)->click(); });
        person.open("saxpy");
        QVERIFY(!panel.checkButton().isEnabled());
    }

    void inAnotherLanguage() {
        Person person;
        LessonPanel& panel = *person.window.lessons().panel();
        choose(panel, "Coalescing");
        const int german = panel.languages().findData("de");
        QVERIFY(german >= 0);
        panel.languages().setCurrentIndex(german);
        emit panel.languages().activated(german);
        QVERIFY2(panel.words().contains("Speicher kommt in Sektoren"), qPrintable(panel.words()));
        choose(panel, "Shuffles");
        QCOMPARE(panel.language(), QString("en")); // it has no other
        choose(panel, "Coalescing");
        QCOMPARE(panel.language(), QString("de")); // remembered
    }

    void questions() {
        Person person;
        LessonPanel& panel = *person.window.lessons().panel();
        choose(panel, "Reading SASS");
        QVERIFY(panel.words().contains("LDG.E R2"));
        QTest::mouseClick(&panel.startButton(), Qt::LeftButton);
        QLineEdit* const field = panel.answerField("load");
        QVERIFY(field);
        QTest::keyClicks(field, "ldg.e");
        QTest::mouseClick(&panel.checkButton(), Qt::LeftButton);
        waitForCheck(person);
        QVERIFY(panel.result().contains("Not there yet"));
        QVERIFY2(goals(panel)[0].startsWith("\u2713") && goals(panel)[1].startsWith("\u2717"),
                 qPrintable(goals(panel).join('\n')));
        const std::pair<const char*, const char*> answers[] = {{"multiply-add", "FFMA"}, {"leaves", "@P0 EXIT"},
                                                               {"parameter-a", "0x214"}, {"cvta", "0"},
                                                               {"block-number", "UR4"},  {"address-y", "R4"}};
        for (const auto& [id, answer] : answers) QTest::keyClicks(panel.answerField(id), answer);
        QTest::mouseClick(&panel.checkButton(), Qt::LeftButton);
        waitForCheck(person);
        QVERIFY2(panel.result().contains("Reached"), qPrintable(goals(panel).join('\n')));
    }

    void projector() {
        Person person;
        person.open("saxpy");
        const double before = QApplication::font().pointSizeF();
        const int zoom = person.window.view().candidate().zoom();
        person.key(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(QApplication::font().pointSizeF() > 1.4 * before);
        QVERIFY(person.window.theme().current().name.startsWith("contrast"));
        QVERIFY(person.window.view().candidate().zoom() > zoom);
        QVERIFY(person.window.actions().themes->actions().contains(&person.window.projector().action()));
        person.key(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(QApplication::font().pointSizeF(), before);
        QVERIFY(!person.window.theme().current().name.startsWith("contrast"));
        QCOMPARE(person.window.view().candidate().zoom(), zoom);
    }
};

int main(int count, char** arguments) {
    LessonWindowTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "lesson_test.moc"
