#include "models/stage_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;
using verify::Stage;
using verify::Status;
using Column = StageModel::Column;
using State = StageModel::State;

namespace {

verify::StageResult answer(Stage stage, Status status = Status::pass, int findings = 0) {
    verify::StageResult made{stage, status, "emulator", status == Status::skipped ? "no GPU here" : "", 0.2, {}, 3};
    for (int i = 0; i < findings; ++i) {
        Finding& finding = made.findings.emplace_back();
        finding.kind = FindingKind::misaligned;
        finding.message = "address 4 is no multiple of 16";
        finding.line = static_cast<std::uint32_t>(40 + i);
        finding.cuda = CudaPlace{"saxpy.cu", 3};
        finding.set = {{"n", 33}};
    }
    return made;
}

} // namespace

class StageModelTest : public QObject {
    Q_OBJECT

    static QString shown(const StageModel& model, Stage stage, int column) {
        return model.index(static_cast<int>(stage), column).data().toString();
    }

private slots:
    void keepsTheRulesOfModels() {
        StageModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.begin();
        model.setStage(answer(Stage::parse));
        model.setProgress(1, 3, "function: n = 1");
        model.setStage(answer(Stage::stress, Status::fail, 3));
        model.setStage(answer(Stage::stress, Status::fail, 1)); // a second answer replaces the first
        QCOMPARE(model.rowCount(model.index(static_cast<int>(Stage::stress), 0)), 1);
        model.end();
        model.setStages({answer(Stage::parse, Status::fail, 2)}, true);
        model.begin();
    }

    void fillsAsAnswersCome() {
        StageModel model;
        QCOMPARE(shown(model, Stage::parse, Column::StatusColumn), QString("not run"));
        model.begin();
        QCOMPARE(shown(model, Stage::parse, Column::StatusColumn), QString("running"));
        QCOMPARE(shown(model, Stage::assemble, Column::StatusColumn), QString("waiting"));
        model.setStage(answer(Stage::parse));
        QCOMPARE(model.state(Stage::parse), State::pass);
        QCOMPARE(model.state(Stage::assemble), State::running);
        QCOMPARE(shown(model, Stage::parse, Column::Elapsed), QString("0.2 s"));
        model.setProgress(2, 15, "stress: n = 4097");
        QCOMPARE(model.state(Stage::stress), State::running);
        QCOMPARE(model.state(Stage::assemble), State::waiting);
        QCOMPARE(shown(model, Stage::stress, Column::Message), QString("n = 4097 (2 of 15)"));
        for (const Stage stage : {Stage::assemble, Stage::function, Stage::stress, Stage::sanitize})
            model.setStage(answer(stage));
        QCOMPARE(model.state(Stage::benchmark), State::running);
        model.setStage(answer(Stage::benchmark, Status::skipped));
        QVERIFY(!model.isRunning());
        QCOMPARE(shown(model, Stage::benchmark, Column::Message), QString("no GPU here"));
    }

    void theClockOfTheRunningStageTicks() {
        StageModel model;
        model.begin();
        QSignalSpy changed(&model, &StageModel::dataChanged);
        QTRY_VERIFY(!changed.isEmpty());
        QCOMPARE(changed.last()[0].toModelIndex(), model.index(0, Column::Elapsed));
        QVERIFY(model.index(0, 0).data(StageModel::SecondsRole).toDouble() > 0);
        QVERIFY(!model.index(1, 0).data(StageModel::SecondsRole).isValid());
    }

    void aStopIsShown() {
        StageModel model;
        model.begin();
        model.setStage(answer(Stage::parse));
        model.end();
        QCOMPARE(model.state(Stage::parse), State::pass);
        QCOMPARE(model.state(Stage::assemble), State::stopped);
        QCOMPARE(model.state(Stage::function), State::notRun);
        model.setProgress(1, 1, "stress: late");
        QCOMPARE(model.state(Stage::stress), State::notRun);
    }

    void findingsStandBelowTheirStage() {
        StageModel model;
        model.setStages({answer(Stage::stress, Status::fail, 2)}, false);
        const QModelIndex stage = model.index(static_cast<int>(Stage::stress), 0);
        QCOMPARE(model.rowCount(stage), 2);
        const QModelIndex finding = model.index(1, 0, stage);
        QCOMPARE(finding.data().toString(), QString("misaligned"));
        QCOMPARE(finding.data(StageModel::LineRole).toInt(), 41);
        QCOMPARE(finding.data(StageModel::CudaFileRole).toString(), QString("saxpy.cu"));
        QCOMPARE(finding.data(StageModel::CudaLineRole).toInt(), 3);
        QCOMPARE(finding.siblingAtColumn(Column::Message).data().toString(),
                 QString("address 4 is no multiple of 16 [n = 33]"));
        QCOMPARE(model.finding(finding)->line, 41u);
        QVERIFY(!model.finding(stage));
        QCOMPARE(finding.parent(), stage);
    }

    void resultsOfAnEarlierText() {
        StageModel model;
        model.setStages({answer(Stage::parse)}, false);
        model.setStale(true);
        const QModelIndex status = model.index(0, Column::StatusColumn);
        QVERIFY(status.data(StageModel::StaleRole).toBool());
        QCOMPARE(status.data().toString(), QString("pass"));
        QCOMPARE(status.data(Qt::AccessibleTextRole).toString(), QString("pass, of an earlier text"));
        model.begin();
        QVERIFY(!status.data(StageModel::StaleRole).toBool());
    }
};

QTEST_MAIN(StageModelTest)
#include "stage_model_test.moc"
