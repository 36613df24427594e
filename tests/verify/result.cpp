#include "verify/result.h"

#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::verify;
using nlohmann::json;

namespace {

const std::string dataFolder = PTXWB_SOURCE_DIR "/tests/data/verify/";

json load(const std::string& file) {
    std::ifstream stream(dataFolder + file);
    return json::parse(stream);
}

} // namespace

class ResultTest : public QObject {
    Q_OBJECT

private slots:
    void namesComeBack() {
        for (const char* text : {"parse", "assemble", "function", "stress", "sanitize", "benchmark"})
            QCOMPARE(std::string(name(stage(text).value())), std::string(text));
        for (const char* text : {"pass", "fail", "skipped", "inconclusive"})
            QCOMPARE(std::string(name(status(text).value())), std::string(text));
        QVERIFY(!stage("polish"));
        QVERIFY(!status(""));
    }

    void verdicts_data() {
        QTest::addColumn<QString>("stages");
        QTest::addColumn<QString>("verdict");
        const json cases = load("verdicts.json");
        for (const auto& row : cases)
            QTest::newRow(row.at("why").get<std::string>().c_str())
                << QString::fromStdString(row.at("stages").dump())
                << QString::fromStdString(row.at("verdict").get<std::string>());
    }
    void verdicts() {
        QFETCH(QString, stages);
        QFETCH(QString, verdict);
        std::vector<StageResult> results;
        for (const auto& [stageName, statusName] :
             json::parse(stages.toStdString()).get<std::vector<std::pair<std::string, std::string>>>())
            results.push_back({stage(stageName).value(), status(statusName).value(), {}, {}, 0, {}, 0});
        QCOMPARE(QString::fromStdString(std::string(name(foldVerdict(results)))), verdict);
    }

    /// The file is the example of the interfaces with every key written out: reading and writing must give it back.
    void reportsComeBack() {
        const json document = load("report.json");
        const auto report = verifyReportFromJson(document);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const json again = toJson(*report);
        QCOMPARE(QString::fromStdString(again.dump(1)), QString::fromStdString(document.dump(1)));
    }

    void aVerdictIsFoldedNotBelieved() {
        json document = load("report.json");
        document.at("results").at(0).at("verdict") = "pass"; // although function failed
        const auto report = verifyReportFromJson(document).value();
        QVERIFY(report.results.at(0).verdict == Verdict::fail);
    }

    void brokenReports_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("schema") << "/schema" << "2" << "a verification of schema 2, this program reads 1";
        QTest::newRow("stage") << "/results/0/stages/1/stage" << "\"polish\"" << "unknown stage \"polish\"";
        QTest::newRow("status") << "/results/0/stages/1/status" << "\"fine\"" << "unknown status \"fine\"";
        QTest::newRow("seed") << "/seed" << "-1" << "seed: expected a number from 0";
        QTest::newRow("registers") << "/results/0/resources/0/registers" << "5000000000"
                                   << "results[0].resources[0].registers: expected a number that fits 32 bits";
        QTest::newRow("findings") << "/results/0/stages/1/findings/0/kind" << "\"odd\"" << "odd";
        QTest::newRow("counts") << "/results/0/work/total/global_sectors" << "-1"
                                << "results[0].work.total.global_sectors: expected";
        QTest::newRow("counted lines") << "/results/0/work/lines/0/line" << "\"x\""
                                       << "results[0].work.lines[0].line: expected";
        QTest::newRow("results") << "/results" << "3" << "results: ";
    }
    void brokenReports() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, message);
        json document = load("report.json");
        document.at(json::json_pointer(pointer.toStdString())) = json::parse(value.toStdString());
        const auto report = verifyReportFromJson(document);
        QVERIFY(!report);
        const QString got = QString::fromStdString(report.error().message);
        QVERIFY2(got.contains(message), qPrintable(got));
    }

    void evidenceOfAStageThatDidNotRunIsNull() {
        CandidateResult result;
        result.candidate = "x";
        result.stages = {{Stage::function, Status::skipped, "emulator", "parse failed", 0, {}, 0},
                         {Stage::stress, Status::inconclusive, "emulator", "no reference", 0, {}, 0}};
        const json evidence = toJson(result).at("evidence");
        QVERIFY(evidence.at("function").is_null());
        QCOMPARE(evidence.at("stress").get<std::string>(), std::string("emulator"));
        QVERIFY(evidence.at("benchmark").is_null());
        QVERIFY(evidence.at("device").is_null());
    }
};

QTEST_APPLESS_MAIN(ResultTest)
#include "result.moc"
