// Runs that the spec does not ask for: other numbers, other magnitudes, sizes beyond 16 bits. They catch what is wrong
// there, and are left out where the baseline itself cannot serve.
#include "judge.h"

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

/// y[i] = a * x[i], by the lines between loading and storing.
std::string scaled(const std::string& lines, const std::string& more = {}) {
    return moduleOf(entry("k", ", .param .f32 a, .param .u64 x, .param .u64 y",
                          pointer(1, "x") + pointer(2, "y") + more +
                              "\tld.param.f32 %f3, [a];\n\tld.global.f32 %f1, [%rd1];\n\t" + lines +
                              "\n\tst.global.f32 [%rd2], %f2;\n"));
}
const std::string right = scaled("mul.f32 %f2, %f1, %f3;");

std::string scaleSpec(const std::string& scalar = {}, const std::string& sizes = {}) {
    return R"json({"schema": 1, "name": "k", "arch": "sm_80", "baseline": {"ptx": "k.ptx"}, "entry": "k",
 "symbols": {"n": {"function": [1, 100], "stress": [0, 33, 64, 65])json" +
           sizes + R"json(}}, "launch": {"grid": ["ceil_div(n, 64)", 1, 1], "block": [64, 1, 1]},
 "arguments": [{"name": "n", "type": "s32", "value": "n"}, {"name": "a", "type": "f32", "value": 2.5)json" +
           scalar + "}, " + x + ", " + y + "]" + reference + "}";
}
const std::string code = "void reference(int n, double a, const double* x, double* y) {\n"
                         "    for (int i = 0; i < n; ++i) y[i] = a * x[i];\n}\n";

Judge judgeOf(const std::string& spec, const std::string& baseline = right) {
    return Judge(spec, {{"k.ptx", baseline}, {"reference.cpp", code}});
}

std::string reasonOf(const CandidateResult& result, std::string_view check) {
    const auto hit = std::ranges::find(result.checks, check, &CheckOutcome::check);
    return hit == result.checks.end() ? std::string() : hit->reason;
}

} // namespace

class ProbesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!haveCompiler()) QSKIP("no host compiler for the references");
    }

    void theRightOnePassesThemAll() {
        Judge judge = judgeOf(scaleSpec({}, R"(, "benchmark": [1000000])"));
        const auto result = judge(right);
        QVERIFY2(isRight(result), describe(result));
        for (const char* check : {"other_scalars", "magnitudes", "subnormals", "large_sizes", "special_values", "fills",
                                  "environment", "launch"})
            QVERIFY2(outcome(result, check) == CheckStatus::passed, check);
    }

    void numbersOfScalars() {
        const std::string baked = scaled("mul.f32 %f2, %f1, 0f40200000;"); // 2.5
        Judge judge = judgeOf(scaleSpec());
        const auto wrong = judge(baked);
        QVERIFY2(failsWith(wrong, "other_scalars"), describe(wrong));
        QVERIFY2(reasonOf(wrong, "other_scalars").starts_with("with the numbers of scalars times 0.75: "),
                 describe(wrong));
        // The spec may grant it.
        Judge granted = judgeOf(scaleSpec(R"(, "fixed": true)"));
        const auto result = granted(baked);
        QVERIFY2(isRight(result), describe(result));
        QVERIFY(outcome(result, "other_scalars") == CheckStatus::notRun);
    }

    void magnitudesAndSubnormals() {
        Judge judge = judgeOf(scaleSpec());
        const auto clamps = judge(scaled("min.f32 %f1, %f1, 0f447A0000;\n\tmul.f32 %f2, %f1, %f3;")); // 1000
        QVERIFY2(failsWith(clamps, "magnitudes"), describe(clamps));
        const auto flushes = judge(scaled("mul.ftz.f32 %f2, %f1, %f3;"));
        QVERIFY2(failsWith(flushes, "subnormals"), describe(flushes));
    }

    /// Who is no better than the baseline is not blamed for it.
    void theBaselineMayFlushToo() {
        const std::string flushing = scaled("mul.ftz.f32 %f2, %f1, %f3;");
        Judge judge = judgeOf(scaleSpec(), flushing);
        for (const std::string& candidate : {right, flushing}) {
            const auto result = judge(candidate);
            QVERIFY2(isRight(result), describe(result));
            QVERIFY(outcome(result, "subnormals") == CheckStatus::notRun);
            QVERIFY2(reasonOf(result, "subnormals").find("the baseline itself is wrong") != std::string::npos,
                     reasonOf(result, "subnormals").c_str());
        }
    }

    void sizesBeyondSixteenBits() {
        const std::string narrow =
            scaled("mul.f32 %f2, %f1, %f3;",
                   "\tand.b32 %r5, %r1, 65535;\n\tmul.wide.s32 %rd9, %r5, 4;\n" + pointer(1, "x") + pointer(2, "y"));
        Judge unseen = judgeOf(scaleSpec());
        const auto passes = unseen(narrow);
        QVERIFY2(isRight(passes), describe(passes)); // no size of this spec goes so far
        QVERIFY(outcome(passes, "large_sizes") == CheckStatus::notRun);
        Judge judge = judgeOf(scaleSpec({}, R"(, "benchmark": [1000000])"));
        const auto wrong = judge(narrow);
        QVERIFY2(failsWith(wrong, "large_sizes"), describe(wrong));
    }

    void launchesThatNoGpuTakesAtTheBenchmarksSize() {
        std::string alongY = right;
        alongY.replace(alongY.find("%ctaid.x"), 8, "%ctaid.y");
        const std::string head = "//@ launch {\"grid\": [1, \"ceil_div(n, 64)\", 1]}\n";
        Judge small = judgeOf(scaleSpec({}, R"(, "benchmark": [1000000])"));
        const auto passes = small(head + alongY);
        QVERIFY2(isRight(passes), describe(passes));
        Judge large = judgeOf(scaleSpec({}, R"(, "benchmark": [67108864])"));
        const auto wrong = large(head + alongY);
        QVERIFY2(failsWith(wrong, "launch"), describe(wrong));
        QVERIFY2(reasonOf(wrong, "launch").starts_with("at the benchmark's size, //@ launch: grid[1]"),
                 describe(wrong));
    }

    void requirementsThatLeaveNoWork() {
        std::string spec = scaleSpec();
        spec.replace(spec.find("[1, 100]"), 8, "[0, 100]");
        Judge judge = judgeOf(spec);
        const auto result = judge("//@ require n == 0\n" + scaled("mov.f32 %f2, %f3;"));
        QVERIFY2(failsWith(result, "require"), describe(result));
    }

    void clocksAndPlaces_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : {"mov.u32 %r5, %clock;", "mov.u64 %rd5, %clock64;", "mov.u64 %rd5, %globaltimer;",
                                 "mov.u32 %r5, %smid;", "mov.u32 %r5, %warpid;"})
            QTest::newRow(line) << line;
    }
    void clocksAndPlaces() {
        QFETCH(QString, line);
        const std::string reads = scaled(line.toStdString() + "\n\tmul.f32 %f2, %f1, %f3;");
        Judge judge = judgeOf(scaleSpec());
        const auto wrong = judge(reads);
        QVERIFY2(failsWith(wrong, "environment"), describe(wrong));
        // It runs all the same, so that what else is wrong is told with it.
        QVERIFY2(find(wrong.stages, Stage::function)->status == Status::pass, describe(wrong));
        // What the baseline does a candidate may do.
        Judge same = judgeOf(scaleSpec(), reads);
        const auto result = same(reads);
        QVERIFY2(isRight(result) && outcome(result, "environment") == CheckStatus::passed, describe(result));
    }
};

QTEST_APPLESS_MAIN(ProbesTest)
#include "probes.moc"
