// Findings and diagnostics through JSON and back.
#include "support/finding_json.h"
#include "support/json.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using nlohmann::json;

namespace {
Finding example() {
    Finding f;
    f.kind = FindingKind::outOfBounds;
    f.check = "bounds";
    f.message = "4 bytes past the end of y";
    f.hint = "mask the tail";
    f.line = 41;
    f.column = 5;
    f.length = 3;
    f.cuda = CudaPlace{"saxpy.cu", 3};
    f.argument = "y";
    f.index = {31, 2};
    f.got = std::numeric_limits<double>::infinity();
    f.expected = 2.5;
    f.allowed = 1e-6;
    f.block = Index3{0, 1, 2};
    f.thread = Index3{31, 0, 0};
    f.address = std::numeric_limits<std::uint64_t>::max();
    f.bytes = 4;
    f.set = {{"n", 32}, {"m", -1}};
    f.fill = "normal";
    f.seed = 7;
    f.occurrences = 12;
    f.related = {{38, 2, Index3{0, 0, 0}, Index3{5, 0, 0}, "write", "written here"}};
    return f;
}
} // namespace

class FindingJsonTest : public QObject {
    Q_OBJECT

private slots:
    void absentIsNull() {
        Finding f;
        f.check = "elements";
        f.message = "m";
        const json expected = {
            {"kind", "mismatch"},  {"check", "elements"},     {"message", "m"},    {"hint", nullptr},
            {"line", nullptr},     {"column", nullptr},       {"length", nullptr}, {"cuda", nullptr},
            {"argument", nullptr}, {"index", nullptr},        {"got", nullptr},    {"expected", nullptr},
            {"allowed", nullptr},  {"block", nullptr},        {"thread", nullptr}, {"address", nullptr},
            {"bytes", nullptr},    {"set", json::object()},   {"fill", nullptr},   {"seed", nullptr},
            {"occurrences", 1},    {"related", json::array()}};
        QCOMPARE(toJson(f).dump(), expected.dump());
        QCOMPARE(toJson(findingFromJson(toJson(f)).value()).dump(), expected.dump());
    }

    void everyFieldSurvives() {
        const auto text = toJson(example()).dump();
        const auto parsed = parseJson(text);
        QVERIFY(parsed.has_value());
        QCOMPARE((*parsed)["got"].get<std::string>(), std::string("inf"));
        QCOMPARE((*parsed)["kind"].get<std::string>(), std::string("out_of_bounds"));
        QCOMPARE((*parsed)["cuda"].dump(), std::string(R"({"file":"saxpy.cu","line":3})"));
        QCOMPARE((*parsed)["index"].dump(), std::string("[31,2]"));
        const auto back = findingFromJson(*parsed);
        QVERIFY(back.has_value());
        QCOMPARE(toJson(*back).dump(), text);
        QVERIFY(std::isinf(*back->got));
    }

    void nonFiniteNumbersAreNames() {
        Finding f = example();
        f.got = std::numeric_limits<double>::quiet_NaN();
        f.expected = -std::numeric_limits<double>::infinity();
        const auto value = toJson(f);
        QCOMPARE(value["got"].get<std::string>(), std::string("nan"));
        QCOMPARE(value["expected"].get<std::string>(), std::string("-inf"));
        const auto back = findingFromJson(value).value();
        QVERIFY(std::isnan(*back.got));
        QCOMPARE(*back.expected, -std::numeric_limits<double>::infinity());
    }

    void errorsNameTheField_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("kind") << "kind" << "\"odd\"" << "unknown kind of finding \"odd\"";
        QTest::newRow("line") << "line" << "-1" << "line: expected a number from 0";
        QTest::newRow("large") << "line" << "5000000000" << "line: expected a number that fits 32 bits";
        QTest::newRow("block") << "block" << "[1,2]" << "block: expected three numbers";
        QTest::newRow("block's number") << "block" << "[1,5000000000,1]"
                                        << "block[1]: expected a number that fits 32 bits";
        QTest::newRow("cuda") << "cuda" << "3" << "cuda: expected an object, got 3";
        QTest::newRow("cuda's line") << "cuda" << "{\"line\":-1}" << "cuda.line: expected a number from 0";
        QTest::newRow("related") << "related" << "[{},{\"thread\":[1,2,\"z\"]}]"
                                 << "related[1].thread[2]: expected a number from 0";
        QTest::newRow("index") << "index" << "[1,\"x\"]" << "index[1]: expected a number from 0";
        QTest::newRow("set") << "set" << "{\"n\":1.5}" << "set.n: expected an integer, got 1.5";
    }
    void errorsNameTheField() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, message);
        auto finding = toJson(example());
        finding[key.toStdString()] = json::parse(value.toStdString());
        const auto parsed = findingFromJson(finding);
        QVERIFY(!parsed.has_value());
        QCOMPARE(QString::fromStdString(parsed.error().message), message);
        QVERIFY(!findingFromJson(json("text")).has_value());
    }

    void diagnosticsSurvive() {
        Diagnostic d;
        d.severity = Severity::warning;
        d.cause = Cause::missing;
        d.kind = "assembler";
        d.place = {"a b.ptx", 3, 4, 5};
        d.message = "m";
        d.hint = "h";
        d.related = {{{"c.cu", 7, 1, 1}, "from here"}};
        QCOMPARE(diagnosticFromJson(toJson(d)).value(), d);
        QCOMPARE(diagnosticFromJson(toJson(Diagnostic{})).value(), Diagnostic{});
        QVERIFY(!diagnosticFromJson(json{{"severity", "loud"}}).has_value());
    }
};

QTEST_APPLESS_MAIN(FindingJsonTest)
#include "finding_json_test.moc"
