#include "documents.h"
#include "models/candidate_figures.h"
#include "models/candidate_model.h"
#include "timings.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QStandardPaths>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;
using Column = CandidateModel::Column;

class CandidateModelTest : public QObject {
    Q_OBJECT

    static QString shown(const CandidateModel& model, const QString& id, int column, int role = Qt::DisplayRole) {
        return model.data(model.index(model.row(id), column), role).toString();
    }

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void keepsTheRulesOfModels() {
        Document document;
        CandidateModel model(&document);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        openSaxpy(document);
        QCOMPARE(model.rowCount(), 6);
        const QString id = document.newCandidate("mine");
        QCOMPARE(model.row(id), 6);
        document.duplicateCandidate("c1");
        QCOMPARE(model.row("c2"), 3);
        document.deleteCandidate("c3");
        document.renameCandidate("c2", "tail");
        QCOMPARE(shown(model, "c2", Column::Name), QString("tail"));
        document.setResults("c2", report(document.text("c2")));
        while (document.undoStack()->canUndo()) document.undoStack()->undo();
        QCOMPARE(model.rowCount(), 6);
        while (document.undoStack()->canRedo()) document.undoStack()->redo();
        QCOMPARE(model.rowCount(), 7);
        openSaxpy(document);
        QCOMPARE(model.rowCount(), 6);
    }

    void aFirstBaselineAddsARow() {
        Document document;
        CandidateModel model(&document);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        document.newCandidate("mine");
        QCOMPARE(model.row("baseline"), -1);
        document.setBaseline(".version 8.0");
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.id(0), QString("baseline"));
        QCOMPARE(shown(model, "baseline", Column::Name), QString("baseline"));
    }

    void showsWhatIsKnown() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        QCOMPARE(shown(model, "c1", Column::Verdict), QString("unverified"));
        QCOMPARE(shown(model, "c1", Column::Registers), QString::fromUtf8("–"));
        QCOMPARE(shown(model, "c1", Column::Registers, Qt::AccessibleTextRole), QString("registers: not known"));
        QCOMPARE(shown(model, "c1", Column::Verdict, Qt::ToolTipRole), QString("Not verified yet: press F5."));
        document.setResults("c1", report(document.text("c1"), {.registers = 40, .spills = 16}));
        QCOMPARE(shown(model, "c1", Column::Verdict), QString("pass (emulator)"));
        QCOMPARE(shown(model, "c1", Column::Registers), QString("40"));
        QCOMPARE(shown(model, "c1", Column::Spills), QString("16 / 16 B"));
        QCOMPARE(shown(model, "c1", Column::Shared), QString("1024 B"));
        QCOMPARE(shown(model, "c1", Column::Occupancy), QString("100.0 %"));
        QCOMPARE(shown(model, "c1", Column::Occupancy, Qt::ToolTipRole),
                 QString("sm_90: 8 blocks and 64 warps on an SM, limited by warps"));
        QCOMPARE(shown(model, "c1", Column::Time), QString::fromUtf8("–"));
        QCOMPARE(shown(model, "c1", Column::Time, Qt::ToolTipRole),
                 QString("Not timed: time is only measured on a GPU."));
        QCOMPARE(shown(model, "c1", Column::Origin), QString("hand"));
        QCOMPARE(shown(model, "baseline", Column::Origin), QString("nvcc"));
    }

    void timeAndRatio() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        document.setResults("baseline", measuredAlone(document.text("baseline"), {.medianUs = 237.3}));
        document.setResults("c1", measuredAgainstBaseline(document.text("c1")));
        QCOMPARE(shown(model, "c1", Column::Time), QString::fromUtf8("187.0 us ±0.4 %"));
        QCOMPARE(shown(model, "c1", Column::Ratio), QString::fromUtf8("▲ 1.269 faster [1.266, 1.271]"));
        QCOMPARE(shown(model, "c1", Column::Ratio, Qt::AccessibleTextRole),
                 QString("ratio: 1.269 faster [1.266, 1.271]"));
        QCOMPARE(shown(model, "c1", Column::Time, Qt::ToolTipRole),
                 QString("187.0 us, cold: the median of 110 launches, each with a flushed L2\n"
                         "from 186.2 us (p10) to 187.8 us (p90)\nat n = 67108864\n"
                         "on NVIDIA H200, by CUPTI kernel records"));
        QCOMPARE(shown(model, "c1", Column::Ratio, Qt::ToolTipRole),
                 QString("faster: baseline's time is 1.269 times the candidate's, 95 % interval 1.266 to 1.271, in 110 "
                         "paired rounds"));
        QCOMPARE(shown(model, "baseline", Column::Time), QString::fromUtf8("237.3 us ±0.3 %"));
        QCOMPARE(shown(model, "baseline", Column::Ratio), QString::fromUtf8("–"));
        QCOMPARE(shown(model, "baseline", Column::Ratio, Qt::ToolTipRole),
                 QString("The candidates are measured against the baseline."));
        model.setDeltaAgainst("baseline");
        QCOMPARE(shown(model, "c1", Column::Time), QString::fromUtf8("187.0 us ±0.4 % (−50.3)"));
        QCOMPARE(shown(model, "c1", Column::Ratio), QString::fromUtf8("▲ 1.269 faster [1.266, 1.271]"));
        // Stale as all figures are.
        document.setText("c1", "// another");
        QVERIFY(model.index(model.row("c1"), Column::Ratio).data(CandidateModel::StaleRole).toBool());
        QVERIFY(shown(model, "c1", Column::Time, Qt::AccessibleTextRole).endsWith(", stale"));
    }

    void theCallIsAWordWithAGlyph_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("text");
        QTest::newRow("faster") << "faster" << QString::fromUtf8("▲ 1.269 faster [1.266, 1.271]");
        QTest::newRow("slower") << "slower" << QString::fromUtf8("▼ 1.269 slower [1.266, 1.271]");
        QTest::newRow("same") << "same" << "= 1.269 same [1.266, 1.271]";
        QTest::newRow("unclear") << "unclear" << "? 1.269 unclear [1.266, 1.271]";
    }
    void theCallIsAWordWithAGlyph() {
        QFETCH(const QString, call);
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        document.setResults("c1", measuredAgainstBaseline(document.text("c1"), {.call = call.toStdString()}));
        QTEST(shown(model, "c1", Column::Ratio), "text");
    }

    void theTimeOfAWrongResultDoesNotCount() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        auto wrong = measuredAgainstBaseline(document.text("c1"));
        wrong.results[0].stages.back().status = verify::Status::fail;
        document.setResults("c1", wrong);
        QCOMPARE(shown(model, "c1", Column::Ratio), QString::fromUtf8("✗ 1.269 does not count [1.266, 1.271]"));
    }

    void fourDigitsOfEverySize_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("nanoseconds") << 0.0123456 << "0.01235";
        QTest::newRow("below one") << 0.98 << "0.9800";
        QTest::newRow("rounded up") << 9.9999 << "10.00";
        QTest::newRow("tens") << 57.345 << "57.34";
        QTest::newRow("hundreds") << 187.039 << "187.0";
        QTest::newRow("thousands") << 4321.9 << "4322";
        QTest::newRow("seconds") << 1234567.8 << "1234568";
    }
    void fourDigitsOfEverySize() {
        QFETCH(const double, value);
        QTEST(fourDigits(value), "text");
    }

    void whyThereIsNoTime_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("text");
        QTest::newRow("no GPU") << int(verify::Status::skipped) << "time is only measured on a GPU: no GPU here"
                                << "Not timed: time is only measured on a GPU: no GPU here.";
        QTest::newRow("wrong") << int(verify::Status::skipped) << "only what is right is timed"
                               << "Not timed: only what is right is timed.";
        QTest::newRow("busy") << int(verify::Status::inconclusive) << "another process computes on the GPU"
                              << "Not timed, because the benchmark came to no result: another process computes on the "
                                 "GPU.";
        QTest::newRow("fault") << int(verify::Status::fail) << "it hangs"
                               << "Not timed, because the benchmark failed: it hangs.";
        QTest::newRow("no reason") << int(verify::Status::skipped) << "" << "Not timed: no reason was given.";
    }
    void whyThereIsNoTime() {
        QFETCH(const int, status);
        QFETCH(const QString, reason);
        Document document;
        openSaxpy(document);
        QVERIFY(whyNoTime(*document.candidate("c1")).startsWith("Not timed yet"));
        document.setResults("c1", notMeasured(document.text("c1"), verify::Status(status), reason.toStdString()));
        QTEST(whyNoTime(*document.candidate("c1")), "text");
        document.setResults("c1", measuredAlone(document.text("c1")));
        QCOMPARE(whyNoTime(*document.candidate("c1")), QString());
    }

    void theVerdictNamesTheJudge_data() {
        QTest::addColumn<verify::CandidateResult>("result");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        using verify::Stage, verify::Status;
        const auto made = [](std::vector<verify::StageResult> stages, const std::string& device = {}) {
            verify::CandidateResult result;
            result.verdict = verify::foldVerdict(stages);
            result.stages = std::move(stages);
            result.device = device;
            return result;
        };
        verify::StageResult assembler{Stage::assemble, Status::fail, "ptxas", {}, 0, {}, 0};
        assembler.findings.emplace_back().message = "Unknown symbol '%f8'";
        QTest::newRow("ptxas") << made({assembler,
                                        {Stage::function, Status::skipped, {}, "it does not assemble", 0, {}, 0}})
                               << "fail (ptxas)"
                               << "assemble fail: Unknown symbol '%f8'";
        QTest::newRow("emulator") << made({{Stage::function, Status::pass, "emulator", {}, 0, {}, 0},
                                           {Stage::stress, Status::fail, "emulator", "why", 0, {}, 0}})
                                  << "fail (emulator)" << "stress fail: why";
        QTest::newRow("both machines")
            << made({{Stage::function, Status::pass, "gpu", {}, 0, {}, 0},
                     {Stage::sanitize, Status::inconclusive, "emulator", "no wgmma", 0, {}, 0}},
                    "NVIDIA H200")
            << "incomplete (H200 + emulator)" << "sanitize inconclusive: no wgmma";
        QTest::newRow("nothing ran") << made({{Stage::assemble, Status::skipped, {}, "no ptxas here", 0, {}, 0}})
                                     << "incomplete" << "assemble skipped: no ptxas here";
    }
    void theVerdictNamesTheJudge() {
        QFETCH(verify::CandidateResult, result);
        QFETCH(QString, text);
        QFETCH(QString, why);
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        result.sha256 = sha256Hex(document.text("c1").toStdString());
        document.setResults("c1", {"saxpy", "sm_90", {}, 1, {result}});
        QCOMPARE(shown(model, "c1", Column::Verdict), text);
        QCOMPARE(shown(model, "c1", Column::Verdict, Qt::ToolTipRole), why);
    }

    void staleFiguresStayAndAreGreyed() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        document.setResults("c1", report(document.text("c1")));
        QSignalSpy changed(&model, &CandidateModel::dataChanged);
        const auto cell = model.index(model.row("c1"), Column::Registers);
        QVERIFY(!cell.data(Qt::ForegroundRole).isValid());
        document.setText("c1", "// typed");
        QVERIFY(!changed.isEmpty());
        QCOMPARE(cell.data().toString(), QString("32"));
        QVERIFY(cell.data(Qt::ForegroundRole).isValid());
        QVERIFY(cell.data(CandidateModel::StaleRole).toBool());
        QCOMPARE(shown(model, "c1", Column::Registers, Qt::AccessibleTextRole), QString("registers: 32, stale"));
        QCOMPARE(shown(model, "c1", Column::Verdict), QString("pass (emulator), stale"));
        QVERIFY(!model.index(model.row("c2"), Column::Registers).data(CandidateModel::StaleRole).toBool());
    }

    void sameMachineCode() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        document.setResults("c2", report(document.text("c2"), {.code = "x"}));
        document.setResults("c3", report(document.text("c3"), {.code = "x"}));
        document.setResults("c4", report(document.text("c4"), {.code = "y"}));
        QCOMPARE(shown(model, "c2", Column::SameCode), QString());
        QCOMPARE(shown(model, "c3", Column::SameCode), QString("unmasked_tail"));
        QCOMPARE(shown(model, "c4", Column::SameCode), QString());
        document.setResults("baseline", report(document.text("baseline"), {.code = "y"}));
        QCOMPARE(shown(model, "c4", Column::SameCode), QString("baseline"));
    }

    void differencesToARow() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        document.setResults("baseline", report(document.text("baseline"), {.registers = 32}));
        document.setResults("c1", report(document.text("c1"), {.registers = 36}));
        document.setResults("c2", report(document.text("c2"), {.registers = 30}));
        model.setDeltaAgainst("baseline");
        QCOMPARE(shown(model, "c1", Column::Registers), QString("36 (+4)"));
        QCOMPARE(shown(model, "c2", Column::Registers), QString::fromUtf8("30 (−2)"));
        QCOMPARE(shown(model, "baseline", Column::Registers), QString("32"));
        model.setDeltaAgainst({});
        QCOMPARE(shown(model, "c1", Column::Registers), QString("36"));
    }

    void sortsByNumbersWithTheUnknownLast() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        document.setResults("c1", report(document.text("c1"), {.registers = 100}));
        document.setResults("c2", report(document.text("c2"), {.registers = 9, .stress = verify::Status::fail}));
        document.setResults("c3",
                            report(document.text("c3"), {.registers = 20, .stress = verify::Status::inconclusive}));
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(CandidateModel::SortRole);
        const auto ids = [&] {
            QStringList list;
            for (int row = 0; row < sorted.rowCount(); ++row)
                list += sorted.index(row, 0).data(CandidateModel::IdRole).toString();
            return list;
        };
        sorted.sort(Column::Registers);
        QCOMPARE(ids().mid(0, 3), (QStringList{"c2", "c3", "c1"}));
        document.setResults("c1", measuredAgainstBaseline(document.text("c1"), {.medianUs = 1000, .ratio = 0.9}));
        document.setResults("c2", measuredAgainstBaseline(document.text("c2"), {.medianUs = 90, .ratio = 10}));
        sorted.sort(Column::Time);
        QCOMPARE(ids().mid(0, 2), (QStringList{"c2", "c1"}));
        sorted.sort(Column::Ratio);
        QCOMPARE(ids().mid(0, 2), (QStringList{"c1", "c2"}));
        document.setResults("c2", report(document.text("c2"), {.registers = 9, .stress = verify::Status::fail}));
        sorted.sort(Column::Verdict);
        QCOMPARE(ids().mid(0, 3), (QStringList{"c1", "c3", "c2"}));
    }

    void theOneThatRuns() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        model.setRunning("c2");
        QCOMPARE(shown(model, "c2", Column::Verdict), QString("verifying"));
        QCOMPARE(shown(model, "c2", Column::Verdict, CandidateModel::VerdictRole), QString("running"));
        model.setRunning({});
        QCOMPARE(shown(model, "c2", Column::Verdict), QString("unverified"));
    }

    void renamesInPlace() {
        Document document;
        openSaxpy(document);
        CandidateModel model(&document);
        QSignalSpy refused(&model, &CandidateModel::renameRefused);
        const auto cell = model.index(model.row("c1"), Column::Name);
        QVERIFY(cell.flags() & Qt::ItemIsEditable);
        QVERIFY(!(model.index(0, Column::Name).flags() & Qt::ItemIsEditable));
        QVERIFY(!(model.index(1, Column::Verdict).flags() & Qt::ItemIsEditable));
        QVERIFY(model.setData(cell, "fast"));
        QCOMPARE(names(document)[0], QString("fast"));
        QVERIFY(!model.setData(cell, "unmasked_tail"));
        QCOMPARE(refused.size(), 1);
    }
};

QTEST_MAIN(CandidateModelTest)
#include "candidate_model_test.moc"
