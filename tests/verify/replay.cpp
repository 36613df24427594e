// One launch made again, and the picture of its wrong elements; the cases that stages tell.
#include "verify/replay.h"

#include "kernel/spec_load.h"
#include "twice_kernel.h"
#include "verify/context.h"
#include "verify/funnel.h"

#include <QtTest>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace ptxwb;
using test::twiceBody, test::twicePtx;
using namespace ptxwb::verify;

namespace {

const std::string specText = R"json({"schema": 1, "name": "twice", "entry": "twice", "arch": "sm_90",
 "baseline": {"ptx": "twice.ptx", "nvcc": "13.0.88"}, "symbols": {"n": {"function": [40], "stress": [0, 33, 100]}},
 "launch": {"grid": ["ceil_div(n, 64)", 1, 1], "block": [64, 1, 1]},
 "arguments": [{"name": "n", "type": "u32", "value": "n"},
               {"name": "x", "type": "f32", "count": "n", "access": "in"},
               {"name": "y", "type": "f32", "count": "n", "access": "out"}]})json";

/// Wrong from element 32 on: the other warps triple.
const std::string wrongFrom32 = "\tld.global.f32 %f1, [%rd4];\n\tadd.f32 %f2, %f1, %f1;\n\tsetp.lt.s32 %p, %r5, 32;\n"
                                "\t@%p bra STORE;\n\tadd.f32 %f2, %f2, %f1;\nSTORE:\n\tst.global.f32 [%rd5], %f2;\n";

VerifyInput inputFor(const std::string& body) {
    auto kernel =
        kernel::orFirstError(kernel::loadSpec(specText, "twice.kernel.json", {{"twice.ptx", twicePtx(twiceBody)}}));
    if (!kernel) qFatal("%s", kernel.error().message.c_str());
    VerifyInput input{std::move(*kernel), CandidateText{"candidate", "candidate.ptx", twicePtx(body)}, {}};
    input.plan.useCache = false;
    return input;
}

CandidateResult judged(const VerifyInput& input) {
    auto report = verifyCandidate(input, Machine{}, *makeOracleCache(), {});
    if (!report) qFatal("%s", report.error().message.c_str());
    return std::move(report->results.at(0));
}

ReplayReport replayed(const VerifyInput& input, const RunCase& wanted) {
    auto report = replay(input, wanted, Machine{}, *makeOracleCache());
    if (!report) qFatal("%s", report.error().message.c_str());
    return std::move(*report);
}

} // namespace

class ReplayTest : public QObject {
    Q_OBJECT

private slots:
    void stagesTellTheirCases() {
        const CandidateResult result = judged(inputFor(wrongFrom32));
        const StageResult& function = *find(result.stages, Stage::function);
        QCOMPARE(function.cases.size(), std::size_t{1});
        QCOMPARE(function.cases[0].set.at("n"), std::int64_t{40});
        QCOMPARE(function.cases[0].fill, std::string("normal"));
        QVERIFY(function.cases[0].status == CaseStatus::fail);
        const StageResult& stress = *find(result.stages, Stage::stress);
        QVERIFY(stress.cases.size() > 3);
        for (const RunCase& each : stress.cases)
            if (!each.purpose.empty() && each.purpose == "sizes")
                QVERIFY2((each.status == CaseStatus::fail) == (each.set.at("n") > 32),
                         std::to_string(each.set.at("n")).c_str());
        // What is right is told as well.
        for (const StageResult& stage : judged(inputFor(twiceBody)).stages)
            for (const RunCase& each : stage.cases) QVERIFY(each.status != CaseStatus::fail);
        // And all of it comes through the protocol.
        const auto back = stageResultFromJson(toJson(stress));
        QVERIFY(back && back->cases == stress.cases);
    }

    void aFailingCaseShowsItsWrongElements() {
        const VerifyInput input = inputFor(wrongFrom32);
        const CandidateResult result = judged(input);
        const ReplayReport report = replayed(input, find(result.stages, Stage::function)->cases.at(0));
        QVERIFY(report.completed);
        QVERIFY(report.run.status == CaseStatus::fail);
        QCOMPARE(report.outputs.size(), std::size_t{1});
        const OutputMap& map = report.outputs[0];
        QCOMPARE(map.argument, std::string("y"));
        QCOMPARE(map.elements, std::uint64_t{40});
        QCOMPARE(map.wrong, std::uint64_t{8});
        QCOMPARE(map.cells.size(), std::size_t{64}); // two rows of 32
        for (std::size_t i = 0; i < map.cells.size(); ++i) QCOMPARE(map.cells[i], std::uint32_t(i >= 32 && i < 40));
        QVERIFY(!report.findings.empty());
        QCOMPARE(report.findings[0].index, std::vector<std::uint64_t>{32});
        QVERIFY2(report.findings[0].line > 0, "the line that wrote it");
        QCOMPARE(report.findings[0].set.at("n"), std::int64_t{40});
        const auto back = replayReportFromJson(nlohmann::json::parse(toJson(report).dump()));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->outputs.at(0).cells, map.cells);
        QVERIFY(back->run == report.run);
    }

    void everyCaseOfAStageIsFoundAgain() {
        const VerifyInput input = inputFor(wrongFrom32);
        for (const StageResult& stage : judged(input).stages)
            for (const RunCase& each : stage.cases) {
                if (stage.stage == Stage::sanitize || each.status == CaseStatus::leftOut) continue;
                const ReplayReport report = replayed(input, each);
                QCOMPARE(report.run.set.at("n"), each.set.at("n"));
                QCOMPARE(report.run.fill, each.fill);
                QVERIFY2(report.run.status == each.status,
                         (each.purpose + " " + std::to_string(each.set.at("n"))).c_str());
            }
    }

    void whatIsRightHasAnEmptyMap() {
        const VerifyInput input = inputFor(twiceBody);
        const ReplayReport report = replayed(input, find(judged(input).stages, Stage::function)->cases.at(0));
        QVERIFY(report.findings.empty());
        QCOMPARE(report.outputs.at(0).wrong, std::uint64_t{0});
        QVERIFY(report.reference.starts_with("baseline"));
    }

    void aLaunchThatFaultsSaysSo() {
        const VerifyInput input = inputFor("\tld.global.f32 %f1, [%rd4+4];\n\tst.global.f32 [%rd5], %f1;\n");
        const ReplayReport report = replayed(input, {{{"n", 40}}, "normal", defaultSeed(input.kernel), {}, {}});
        QVERIFY(report.findings.at(0).kind == FindingKind::outOfBounds);
        QVERIFY(report.run.status == CaseStatus::fail);
        QVERIFY(report.outputs.at(0).wrong > 0); // and what it wrote is another element
    }

    void aLaunchThatDoesNotEndHasNoMap() {
        VerifyInput input = inputFor("AGAIN:\n\tbra AGAIN;\n");
        input.plan.instructionLimit = 1 << 16;
        const ReplayReport report = replayed(input, {{{"n", 40}}, "normal", defaultSeed(input.kernel), {}, {}});
        QVERIFY(!report.completed);
        QVERIFY(report.outputs.empty());
        QCOMPARE(report.notCompared, std::string("the launch did not complete"));
    }

    void whatCannotBeRunIsTold() {
        const VerifyInput input = inputFor("\tmov.u32 %nowhere, 1;\n");
        const auto report = replay(input, {{{"n", 40}}, "normal", 1, {}, {}}, Machine{}, *makeOracleCache());
        QVERIFY(!report && report.error().cause == Cause::rejected);
        const auto incomplete = replay(inputFor(twiceBody), {{}, "normal", 1, {}, {}}, Machine{}, *makeOracleCache());
        QVERIFY(!incomplete);
        QCOMPARE(incomplete.error().message, std::string("the case does not say how large n is"));
    }

    void maps_data() {
        QTest::addColumn<std::vector<std::uint64_t>>("shape");
        QTest::addColumn<std::uint64_t>("columns");
        QTest::addColumn<std::uint64_t>("rows");
        using Shape = std::vector<std::uint64_t>;
        QTest::newRow("one element") << Shape{1} << std::uint64_t{1} << std::uint64_t{1};
        QTest::newRow("a vector") << Shape{1000} << std::uint64_t{32} << std::uint64_t{32};
        QTest::newRow("a large vector") << Shape{1 << 20} << std::uint64_t{128} << std::uint64_t{128};
        QTest::newRow("a matrix") << Shape{3, 5} << std::uint64_t{5} << std::uint64_t{3};
        QTest::newRow("a large matrix") << Shape{300, 1000} << std::uint64_t{125} << std::uint64_t{100};
        QTest::newRow("three dimensions") << Shape{2, 3, 4} << std::uint64_t{4} << std::uint64_t{6};
    }

    void maps() {
        QFETCH(std::vector<std::uint64_t>, shape);
        const std::uint64_t count = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
        std::vector<std::uint8_t> wrong(count, 1);
        const OutputMap all = mapOf("y", shape, wrong);
        QTEST(std::uint64_t{all.columns}, "columns");
        QTEST(std::uint64_t{all.rows}, "rows");
        QCOMPARE(all.wrong, count);
        QCOMPARE(std::accumulate(all.cells.begin(), all.cells.end(), std::uint64_t{0}), count);
        std::ranges::fill(wrong, std::uint8_t{0});
        wrong.back() = 1;
        const OutputMap last = mapOf("y", shape, wrong);
        QCOMPARE(last.wrong, std::uint64_t{1});
        const auto cell = std::ranges::find(last.cells, 1u) - last.cells.begin();
        QCOMPARE(std::uint64_t(cell), ((count - 1) / last.width / last.cellHeight) * last.columns +
                                          (count - 1) % last.width / last.cellWidth);
    }
};

QTEST_APPLESS_MAIN(ReplayTest)
#include "replay.moc"
