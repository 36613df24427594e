#include "panels/timing_strips.h"

#include "../models/timings.h"

#include <numeric>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;

namespace {

unsigned sum(const TimingStrip& strip) {
    return std::accumulate(strip.counts.begin(), strip.counts.end(), 0u);
}

} // namespace

class TimingStripsTest : public QObject {
    Q_OBJECT

private slots:
    void steps_data() {
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("step");
        QTest::newRow("itself") << 0.2 << 0.2;
        QTest::newRow("up to 1") << 0.6 << 1.0;
        QTest::newRow("up to 2") << 1.01 << 2.0;
        QTest::newRow("up to 5") << 230.0 << 500.0;
        QTest::newRow("up to 10") << 0.0051 << 0.01;
        QTest::newRow("power") << 1000.0 << 1000.0;
    }
    void steps() {
        QFETCH(const double, least);
        QFETCH(const double, step);
        QVERIFY2(qAbs(niceStep(least) - step) < 1e-9, qPrintable(QString::number(niceStep(least))));
    }

    void bothStandOnOneAxis() {
        const auto strips = timingStrips({{"baseline", samplesAround(237.3, 2)}, {"fast", samplesAround(187, 1)}});
        QCOMPARE(strips.strips.size(), 2u);
        QCOMPARE(strips.strips[0].name, QString("baseline"));
        QCOMPARE(strips.strips[0].counts.size(), strips.strips[1].counts.size());
        QVERIFY(strips.low < 186 && strips.high() > 239.3);
        QVERIFY(strips.strips[0].counts.size() >= 30 && strips.strips[0].counts.size() <= 95);
        // At most five labels fit below a narrow plot.
        QVERIFY((strips.high() - strips.low) / strips.tick <= 5);
        for (const TimingStrip& strip : strips.strips) {
            QCOMPARE(sum(strip), 110u);
            QCOMPARE(strip.below + strip.above, 0u);
        }
        QVERIFY(qAbs(strips.strips[1].median - 187) < 0.01);
        QCOMPARE(outsideText(strips), QString());
        QCOMPARE(stripsDescription(strips), QString("baseline: 110 samples, median 237.3 us, from 235 to 240 us.\n"
                                                    "fast: 110 samples, median 187.0 us, from 186 to 189 us."));
    }

    void countsWhatFallsIntoABin() {
        const auto strips = timingStrips({{"a", {10, 10.1, 10.1, 10.2}}});
        std::vector<std::pair<int, unsigned>> filled; // in hundredths of a microsecond
        for (std::size_t bin = 0; bin < strips.strips[0].counts.size(); ++bin)
            if (strips.strips[0].counts[bin] > 0)
                filled.emplace_back(qRound((strips.low + double(bin) * strips.binWidth) * 100),
                                    strips.strips[0].counts[bin]);
        QCOMPARE(filled, (std::vector<std::pair<int, unsigned>>{{1000, 1}, {1010, 2}, {1020, 1}}));
        QCOMPARE(strips.largestShare(), 0.5);
        QCOMPARE(binText(strips, 0, 10.101), QString("10.10 to 10.15 us: 2 of 4 samples of a"));
        QCOMPARE(binText(strips, 0, 10.15), QString("10.15 to 10.20 us: 0 of 4 samples of a"));
        QCOMPARE(binText(strips, 0, 3), QString());
        QCOMPARE(binText(strips, 1, 10.1), QString());
    }

    void aFewFarOutsideAreSaidAndNotDrawn() {
        auto samples = samplesAround(187, 1);
        samples[3] = 5000;
        samples[90] = 7000;
        samples[20] = 1;
        const auto strips = timingStrips({{"fast", samples}});
        QVERIFY(strips.high() < 200);
        QCOMPARE(strips.strips[0].above, 2u);
        QCOMPARE(strips.strips[0].below, 1u);
        QCOMPARE(sum(strips.strips[0]), 107u);
        const QString said = outsideText(strips);
        QVERIFY2(said.contains("1 of 110 samples of fast below 185."), qPrintable(said));
        QVERIFY2(said.contains("2 of 110 samples of fast above 188."), qPrintable(said));
        QVERIFY(stripsDescription(strips).contains(said));
    }

    void oneSampleAndEqualOnes() {
        for (const std::vector<double>& us : {std::vector<double>{42}, std::vector<double>(50, 42)}) {
            const auto strips = timingStrips({{"a", us}});
            QVERIFY(strips.low < 42 && strips.high() > 42);
            QCOMPARE(sum(strips.strips[0]), unsigned(us.size()));
            QCOMPARE(strips.largestShare(), 1.0);
            QVERIFY(strips.tick > 0 && strips.binWidth > 0);
        }
    }

    void withoutSamplesThereIsNoStrip() {
        QVERIFY(timingStrips({}).strips.empty());
        QVERIFY(timingStrips({{"a", {}}}).strips.empty());
        const auto strips = timingStrips({{"a", {}}, {"b", {3, 4}}});
        QCOMPARE(strips.strips.size(), 1u);
        QCOMPARE(strips.strips[0].name, QString("b"));
    }

    void labelsHaveTheDigitsThatTheyNeed_data() {
        QTest::addColumn<double>("middle");
        QTest::addColumn<double>("halfWidth");
        QTest::addColumn<int>("decimals");
        QTest::newRow("milliseconds") << 5000.0 << 400.0 << 0;
        QTest::newRow("microseconds") << 187.0 << 1.0 << 1;
        QTest::newRow("nanoseconds") << 2.5 << 0.002 << 2;
    }
    void labelsHaveTheDigitsThatTheyNeed() {
        QFETCH(const double, middle);
        QFETCH(const double, halfWidth);
        const auto strips = timingStrips({{"a", samplesAround(middle, halfWidth)}});
        QTEST(strips.decimals, "decimals");
        // Each tick is a multiple of what its label can say.
        const double inLabel = strips.tick * std::pow(10, strips.decimals);
        QVERIFY(qAbs(inLabel - std::round(inLabel)) < 1e-6);
    }
};

QTEST_APPLESS_MAIN(TimingStripsTest)
#include "timing_strips_test.moc"
