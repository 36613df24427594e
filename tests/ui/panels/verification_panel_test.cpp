#include "panels/verification_panel.h"

#include "panels/stage_chips.h"
#include "shots.h"

#include <QAction>
#include <QClipboard>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;
using verify::Stage;
using verify::Status;

namespace {

verify::StageResult answer(Stage stage, Status status = Status::pass) {
    const char* reason = status == Status::skipped ? "time is only measured on a GPU: no GPU here" : "";
    return {stage, status, stage == Stage::parse ? "host" : "emulator", reason, 0.311, {}, 3};
}

verify::StageResult race() {
    verify::StageResult stage = answer(Stage::stress, Status::fail);
    Finding& finding = stage.findings.emplace_back();
    finding.kind = FindingKind::race;
    finding.message = "two threads write shared[4] with nothing between them that orders the two writes";
    finding.hint = "put a bar.sync between the two";
    finding.line = 41;
    finding.column = 2;
    finding.cuda = CudaPlace{"saxpy.cu", 12};
    finding.block = Index3{0, 0, 0};
    finding.thread = Index3{31, 0, 0};
    finding.set = {{"n", 33}};
    finding.fill = "normal";
    finding.seed = 7;
    finding.related.push_back({55, 3, Index3{0, 0, 0}, Index3{32, 0, 0}, "write", ""});
    return stage;
}

std::vector<verify::StageResult> results() {
    return {answer(Stage::parse),    answer(Stage::assemble),
            answer(Stage::function), race(),
            answer(Stage::sanitize), answer(Stage::benchmark, Status::skipped)};
}

struct Shown {
    StageModel model;
    QAction verify{"Verify"}, stop{"Stop"};
    VerificationPanel panel{&model, &verify, &stop};
    QSignalSpy ptx{&panel, &VerificationPanel::ptxLineWanted}, cuda{&panel, &VerificationPanel::cudaLineWanted};

    explicit Shown(QSize size = {900, 150}) { show(panel, size); }
    QModelIndex stage(Stage stage) { return model.index(static_cast<int>(stage), 0); }
    QModelIndex finding() { return model.index(0, 0, stage(Stage::stress)); }
    QString detail() { return panel.detail().toPlainText(); }
};

} // namespace

class VerificationPanelTest : public QObject {
    Q_OBJECT

private slots:
    void nothingVerifiedOffersTo() {
        Shown shown;
        QVERIFY(!shown.panel.tree().isVisible());
        QSignalSpy verified(&shown.verify, &QAction::triggered);
        const auto buttons = shown.panel.findChildren<QToolButton*>();
        const auto offer = std::ranges::find_if(
            buttons, [&](QToolButton* b) { return b->isVisible() && b->defaultAction() == &shown.verify; });
        QVERIFY(offer != buttons.end());
        QTest::mouseClick(*offer, Qt::LeftButton);
        QCOMPARE(verified.size(), 1);
        shoot(shown.panel, "verification-empty");
        shown.model.begin();
        QVERIFY(shown.panel.tree().isVisible());
        shown.model.setStages({}, false);
        QVERIFY(!shown.panel.tree().isVisible());
    }

    void chipsFill() {
        Shown shown;
        StageChips& chips = shown.panel.chips();
        QCOMPARE(chips.chip(Stage::stress).accessibleName(), QString("stress: not run"));
        shown.model.begin();
        QTRY_VERIFY(chips.chip(Stage::parse).accessibleName().startsWith("parse: running"));
        shown.model.setStage(answer(Stage::parse));
        QTRY_COMPARE(chips.chip(Stage::parse).text(), QString::fromUtf8("✓ parse: pass 0.3 s"));
        for (const verify::StageResult& stage : results()) shown.model.setStage(stage);
        QTRY_COMPARE(chips.chip(Stage::stress).accessibleName(), QString("stress: fail, 0.31 s"));
        QVERIFY(chips.chip(Stage::stress).toolTip().contains("1 finding"));
        QVERIFY(chips.chip(Stage::benchmark).toolTip().contains("no GPU here"));
        QVERIFY(chips.chip(Stage::stress).text() != chips.chip(Stage::parse).text());
        shown.model.setStale(true);
        QTRY_VERIFY(chips.chip(Stage::stress).accessibleName().endsWith("of an earlier text"));
        shown.panel.resize(330, 300); // beside another panel of a small screen
        QTRY_COMPARE(chips.chip(Stage::parse).text(), QString::fromUtf8("✓ parse"));
        for (const Stage each : {Stage::parse, Stage::sanitize, Stage::benchmark})
            QTRY_VERIFY(chips.rect().contains(chips.chip(each).geometry()));
        QCOMPARE(chips.chip(Stage::stress).accessibleName(), QString("stress: fail, 0.31 s, of an earlier text"));
        shown.panel.resize(900, 300);
        QTRY_COMPARE(chips.chip(Stage::parse).text(), QString::fromUtf8("✓ parse: pass 0.3 s"));
    }

    void aChipShowsItsStage() {
        Shown shown;
        shown.model.setStages(results(), false);
        QTest::mouseClick(&shown.panel.chips().chip(Stage::benchmark), Qt::LeftButton);
        QCOMPARE(shown.panel.tree().currentIndex(), shown.stage(Stage::benchmark));
        QVERIFY(shown.detail().contains("no GPU here"));
        shown.panel.chips().chip(Stage::stress).setFocus();
        QTest::keyClick(&shown.panel.chips().chip(Stage::stress), Qt::Key_Space);
        QCOMPARE(shown.panel.tree().currentIndex(), shown.finding());
        QCOMPARE(shown.ptx.size(), 0);
    }

    void theChipsAreReachedWithTheKeyboard() {
        Shown shown;
        shown.model.setStages(results(), false);
        QApplication::setActiveWindow(&shown.panel);
        shown.panel.chips().chip(Stage::parse).setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &shown.panel.chips().chip(Stage::assemble));
    }

    void aFailureIsShownAtOnce() {
        Shown shown;
        shown.model.begin();
        for (const verify::StageResult& stage : results()) shown.model.setStage(stage);
        QCOMPARE(shown.panel.tree().currentIndex(), shown.finding());
        QVERIFY(shown.panel.tree().isExpanded(shown.stage(Stage::stress)));
        for (const char* part : {"two threads write shared[4]", "put a bar.sync", "line 41, column 2", "saxpy.cu:12",
                                 "line 55, column 3", "(31, 0, 0)", "(32, 0, 0)", "n = 33", "normal", "7"})
            QVERIFY2(shown.detail().contains(QLatin1String(part)), part);
        QCOMPARE(shown.ptx.size(), 0); // shown, but the editor does not move
    }

    void aFindingOpensItsLine() {
        Shown shown({900, 300});
        shown.model.setStages(results(), false);
        QTreeView& tree = shown.panel.tree();
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(shown.finding()).center());
        QCOMPARE(shown.ptx.size(), 1);
        QCOMPARE(shown.ptx[0], (QVariantList{41, 2}));
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Return);
        QCOMPARE(shown.ptx.size(), 2);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(shown.stage(Stage::parse)).center());
        QCOMPARE(shown.ptx.size(), 2);
    }

    void bothSidesAndTheCudaLineAreLinks() {
        Shown shown({900, 500});
        shown.model.setStages(results(), false);
        QTextBrowser& detail = shown.panel.detail();
        // With the keyboard: Tab goes from link to link, Enter follows it.
        detail.setFocus();
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(&detail, Qt::Key_Tab);
            QTest::keyClick(&detail, Qt::Key_Return);
        }
        QCOMPARE(shown.ptx.size(), 2);
        QCOMPARE(shown.ptx[0], (QVariantList{41, 2}));
        QCOMPARE(shown.ptx[1], (QVariantList{55, 3}));
        QCOMPARE(shown.cuda.size(), 1);
        QCOMPARE(shown.cuda[0], (QVariantList{"saxpy.cu", 12}));
    }

    void copies() {
        Shown shown;
        shown.model.setStages(results(), false);
        QApplication::setActiveWindow(&shown.panel);
        QAction windows("Copy"); // as the window has it, for its editors
        windows.setShortcut(QKeySequence::Copy);
        shown.panel.addAction(&windows);
        QSignalSpy taken(&windows, &QAction::triggered);
        shown.panel.tree().setFocus();
        QTest::keyClick(&shown.panel.tree(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(taken.size(), 0);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("race: two threads write shared[4]"));
        QVERIFY(QGuiApplication::clipboard()->text().contains("Other side: line 55"));
        shown.panel.showStage(Stage::benchmark);
        QTest::keyClick(&shown.panel.tree(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("benchmark: skipped\n"));
    }

    void anAnswerThatReplacesAnotherTakesItsFindingAway() {
        Shown shown;
        shown.model.setStages(results(), false);
        QVERIFY(shown.detail().contains("race"));
        shown.model.setStage(answer(Stage::stress));
        QVERIFY2(!shown.detail().contains("race"), qPrintable(shown.detail()));
    }

    void narrowAndLow() {
        Shown shown;
        shown.model.setStages(results(), false);
        shown.panel.setVerdict("fail (emulator): stress: two threads write shared[4] with nothing between them");
        shoot(shown.panel, "verification-low");
        QVERIFY2(shown.panel.minimumSizeHint().width() <= 300,
                 qPrintable(QString::number(shown.panel.minimumSizeHint().width())));
        QVERIFY2(shown.panel.minimumSizeHint().height() <= 150,
                 qPrintable(QString::number(shown.panel.minimumSizeHint().height())));
        shown.panel.resize(300, 420);
        QApplication::processEvents();
        for (const auto stage : {Stage::parse, Stage::stress, Stage::benchmark}) {
            const QToolButton& chip = shown.panel.chips().chip(stage);
            QVERIFY(shown.panel.chips().rect().contains(chip.geometry()));
        }
        shoot(shown.panel, "verification-narrow");
        shown.panel.resize(900, 300);
        shown.model.setStale(true);
        shoot(shown.panel, "verification-stale");
        shown.model.begin();
        shown.model.setStage(answer(Stage::parse));
        shown.model.setProgress(2, 15, "function: n = 33");
        shoot(shown.panel, "verification-running");
    }
};

QTEST_MAIN(VerificationPanelTest)
#include "verification_panel_test.moc"
