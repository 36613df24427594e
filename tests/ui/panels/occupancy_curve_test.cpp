#include "panels/occupancy_curve.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;
using gpu::SweepOver;

namespace {

std::uint32_t warps(const gpu::Architecture& arch, gpu::OccupancyRequest request) {
    const auto occupancy = gpu::occupancy(arch, request);
    return occupancy ? occupancy->warpsPerSm : 0;
}

} // namespace

class OccupancyCurveTest : public QObject {
    Q_OBJECT

private slots:
    void agreesEverywhere_data() {
        QTest::addColumn<QString>("arch");
        QTest::addColumn<int>("over");
        for (const char* arch : {"sm_75", "sm_86", "sm_90", "sm_120"})
            for (const auto over : {SweepOver::block, SweepOver::registers, SweepOver::shared})
                QTest::addRow("%s %d", arch, static_cast<int>(over)) << arch << static_cast<int>(over);
    }

    /// Not at the corners alone: at each value that a kernel may have.
    void agreesEverywhere() {
        QFETCH(QString, arch);
        QFETCH(int, over);
        const auto a = gpu::architecture(arch.toStdString());
        const gpu::OccupancyRequest request{.block = 192, .registers = 50, .sharedStatic = 6000, .sharedDynamic = 700};
        const auto curve = occupancyCurve(*a, request, static_cast<SweepOver>(over));
        QVERIFY(curve.has_value());
        auto asked = request;
        switch (static_cast<SweepOver>(over)) {
        case SweepOver::block:
            for (asked.block = 1; asked.block <= a->maxThreadsPerBlock; ++asked.block)
                QCOMPARE(valueAt(*curve, asked.block), double(warps(*a, asked)));
            QCOMPARE(curve->current, QPointF(192, warps(*a, request)));
            break;
        case SweepOver::registers:
            for (asked.registers = 1; asked.registers <= a->maxRegistersPerThread; ++asked.registers)
                QCOMPARE(valueAt(*curve, asked.registers), double(warps(*a, asked)));
            QCOMPARE(curve->current, QPointF(50, warps(*a, request)));
            break;
        case SweepOver::shared:
            for (std::uint32_t bytes = asked.sharedStatic; bytes <= a->sharedPerBlockOptIn; bytes += 37) {
                asked.sharedDynamic = bytes - asked.sharedStatic;
                QCOMPARE(valueAt(*curve, bytes / 1024.0), double(warps(*a, asked)));
            }
            QCOMPARE(curve->current, QPointF(6700 / 1024.0, warps(*a, request)));
            break;
        }
        QCOMPARE(valueAt(*curve, curve->current.x()), curve->current.y());
    }

    void stepsAreLevel() {
        const auto a = gpu::architecture("sm_90");
        const auto curve = occupancyCurve(*a, {.block = 256, .registers = 32}, SweepOver::registers);
        QVERIFY(curve->corners.size() >= 4 && curve->corners.size() % 2 == 0);
        for (qsizetype i = 0; i < curve->corners.size(); i += 2) {
            QCOMPARE(curve->corners[i].y(), curve->corners[i + 1].y());
            if (i == 0) continue;
            QCOMPARE(curve->corners[i].x(), curve->corners[i - 1].x());
            QVERIFY(curve->corners[i].y() != curve->corners[i - 1].y());
        }
    }

    void inWords() {
        const auto a = gpu::architecture("sm_90");
        const auto curve = occupancyCurve(*a, {.block = 256, .registers = 32}, SweepOver::registers);
        QCOMPARE(curve->title, QString("Registers per thread (now 32)"));
        QVERIFY2(
            curve->description.startsWith(
                "Registers per thread (now 32): 64 of 64 warps per SM. Steps: 64 warps up to 32, 48 warps up to 40,"),
            qPrintable(curve->description));
        const auto block = occupancyCurve(*a, {.block = 256, .registers = 50}, SweepOver::block);
        QVERIFY2(block->description.contains("further steps"), qPrintable(block->description));
    }

    void axesHoldTheCurrentPoint() {
        const auto a = gpu::architecture("sm_86");
        const auto curve = occupancyCurve(
            *a, {.block = 256, .registers = 32, .sharedStatic = 0, .sharedDynamic = 300000}, SweepOver::shared);
        QVERIFY(curve->xMax >= curve->current.x());
        QCOMPARE(curve->current.y(), 0.0);
        QCOMPARE(valueAt(*curve, curve->current.x()), 0.0);
        QCOMPARE(curve->yMax, 48.0);
    }

    void noBlockIsAnError() {
        const auto a = gpu::architecture("sm_90");
        const auto curve = occupancyCurve(*a, {.block = 0, .registers = 32}, SweepOver::block);
        QVERIFY(!curve.has_value());
        QCOMPARE(curve.error().message, std::string("a block of 0 threads cannot be launched"));
    }
};

QTEST_APPLESS_MAIN(OccupancyCurveTest)
#include "occupancy_curve_test.moc"
