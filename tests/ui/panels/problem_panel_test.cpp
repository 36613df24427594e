#include "panels/problem_panel.h"

#include "shots.h"

#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>
#include <QTreeView>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;
using Pane = ProblemModel::Pane;

namespace {

Diagnostic checkerError(std::uint32_t line, const std::string& message) {
    return {Severity::error, Cause::rejected, "type", {"fast.ptx", line, 5, 6}, message, "declare it", {}};
}

/// A race with its other side and its CUDA line.
std::vector<verify::StageResult> raceStage() {
    verify::StageResult stage{verify::Stage::stress, verify::Status::fail, "emulator", {}, 0.3, {}, 3};
    Finding& finding = stage.findings.emplace_back();
    finding.kind = FindingKind::race;
    finding.message = "two threads write shared[4]";
    finding.hint = "put a bar.sync between the two";
    finding.line = 41;
    finding.column = 2;
    finding.related.push_back({55, 3, Index3{0, 0, 0}, Index3{31, 0, 0}, "write", "the other write"});
    finding.cuda = CudaPlace{"saxpy.cu", 12};
    return {stage};
}

struct Shown {
    ProblemModel model;
    ProblemPanel panel{&model};
    QSignalSpy places{&panel, &ProblemPanel::placeWanted};

    Shown() { show(panel, {900, 150}); }
    QModelIndex row(int at, const QModelIndex& parent = {}) { return model.index(at, ProblemModel::Message, parent); }
    void click(const QModelIndex& index) {
        panel.tree().scrollTo(index);
        QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, panel.tree().visualRect(index).center());
    }
};

} // namespace

class ProblemPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qRegisterMetaType<Pane>(); }

    void aClickJumps() {
        Shown shown;
        shown.model.setChecker({checkerError(7, "%f9 is not declared")});
        shown.click(shown.row(0));
        QCOMPARE(shown.places.size(), 1);
        QCOMPARE(shown.places[0][0].value<Pane>(), Pane::ptx);
        QCOMPARE(shown.places[0].mid(1), (QVariantList{"fast.ptx", 7, 5, 6}));
    }

    void enterJumpsAndArrowsDoNot() {
        Shown shown;
        shown.model.setChecker({checkerError(7, "a"), checkerError(9, "b")});
        shown.panel.tree().setFocus();
        shown.panel.tree().setCurrentIndex(shown.row(0));
        QTest::keyClick(&shown.panel.tree(), Qt::Key_Down);
        QCOMPARE(shown.places.size(), 0);
        QTest::keyClick(&shown.panel.tree(), Qt::Key_Return);
        QCOMPARE(shown.places.size(), 1);
        QCOMPARE(shown.places[0][2].toInt(), 9);
    }

    void aDoubleClickJumpsToo() {
        Shown shown;
        shown.model.setStages(raceStage(), false);
        const QPoint at = shown.panel.tree().visualRect(shown.row(0)).center();
        QTest::mouseClick(shown.panel.tree().viewport(), Qt::LeftButton, {}, at);
        shown.places.clear();
        QTest::mouseDClick(shown.panel.tree().viewport(), Qt::LeftButton, {}, at);
        QVERIFY(!shown.places.isEmpty());
        QCOMPARE(shown.places[0][2].toInt(), 41);
        QVERIFY(!shown.panel.tree().isExpanded(shown.row(0).siblingAtColumn(0)));
    }

    void furtherPlacesJump() {
        Shown shown;
        shown.model.setStages(raceStage(), false);
        const QModelIndex race = shown.model.index(0, 0);
        shown.panel.tree().expand(race);
        shown.click(shown.row(0, race));
        QCOMPARE(shown.places.last()[0].value<Pane>(), Pane::ptx);
        QCOMPARE(shown.places.last()[2].toInt(), 55);
        shown.click(shown.row(1, race));
        QCOMPARE(shown.places.last()[0].value<Pane>(), Pane::cuda);
        QCOMPARE(shown.places.last()[1].toString(), QString("saxpy.cu"));
        QCOMPARE(shown.places.last()[2].toInt(), 12);
    }

    void whatHasNoPlaceDoesNotJump() {
        Shown shown;
        Diagnostic nowhere = checkerError(0, "no kernel");
        shown.model.setChecker({nowhere});
        shown.click(shown.row(0));
        QCOMPARE(shown.places.size(), 0);
    }

    void copies() {
        Shown shown;
        shown.model.setChecker({checkerError(7, "%f9 is not declared")});
        shown.panel.tree().setFocus();
        shown.panel.tree().setCurrentIndex(shown.row(0));
        QApplication::setActiveWindow(&shown.panel);
        QTest::keyClick(&shown.panel.tree(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("fast.ptx:7:5: error: %f9 is not declared"));
        shown.model.setChecker({});
        shown.model.setStages(raceStage(), false);
        shown.panel.tree().expandAll();
        shown.panel.tree().setCurrentIndex(shown.row(1, shown.model.index(0, 0)));
        QTest::keyClick(&shown.panel.tree(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("saxpy.cu:12: note: made from this CUDA line"));
    }

    void theTitleCounts() {
        Shown shown;
        QSignalSpy titles(&shown.panel, &ProblemPanel::titleChanged);
        QCOMPARE(shown.panel.title(), QString("Problems"));
        Diagnostic warning = checkerError(3, "w");
        warning.severity = Severity::warning;
        shown.model.setChecker({checkerError(7, "a"), checkerError(9, "b"), warning});
        QCOMPARE(titles.last()[0].toString(), QString("Problems (2 errors, 1 warning)"));
        shown.model.setChecker({checkerError(7, "c"), checkerError(9, "d"), warning});
        QCOMPARE(titles.size(), 1);
        shown.model.clear();
        QCOMPARE(titles.last()[0].toString(), QString("Problems"));
    }

    void theEmptyTextSaysWhy() {
        Shown shown;
        QVERIFY(!shown.panel.tree().isVisible());
        shown.panel.setEmptyText("Nothing is open.");
        const auto labels = shown.panel.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(
            labels, [](const QLabel* l) { return l->isVisible() && l->text() == QString("Nothing is open."); }));
        shown.model.setChecker({checkerError(7, "a")});
        QVERIFY(shown.panel.tree().isVisible());
        shown.model.clear();
        shoot(shown.panel, "problems-empty");
    }

    void typingKeepsTheSelectedAndTheOpenRow() {
        Shown shown;
        shown.model.setStages(raceStage(), false);
        shown.model.setChecker({checkerError(7, "a"), checkerError(90, "b")});
        const auto rowOf = [&](const QString& text) {
            for (int row = 0; row < shown.model.rowCount(); ++row)
                if (shown.row(row).data().toString().contains(text)) return shown.model.index(row, 0);
            return QModelIndex();
        };
        shown.panel.tree().expand(rowOf("two threads"));
        shown.panel.tree().setCurrentIndex(rowOf("b"));
        shown.model.setChecker({checkerError(5, "new"), checkerError(8, "a"), checkerError(91, "b")});
        QCOMPARE(shown.panel.tree().currentIndex(), rowOf("b"));
        QVERIFY(shown.panel.tree().isExpanded(rowOf("two threads")));
        QVERIFY(!shown.panel.tree().isExpanded(rowOf("new")));
        QCOMPARE(shown.places.size(), 0);
        Diagnostic warning =
            checkerError(3, "this label is never used, and the message is long enough not to fit here");
        warning.severity = Severity::warning;
        shown.model.setChecker({checkerError(5, "new"), checkerError(91, "b"), warning});
        shoot(shown.panel, "problems");
        QVERIFY(shown.panel.minimumSizeHint().height() <= 150);
    }
};

QTEST_MAIN(ProblemPanelTest)
#include "problem_panel_test.moc"
