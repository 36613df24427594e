#include "gpu/statistics.h"

#include <QTest>

#include <random>

using namespace ptxwb::gpu;

namespace {

/// Pairs whose candidate needs `factor` times the baseline's time, with noise of `spread` that both share in part.
std::pair<std::vector<double>, std::vector<double>> pairs(double factor, double spread, int count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, spread);
    std::vector<double> a, b;
    for (int i = 0; i < count; ++i) {
        const double common = 1 + noise(random);
        a.push_back(100e-6 * common * (1 + noise(random) / 4));
        b.push_back(100e-6 * factor * common * (1 + noise(random) / 4));
    }
    return {a, b};
}

} // namespace

class StatisticsTest : public QObject {
    Q_OBJECT

private slots:
    void quantiles() {
        QCOMPARE(median({3, 1, 2}), 2.0);
        QCOMPARE(median({4, 1, 2, 3}), 2.5);
        QCOMPARE(quantile({0, 10}, 0.1), 1.0);
        QCOMPARE(quantile({5}, 0.9), 5.0);
        QCOMPARE(median({}), 0.0);
    }

    void ratioOfPairs() {
        const std::vector<double> a{2, 4, 8}, b{1, 2, 4};
        const Ratio exact = pairedRatio(a, b, 1);
        QCOMPARE(exact.value, 2.0);
        QCOMPARE(exact.low, 2.0);
        QCOMPARE(exact.high, 2.0);
        const auto [x, y] = pairs(1.1, 0.05, 40, 3);
        const Ratio once = pairedRatio(x, y, 7), again = pairedRatio(x, y, 7);
        QCOMPARE(once.low, again.low); // one seed, one interval
        QVERIFY(once.low < once.value && once.value < once.high);
    }

    void calls_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QString>("call");
        QTest::newRow("clearly faster") << 1.27 << 1.26 << 1.28 << "faster";
        QTest::newRow("clearly slower") << 0.80 << 0.79 << 0.81 << "slower";
        QTest::newRow("the same") << 1.001 << 0.998 << 1.003 << "same";
        QTest::newRow("significant and too small") << 1.003 << 1.002 << 1.004 << "same";
        QTest::newRow("too wide") << 1.02 << 0.99 << 1.05 << "unclear";
        QTest::newRow("wide around the same") << 1.000 << 0.98 << 1.02 << "unclear";
        QTest::newRow("half in") << 1.004 << 1.001 << 1.007 << "unclear";
    }
    void calls() {
        QFETCH(double, value);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(QString, call);
        QCOMPARE(QString::fromLatin1(name(callOf({value, low, high})).data()), call);
    }

    /// Over many seeds: the interval holds the true ratio about as often as it says, and no difference is invented.
    void intervalsHoldWhatTheySay() {
        int inside = 0, invented = 0, found = 0;
        constexpr int cases = 200;
        for (unsigned seed = 0; seed < cases; ++seed) {
            const auto [a, b] = pairs(1.0, 0.02, 30, seed);
            const Ratio same = pairedRatio(a, b, seed);
            inside += same.low <= 1 && 1 <= same.high;
            invented += callOf(same) == Call::faster || callOf(same) == Call::slower;
            const auto [c, d] = pairs(1.03, 0.02, 30, seed);
            found += callOf(pairedRatio(c, d, seed)) == Call::slower;
        }
        QVERIFY2(inside >= cases * 90 / 100, qPrintable(QString::number(inside)));
        QVERIFY2(invented <= cases * 2 / 100, qPrintable(QString::number(invented)));
        QVERIFY2(found >= cases * 95 / 100, qPrintable(QString::number(found)));
    }
};

QTEST_APPLESS_MAIN(StatisticsTest)
#include "statistics_test.moc"
