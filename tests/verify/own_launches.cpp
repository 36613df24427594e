// A candidate that launches another sequence than the spec (`//@ launches`), each run through the funnel on the
// emulator.
#include "judge.h"

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

const std::string shape = R"json({"grid": ["ceil_div(n, 64)", 1, 1], "block": [64, 1, 1]})json";
const std::string scratch = R"({"name": "t", "type": "f32", "count": "n", "access": "scratch"})";
const std::string code = "void reference(int n, const double* x, double*, double* y) {\n"
                         "    for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;\n}\n";

/// to[i] = from[i] `operation`
std::string step(const std::string& name, const char* from, const char* to, const char* operation) {
    return entry(name, fmt::format(", .param .u64 {}, .param .u64 {}", from, to),
                 pointer(1, from) + pointer(2, to) + "\tld.global.f32 %f1, [%rd1];\n\t" + operation +
                     "\n\tst.global.f32 [%rd2], %f2;\n");
}
constexpr auto twice = "add.f32 %f2, %f1, %f1;", plusOne = "add.f32 %f2, %f1, 0f3F800000;",
               both = "fma.rn.f32 %f2, %f1, 0f40000000, 0f3F800000;";

/// One entry over x, t and y.
std::string whole(const char* operation) {
    return entry("k", ", .param .u64 x, .param .u64 t, .param .u64 y",
                 pointer(1, "x") + pointer(2, "y") + "\tld.global.f32 %f1, [%rd1];\n\t" + operation +
                     "\n\tst.global.f32 [%rd2], %f2;\n");
}

std::string launches(const std::string& list) {
    return "//@ launches [" + list + "]\n";
}
std::string call(const std::string& name, const std::string& arguments, const std::string& how = shape) {
    return fmt::format(R"({{"entry": "{}", "launch": {}, "arguments": [{}]}})", name, how, arguments);
}

Judge single() {
    return Judge(spec(x + ", " + scratch + ", " + y, launch + reference),
                 {{"k.ptx", moduleOf(whole(both))}, {"reference.cpp", code}});
}

Judge several() {
    return Judge(spec(x + ", " + scratch + ", " + y, R"(, "launches": [)" + call("first", R"("n", "x", "t")") + ", " +
                                                         call("second", R"("n", "t", "y")") + "]" + reference),
                 {{"k.ptx", moduleOf(step("first", "x", "t", twice) + step("second", "t", "y", plusOne))},
                  {"reference.cpp", code}});
}

std::string firstMessage(const CandidateResult& result) {
    for (const StageResult& stage : result.stages)
        if (!stage.findings.empty()) return stage.findings.front().message;
    return {};
}

} // namespace

class OwnLaunchesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!haveCompiler()) QSKIP("no host compiler for the references");
    }

    void twoInPlaceOfOne() {
        Judge judge = single();
        const std::string split = step("first", "x", "t", twice) + step("second", "t", "y", plusOne);
        const std::string sequence =
            launches(call("first", R"("n", "x", "t")") + ", " + call("second", R"("n", "t", "y")"));
        const auto right = judge(sequence + moduleOf(split));
        QVERIFY2(isRight(right), describe(right));
        // In the other order the second one reads what nobody has written yet: scratch is zeroed.
        const auto wrong = judge(
            launches(call("second", R"("n", "t", "y")") + ", " + call("first", R"("n", "x", "t")")) + moduleOf(split));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
        const auto half = judge(launches(call("first", R"("n", "x", "t")")) + moduleOf(split));
        QVERIFY2(failsWith(half, "written"), describe(half));
    }

    void oneInPlaceOfTwo() {
        Judge judge = several();
        const std::string fused = step("fused", "x", "y", both);
        const auto right = judge(launches(call("fused", R"("n", "x", "y")")) + moduleOf(fused));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong =
            judge(launches(call("fused", R"("n", "x", "y")")) + moduleOf(step("fused", "x", "y", twice)));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
        // Without the line it must have the spec's entries.
        const auto silent = judge(moduleOf(fused));
        QVERIFY2(failsWith(silent, "entry"), describe(silent));
    }

    void shapesOfItsOwn() {
        Judge judge = single();
        const std::string text = moduleOf(step("wide", "x", "y", both));
        const auto right = judge(
            launches(call("wide", R"("n", "x", "y")", R"json({"grid": ["ceil_div(n, 96)"], "block": [96]})json")) +
            text);
        QVERIFY2(isRight(right), describe(right));
        const auto short_ =
            judge(launches(call("wide", R"("n", "x", "y")", R"json({"grid": ["n / 96"], "block": [96]})json")) + text);
        QVERIFY2(short_.verdict == Verdict::fail, describe(short_));
        const auto large =
            judge(launches(call("wide", R"("n", "x", "y")", R"json({"grid": [1], "block": [2048]})json")) + text);
        QVERIFY2(failsWith(large, "launch"), describe(large));
        QVERIFY2(firstMessage(large).starts_with("//@ launches[0].launch.block"), describe(large));
    }

    void whatIsWrongInTheLine_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("check");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& line, const char* check, const char* message) {
            QTest::newRow(name) << QString::fromStdString(line) << QString(check) << QString(message);
        };
        row("no such argument", launches(call("k", R"("n", "z")")), "launch",
            "//@ launches[0].arguments: the spec has no argument \"z\"");
        row("no such entry", launches(call("nowhere", R"("n", "x", "y")")), "entry", "has no entry called nowhere");
        row("too few arguments", launches(call("k", R"("n", "x")")), "parameters", "the spec's arguments");
        row("nothing launched", launches(call("k", R"("n", "x", "t", "y")", R"({"grid": [0], "block": [64]})")),
            "launch", "//@ launches: nothing is launched");
        row("missing key", "//@ launches [{\"entri\": \"k\"}]\n", "header", "\"entry\" is missing");
        row("no list", "//@ launches {}\n", "header", "//@ launches: ");
        row("empty list", "//@ launches []\n", "header", "the list is empty");
        row("beside launch", "//@ launch {\"block\": [32]}\n" + launches(call("k", R"("n", "x", "t", "y")")), "header",
            "beside");
    }
    void whatIsWrongInTheLine() {
        QFETCH(QString, line);
        QFETCH(QString, check);
        QFETCH(QString, message);
        Judge judge = single();
        const auto result = judge(line.toStdString() + moduleOf(whole(both)));
        QVERIFY2(failsWith(result, check.toStdString()), describe(result));
        QVERIFY2(QString::fromUtf8(describe(result)).contains(message), describe(result));
    }
};

QTEST_APPLESS_MAIN(OwnLaunchesTest)
#include "own_launches.moc"
