#include "models/problem_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;
using Column = ProblemModel::Column;

namespace {

Diagnostic diagnostic(Severity severity, std::uint32_t line, const std::string& message) {
    Diagnostic made;
    made.severity = severity;
    made.place = {"a.ptx", line, 5, 3};
    made.message = message;
    made.hint = "do this";
    return made;
}

verify::StageResult race() {
    verify::StageResult stage{verify::Stage::sanitize, verify::Status::fail, "emulator", {}, 0.1, {}, 3};
    Finding& finding = stage.findings.emplace_back();
    finding.kind = FindingKind::race;
    finding.message = "two threads write s[0]";
    finding.line = 41;
    finding.column = 5;
    finding.length = 9;
    finding.cuda = CudaPlace{"saxpy.cu", 3};
    finding.thread = Index3{31, 0, 0};
    finding.set = {{"n", 33}};
    finding.occurrences = 12;
    finding.related.push_back({38, 5, {}, Index3{5, 0, 0}, "write", "the other one writes here"});
    return stage;
}

} // namespace

class ProblemModelTest : public QObject {
    Q_OBJECT

    static QString shown(const ProblemModel& model, int row, int column, const QModelIndex& parent = {}) {
        return model.index(row, column, parent).data().toString();
    }

private slots:
    void keepsTheRulesOfModels() {
        ProblemModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setChecker({diagnostic(Severity::warning, 3, "w"), diagnostic(Severity::error, 9, "e")});
        model.setStages({race()}, false);
        model.setStale(true);
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void ordersBySeverityThenLine() {
        ProblemModel model;
        QSignalSpy resets(&model, &ProblemModel::modelReset);
        model.setChecker({diagnostic(Severity::note, 1, "n"), diagnostic(Severity::error, 9, "later"),
                          diagnostic(Severity::error, 2, "first"), diagnostic(Severity::warning, 1, "w")});
        QCOMPARE(shown(model, 0, Column::Message), QString("first"));
        QCOMPARE(shown(model, 1, Column::Message), QString("later"));
        QCOMPARE(shown(model, 2, Column::SeverityColumn), QString("warning"));
        QCOMPARE(shown(model, 3, Column::SeverityColumn), QString("note"));
        QCOMPARE(shown(model, 0, Column::PlaceColumn), QString("line 2, column 5"));
        QCOMPARE(shown(model, 0, Column::Source), QString("checker"));
        QCOMPARE(shown(model, 0, Column::Hint), QString("do this"));
        QCOMPARE(model.index(0, 0).data(ProblemModel::LineRole).toInt(), 2);
        QCOMPARE(model.index(0, 0).data(ProblemModel::LengthRole).toInt(), 3);
        QCOMPARE(model.count(Severity::error), 2);
        QCOMPARE(resets.size(), 1);
        model.setChecker({diagnostic(Severity::note, 1, "n"), diagnostic(Severity::error, 9, "later"),
                          diagnostic(Severity::error, 2, "first"), diagnostic(Severity::warning, 1, "w")});
        model.setStages({}, false);
        QCOMPARE(resets.size(), 1); // nothing is other: whoever reads the list keeps the place
    }

    void bothSidesOfARace() {
        ProblemModel model;
        model.setStages({race()}, false);
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex row = model.index(0, 0);
        QCOMPARE(shown(model, 0, Column::Message),
                 QString("two threads write s[0] [thread (31,0,0), n = 33] (12 times)"));
        QCOMPARE(shown(model, 0, Column::Source), QString("sanitize (emulator)"));
        QCOMPARE(model.rowCount(row), 2);
        QCOMPARE(shown(model, 0, Column::Message, row), QString("the other one writes here [thread (5,0,0)]"));
        QCOMPARE(model.index(0, 0, row).data(ProblemModel::LineRole).toInt(), 38);
        const QModelIndex cuda = model.index(1, 0, row);
        QCOMPARE(cuda.data(ProblemModel::PaneRole).toString(), QString("cuda"));
        QCOMPARE(cuda.data(ProblemModel::FileRole).toString(), QString("saxpy.cu"));
        QCOMPARE(shown(model, 1, Column::PlaceColumn, row), QString("saxpy.cu:3"));
    }

    void repeatedMessagesAreOneRow() {
        verify::StageResult stage{verify::Stage::assemble, verify::Status::fail, "ptxas", {}, 0, {}, 0};
        for (std::uint32_t line : {9u, 4u, 7u}) {
            Finding& finding = stage.findings.emplace_back();
            finding.kind = FindingKind::assembler;
            finding.message = "Rounding modifier required for instruction 'fma'";
            finding.line = line;
        }
        ProblemModel model;
        model.setStages({stage}, false);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(shown(model, 0, Column::Message),
                 QString("Rounding modifier required for instruction 'fma' (3 times)"));
        QCOMPARE(model.index(0, 0).data(ProblemModel::LineRole).toInt(), 4);
        QCOMPARE(model.rowCount(model.index(0, 0)), 2);
        QCOMPARE(model.index(1, 0, model.index(0, 0)).data(ProblemModel::LineRole).toInt(), 9);
        QCOMPARE(shown(model, 0, Column::Source), QString("ptxas"));
    }

    /// A person has one thing to mend, whichever stages met it at whichever sizes.
    void whatSeveralStagesFindAtALineIsOneRow() {
        verify::StageResult function = race(), sanitize = race();
        function.stage = verify::Stage::function;
        function.findings[0].set = {{"n", 1}};
        verify::StageResult elsewhere = race();
        elsewhere.findings[0].line = 50;
        ProblemModel model;
        model.setStages({function, sanitize, elsewhere}, false);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.count(Severity::error), 2);
        const QModelIndex row = model.index(0, 0);
        QCOMPARE(shown(model, 0, Column::Source), QString("function (emulator), sanitize (emulator)"));
        QVERIFY2(shown(model, 0, Column::Message).endsWith("(24 times)"),
                 qPrintable(shown(model, 0, Column::Message)));
        QStringList others;
        for (int i = 0; i < model.rowCount(row); ++i) others += shown(model, i, Column::Message, row);
        QVERIFY2(others.filter("n = 33").size() == 1, qPrintable(others.join('\n')));
        QCOMPARE(model.index(1, 0).data(ProblemModel::LineRole).toInt(), 50);
    }

    void theCheckerSpeaksForTheParser() {
        verify::StageResult parse{verify::Stage::parse, verify::Status::fail, "host", {}, 0, {}, 0};
        parse.findings.emplace_back().message = "seen by the checker already";
        ProblemModel model;
        model.setStages({parse}, false);
        QCOMPARE(model.rowCount(), 0);
    }

    void aStageThatDecidedNothingSaysWhy() {
        ProblemModel model;
        model.setStages({{verify::Stage::stress, verify::Status::inconclusive, {}, "the worker stopped", 0, {}, 0}},
                        false);
        QCOMPARE(shown(model, 0, Column::Message), QString("not decided: the worker stopped"));
        QCOMPARE(shown(model, 0, Column::SeverityColumn), QString("note"));
    }

    void whatWasFoundInAnEarlierTextIsGreyed() {
        ProblemModel model;
        model.setChecker({diagnostic(Severity::warning, 1, "w")});
        model.setStages({race()}, true);
        QVERIFY(model.index(0, 0).data(ProblemModel::StaleRole).toBool());
        QVERIFY(!model.index(1, 0).data(ProblemModel::StaleRole).toBool());
        QCOMPARE(model.index(0, Column::SeverityColumn).data(Qt::AccessibleTextRole).toString(),
                 QString("error, of an earlier text"));
    }

    void nextAndPreviousGoRound() {
        ProblemModel model;
        model.setChecker({diagnostic(Severity::warning, 3, "a"), diagnostic(Severity::error, 9, "b"),
                          diagnostic(Severity::note, 20, "c"), diagnostic(Severity::note, 0, "no place")});
        using enum ProblemModel::Direction;
        const auto line = [&](int from, ProblemModel::Direction direction) {
            return model.neighbour(from, direction).data(ProblemModel::LineRole).toInt();
        };
        QCOMPARE(line(1, next), 3);
        QCOMPARE(line(3, next), 9);
        QCOMPARE(line(20, next), 3);
        QCOMPARE(line(20, previous), 9);
        QCOMPARE(line(3, previous), 20);
        model.clear();
        QVERIFY(!model.neighbour(1, next).isValid());
    }
};

QTEST_MAIN(ProblemModelTest)
#include "problem_model_test.moc"
