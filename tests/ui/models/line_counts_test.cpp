// The figures beside the lines, as texts.
#include "models/line_counts.h"

#include "ptx/parse.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

verify::WorkReport work() {
    verify::WorkReport work;
    emulator::WorkCounts load, shared, add;
    load.warpInstructions = 1000;
    load.threadInstructions = 31000;
    load.globalRequests = 1000;
    load.globalSectors = 8000;
    load.globalIdealSectors = 4000;
    shared.warpInstructions = 2'500'000;
    shared.threadInstructions = 80'000'000;
    shared.sharedRequests = 100;
    shared.sharedWavefronts = 3200;
    shared.sharedIdealWavefronts = 100;
    shared.sharedWays = 32;
    add.warpInstructions = 64;
    add.threadInstructions = 2048;
    work.lines = {{12, {}, load}, {14, {}, shared}, {15, {}, add}};
    return work;
}

QStringList written(CountKind kind, const verify::PcSampling* sampling = nullptr) {
    const verify::WorkReport some = work();
    QStringList list;
    for (const LineCount& one : lineCounts(kind, &some, sampling))
        list += QStringLiteral("%1: %2").arg(one.line).arg(one.text);
    return list;
}

} // namespace

class LineCountsTest : public QObject {
    Q_OBJECT

private slots:
    void texts() {
        QCOMPARE(written(CountKind::executed), (QStringList{"12: 1k", "14: 2.5M", "15: 64"}));
        QCOMPARE(written(CountKind::sectors), (QStringList{"12: 8.0/4.0"}));
        QCOMPARE(written(CountKind::wavefronts), (QStringList{"14: 32/1.0"}));
        QCOMPARE(written(CountKind::none), QStringList());
        QCOMPARE(written(CountKind::samples), QStringList());
    }

    void whatWeighs() {
        const verify::WorkReport some = work();
        const auto executed = lineCounts(CountKind::executed, &some, nullptr);
        QCOMPARE(executed[1].weight, 1.0); // the line that is executed most
        QVERIFY(executed[2].weight < 0.001);
        QCOMPARE(executed[0].tip, QString("executed by 1000 warps, 31 of 32 lanes active in the mean"));
        QCOMPARE(lineCounts(CountKind::sectors, &some, nullptr)[0].weight, 0.5); // half of the traffic is not needed
        QCOMPARE(
            lineCounts(CountKind::wavefronts, &some, nullptr)[0].tip,
            QString("32 wavefronts a request of shared memory, 1.0 without bank conflicts; the worst has 32 ways"));
    }

    void samplesOfAGpu() {
        verify::PcSampling sampling;
        sampling.samples = 200;
        sampling.lines.resize(2);
        sampling.lines[0].samples = 50; // of no line
        sampling.lines[1].line = 14;
        sampling.lines[1].samples = 150;
        sampling.lines[1].stalls = {{"long_scoreboard", 140}, {"selected", 10}};
        QCOMPARE(written(CountKind::samples, &sampling), (QStringList{"14: 75.0 %"}));
        QCOMPARE(lineCounts(CountKind::samples, nullptr, &sampling)[0].tip,
                 QString("150 samples of the GPU, mostly long_scoreboard"));
    }

    void whatTheTextAloneTells() {
        const auto module = ptx::parse(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n)
{
    .reg .b32 %t, %a, %n;
    .reg .b64 %d;
    .reg .pred %p, %q;
    ld.param.u32 %n, [n];
    mov.u32 %t, %tid.x;
    setp.lt.u32 %p, %t, 8;
    setp.lt.u32 %q, %n, 8;
    mov.u32 %a, %n;
    @%q mov.u32 %a, 3;
    @%p mov.u32 %a, 4;
    mul.wide.u32 %d, %t, %a;
    @%p bra $small;
    st.global.u64 [%d], %d;
    bra.uni $end;
$small:
    st.global.u32 [%d], %t;
$end:
    ret;
}
)",
                                       "k.ptx");
        QStringList pressure, divergence;
        for (const LineCount& one : staticLineCounts(CountKind::pressure, *module))
            pressure += QStringLiteral("%1: %2").arg(one.line).arg(one.text);
        for (const LineCount& one : staticLineCounts(CountKind::divergence, *module))
            divergence += QStringLiteral("%1: %2").arg(one.line).arg(one.text);
        QCOMPARE(pressure, (QStringList{"9: 1", "10: 2", "11: 2+1p", "12: 2+2p", "13: 2+2p", "14: 2+2p", "15: 2+1p",
                                        "16: 3+1p", "17: 3+1p", "18: 2", "19: 0", "21: 3", "23: 0"}));
        const QString apart = QStringLiteral("\u2026");
        QCOMPARE(divergence, (QStringList{"14: @=", QStringLiteral("15: @\u2260"), QStringLiteral("17: \u2442"),
                                          "18: " + apart, "19: " + apart, "21: " + apart}));
        QVERIFY(isStatic(CountKind::pressure) && isStatic(CountKind::divergence) && !isStatic(CountKind::executed));
    }

    void everyKindHasItsWords() {
        for (const CountKind kind : countKinds) QVERIFY(!title(kind).isEmpty() && !meaning(kind).isEmpty());
    }
};

QTEST_APPLESS_MAIN(LineCountsTest)
#include "line_counts_test.moc"
