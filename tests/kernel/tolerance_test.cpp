#include "kernel/tolerance.h"

#include "compare_text.h"

#include <cmath>
#include <limits>

using namespace ptxwb;
using namespace ptxwb::kernel;
using Call = Judgement::Call;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double notANumber = std::numeric_limits<double>::quiet_NaN();

Buffer bufferOf(ElementType type, std::vector<std::uint64_t> shape) {
    Buffer buffer{"y", type, Access::out, sizeOf(type), shape, {}, 1, {}, {}};
    buffer.strides.assign(shape.size(), 1);
    for (std::size_t i = shape.size() - 1; i-- > 0;) buffer.strides[i] = buffer.strides[i + 1] * shape[i + 1];
    for (const auto extent : shape) buffer.elementCount *= extent;
    return buffer;
}

std::vector<std::uint8_t> bytesOf(ElementType type, const std::vector<double>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeOf(type));
    for (std::size_t i = 0; i < values.size(); ++i) storeBits(type, bytes, i, encodeFloat(type, values[i]));
    return bytes;
}

struct Case {
    ElementType type = ElementType::f32;
    std::vector<double> reference, got, baseline = {};
    Tolerance tolerance = {};
    double reduction = 1;
    std::optional<ElementType> accumulator = {};
    std::vector<std::uint8_t> written = {};
    double factor = 1;
};

Judgement judged(const Case& c) {
    const auto buffer = bufferOf(c.type, {c.reference.size()});
    const auto got = bytesOf(c.type, c.got), baseline = bytesOf(c.type, c.baseline);
    Comparison comparison;
    comparison.buffer = &buffer;
    comparison.referenceReals = c.reference;
    comparison.candidate = got;
    comparison.baseline = baseline;
    comparison.written = c.written;
    comparison.tolerance = c.tolerance;
    comparison.reduction = c.reduction;
    comparison.accumulator = c.accumulator;
    comparison.allowedFactor = c.factor;
    return judge(comparison);
}

} // namespace

class ToleranceTest : public QObject {
    Q_OBJECT

private slots:
    void theAutomaticBound() {
        // 2 u_out + 8 u_acc sqrt(R), in f32 with R = 1024.
        auto judgement = judged({ElementType::f32, {1, 2}, {1, 2}, {1, 2}, {}, 1024});
        QCOMPARE(judgement.allowed, 2 * 0x1p-24 + 8 * 0x1p-24 * 32);
        QCOMPARE(judgement.baselineError.value(), 0.0);
        // f16 output, f32 accumulator by default.
        QCOMPARE(judged({ElementType::f16, {1}, {1}}).allowed, 2 * 0x1p-11 + 8 * 0x1p-24);
        QCOMPARE(judged({ElementType::f64, {1}, {1}}).allowed, 10 * 0x1p-53);
        QCOMPARE(judged({ElementType::f32, {1}, {1}, {}, {}, 1, ElementType::f16}).allowed, 2 * 0x1p-24 + 8 * 0x1p-11);
        // 4 e0 where that is larger.
        judgement = judged({ElementType::f32, {1, 1}, {1, 1}, {1, 1.001}});
        QVERIFY(std::abs(*judgement.baselineError - 0.001) < 1e-7);
        QCOMPARE(judgement.allowed, 4 * *judgement.baselineError);
        QCOMPARE(judged({ElementType::f32, {1, 1}, {1, 1}, {1, 1.001}, {}, 1, {}, {}, 2}).allowed,
                 8 * *judgement.baselineError);
    }

    void anErrorMeasuredElsewhere() {
        const auto buffer = bufferOf(ElementType::f32, {1});
        const std::vector<double> reference{1};
        const auto got = bytesOf(ElementType::f32, {1.007});
        Comparison comparison;
        comparison.buffer = &buffer;
        comparison.referenceReals = reference;
        comparison.candidate = got;
        comparison.baselineError = 0.001;
        QVERIFY(judge(comparison).call == Call::wrong);
        comparison.allowedFactor = 2;
        QVERIFY(judge(comparison).call == Call::right);
        QCOMPARE(judge(comparison).allowed, 0.008);
    }

    void justInsideAndJustOutside() {
        const double allowed = 10 * 0x1p-24;                                               // R = 1
        QVERIFY(judged({ElementType::f32, {1, 1}, {1, 1 + 0x1p-21}}).call == Call::right); // 8 u
        const auto judgement = judged({ElementType::f32, {1, 1}, {1, 1 + 0x1.8p-21}});     // 12 u
        QVERIFY(judgement.call == Call::wrong);
        QCOMPARE(judgement.error, 12 * 0x1p-24);
        QCOMPARE(judgement.allowed, allowed);
        const auto& finding = judgement.findings.at(0);
        QCOMPARE(finding.kind, FindingKind::mismatch);
        QVERIFY(finding.index == std::vector<std::uint64_t>{1});
        QCOMPARE(finding.allowed.value(), allowed);
        QCOMPARE_TEXT(
            finding.message,
            "y[1]: got 1.00000072, expected 1; relative error 7.15e-07, allowed 5.96e-07, no baseline to compare with "
            "(1 of 2 elements wrong)");
    }

    void smallElementsAreMeasuredAgainstTheMean() {
        // Mean 100: an error of 1e-6 at a zero is nothing; alone it would be infinite.
        QVERIFY(judged({ElementType::f32, {200, 0}, {200, 1e-6}}).call == Call::right);
        QVERIFY(judged({ElementType::f32, {0, 0}, {0, 1e-30}}).call == Call::wrong);
        QVERIFY(judged({ElementType::f32, {0, 0}, {0, -0.0}}).call == Call::right);
    }

    void theMessageHasE0() {
        const auto judgement = judged({ElementType::f32, {2.5, 4, 8}, {1.5, 4, 0}, {2.5, 4.0001, 8}});
        QVERIFY(judgement.call == Call::wrong);
        QCOMPARE(judgement.findings.size(), std::size_t{2});
        QCOMPARE_TEXT(judgement.findings[0].message, "y[0]: got 1.5, expected 2.5; relative error 0.207, allowed "
                                                     "8.29e-05, e0 2.07e-05 (the baseline's) (2 of 3 elements wrong)");
        QCOMPARE_TEXT(judgement.findings[1].message, "y[2]: got 0, expected 8; relative error 1, allowed 8.29e-05, e0 "
                                                     "2.07e-05 (the baseline's) (the worst of them)");
        QCOMPARE(judgement.findings[0].occurrences, std::uint64_t{2});
        QCOMPARE(judgement.wrongElements, std::uint64_t{2});
    }

    void aBaselineInDoubt() {
        const auto judgement = judged({ElementType::f32, {1, 1}, {1, 1}, {1, 1.1}});
        QVERIFY(judgement.call == Call::inDoubt);
        QCOMPARE_TEXT(judgement.reason, "y: the baseline's own error against the reference is 0.1, over 0.0156: the "
                                        "reference, the spec or the baseline is wrong");
        // Coarse types have coarse baselines.
        QVERIFY(judged({ElementType::e4m3, {1, 1}, {1, 1}, {1, 1.125}}).call == Call::right);
        QVERIFY(judged({ElementType::e4m3, {1, 1}, {1, 1}, {1, 1.25}}).call == Call::inDoubt);
        QVERIFY(judged({ElementType::f32, {1, 1}, {notANumber, 1}, {notANumber, 1}}).call == Call::inDoubt);
        // An element that nobody wrote is wrong whatever the oracle is worth.
        QVERIFY(judged({ElementType::f32, {1, 1}, {1, 1}, {1, 2}, {}, 1, {}, {1, 0}}).call == Call::wrong);
    }

    void nanIsNeverWithinATolerance() {
        for (const auto rule :
             {ToleranceRule::automatic, ToleranceRule::absoluteRelative, ToleranceRule::ulp, ToleranceRule::exact}) {
            const auto judgement =
                judged({ElementType::f32, {1, 2, 3}, {1, notANumber, -inf}, {}, {rule, 1e30, 1e30, 1000000}});
            QVERIFY(judgement.call == Call::wrong);
            QCOMPARE(judgement.findings.at(0).kind, FindingKind::nonfinite);
            QCOMPARE(judgement.findings[0].occurrences, std::uint64_t{2});
            QCOMPARE_TEXT(judgement.findings[0].message,
                          "y[1]: got nan, expected 2 (2 of 3 elements not finite or infinite with the wrong sign)");
        }
    }

    void nanAndInfinityWhereTheyBelong() {
        QVERIFY(
            judged(
                {ElementType::f32, {notANumber, inf, -inf, 1}, {notANumber, inf, -inf, 1}, {notANumber, inf, -inf, 1}})
                .call == Call::right);
        const auto number = judged({ElementType::f32, {notANumber, 1}, {3, 1}});
        QVERIFY(number.call == Call::wrong);
        QCOMPARE(number.findings.at(0).kind, FindingKind::mismatch);
        QVERIFY(judged({ElementType::f32, {inf, 1}, {-inf, 1}}).call == Call::wrong);
        QVERIFY(judged({ElementType::f32, {inf, 1}, {5, 1}}).call == Call::wrong);
        // Beyond the type's range, and just inside it.
        QVERIFY(judged({ElementType::f16, {70000, 1}, {inf, 1}}).call == Call::right);
        QVERIFY(judged({ElementType::f16, {-70000, 1}, {inf, 1}}).call == Call::wrong);
        const auto early = judged({ElementType::f16, {60000, 1}, {inf, 1}});
        QVERIFY(early.call == Call::wrong);
        QCOMPARE(early.findings.at(0).kind, FindingKind::nonfinite);
        QVERIFY(judged({ElementType::f32, {1e39, 1}, {inf, 1}}).call == Call::right);
        QVERIFY(judged({ElementType::e4m3, {1000, 1}, {448, 1}}).call == Call::right);
        QVERIFY(judged({ElementType::e4m3, {1000, 1}, {notANumber, 1}}).call == Call::right);
        QVERIFY(judged({ElementType::e4m3, {-1000, 1}, {448, 1}}).call == Call::wrong);
    }

    void hugeReferencesHideNothing() {
        // They are no part of the mean: the error at the small element stays visible.
        QVERIFY(judged({ElementType::f32, {1e300, 1}, {inf, 1.5}}).call == Call::wrong);
        QVERIFY(judged({ElementType::f32, {inf, 1}, {inf, 1.5}}).call == Call::wrong);
        QVERIFY(judged({ElementType::f32, {notANumber, 1}, {notANumber, 1.5}}).call == Call::wrong);
        QVERIFY(judged({ElementType::f64, {1.7e308, 1.7e308, 1.6e308}, {1.7e308, 1.7e308, 1.5e308}}).call ==
                Call::wrong);
    }

    void theRoundedReferenceIsAlwaysRight() {
        QVERIFY(judged({ElementType::f32, {0x1.8p-149, 0x1.8p-149}, {0x1p-148, 0x1p-148}}).call == Call::right);
        QVERIFY(judged({ElementType::f32, {0x1.8p-149, 0x1.8p-149}, {0x1p-148, 0}}).call == Call::wrong);
        QVERIFY(judged({ElementType::f16, {1.0 / 3, 1}, {1.0 / 3, 1}, {}, {ToleranceRule::exact, 0, 0, 0}}).call ==
                Call::right);
    }

    void theOtherRules() {
        const Tolerance mixed{ToleranceRule::absoluteRelative, 0.1, 0.01, 0};
        QVERIFY(judged({ElementType::f32, {100}, {101}, {}, mixed}).call == Call::right);
        const auto over = judged({ElementType::f32, {100}, {102}, {}, mixed});
        QVERIFY(over.call == Call::wrong);
        QCOMPARE_TEXT(
            over.findings[0].message,
            "y[0]: got 102, expected 100; 1.82 times the allowed 0.1 + 0.01 |expected| (1 of 1 element wrong)");
        QCOMPARE(over.findings[0].allowed.value(), 1.1);
        const Tolerance ulp{ToleranceRule::ulp, 0, 0, 2};
        QVERIFY(judged({ElementType::f32, {1}, {1 + 0x1p-22}, {}, ulp}).call == Call::right);
        const auto three = judged({ElementType::f32, {1}, {1 + 0x1.8p-22}, {}, ulp});
        QVERIFY(three.call == Call::wrong);
        QCOMPARE_TEXT(three.findings[0].message,
                      "y[0]: got 1.00000036, expected 1; 3 ulp, allowed 2 (1 of 1 element wrong)");
        const Tolerance exact{ToleranceRule::exact, 0, 0, 0};
        QVERIFY(judged({ElementType::f32, {1}, {1}, {}, exact}).call == Call::right);
        QCOMPARE_TEXT(judged({ElementType::f32, {1}, {1 + 0x1p-23}, {}, exact}).findings.at(0).message,
                      "y[0]: got 1.00000012, expected 1; must be the exact value (1 of 1 element wrong)");
    }

    void unwrittenElements() {
        const auto judgement = judged({ElementType::f32, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {}, 1, {}, {1, 0, 0}});
        QVERIFY(judgement.call == Call::wrong);
        QCOMPARE(judgement.findings.size(), std::size_t{1});
        QCOMPARE(judgement.findings[0].kind, FindingKind::outputNotWritten);
        QCOMPARE_TEXT(judgement.findings[0].message, "y[1] was never written (2 of 3 elements not)");
    }

    void integersAreExact() {
        const auto buffer = bufferOf(ElementType::s64, {2, 3});
        std::vector<std::uint8_t> reference(48), got(48);
        for (std::uint64_t i = 0; i < 6; ++i) storeBits(ElementType::s64, reference, i, 0x20000000000000 + i);
        got = reference;
        Comparison comparison;
        comparison.buffer = &buffer;
        comparison.referenceBits = reference;
        comparison.candidate = got;
        QVERIFY(judge(comparison).call == Call::right);
        storeBits(ElementType::s64, got, 4, ~std::uint64_t{0});
        storeBits(ElementType::s64, got, 5, 0x20000000000006);
        const auto judgement = judge(comparison);
        QVERIFY(judgement.call == Call::wrong);
        QCOMPARE(judgement.findings.size(), std::size_t{1});
        QCOMPARE_TEXT(judgement.findings[0].message,
                      "y[1, 1]: got -1, expected 9007199254740996; s64 must be exact (2 of 6 elements wrong)");
        QVERIFY((judgement.findings[0].index == std::vector<std::uint64_t>{1, 1}));
        const std::vector<std::uint8_t> written{1, 1, 1, 0, 1, 1};
        comparison.written = written;
        QCOMPARE(judge(comparison).findings[0].kind, FindingKind::outputNotWritten);
    }

    void bitTypesAreShownInHex() {
        const auto buffer = bufferOf(ElementType::b16, {1});
        const std::vector<std::uint8_t> reference{0x34, 0x12}, got{0xFF, 0};
        Comparison comparison;
        comparison.buffer = &buffer;
        comparison.referenceBits = reference;
        comparison.candidate = got;
        QCOMPARE_TEXT(judge(comparison).findings.at(0).message,
                      "y[0]: got 0x00ff, expected 0x1234; b16 must be exact (1 of 1 element wrong)");
    }

    void paddingIsNotCompared() {
        auto buffer = bufferOf(ElementType::f32, {2, 2});
        buffer.strides = {3, 1};
        const std::vector<double> reference{1, 2, notANumber, 3, 4};
        auto got = bytesOf(ElementType::f32, {1, 2, 77, 3, 4});
        Comparison comparison;
        comparison.buffer = &buffer;
        comparison.referenceReals = reference;
        comparison.candidate = got;
        QVERIFY(judge(comparison).call == Call::right);
        got = bytesOf(ElementType::f32, {1, 2, 77, 3, 5});
        comparison.candidate = got;
        QVERIFY((judge(comparison).findings.at(0).index == std::vector<std::uint64_t>{1, 1}));
    }

    void emptyOutputs() {
        const auto judgement = judged({ElementType::f32, {}, {}});
        QVERIFY(judgement.call == Call::right && judgement.findings.empty());
    }
};

QTEST_APPLESS_MAIN(ToleranceTest)
#include "tolerance_test.moc"
