// Which peak a kernel is held against, by its instructions, and how near to it it comes.
#include "verify/roofline.h"

#include "ptx/parse.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::verify;

namespace {

gpu::Peaks h200() {
    return {4.4e12,
            {{"f32", 63e12},
             {"f64", 33e12},
             {"f16x2", 124e12},
             {"s32", 33e12},
             {"dp4a", 133e12},
             {"mma.f16", 631e12},
             {"mma.tf32", 315e12},
             {"mma.s8", 1268e12},
             {"wgmma.f16", 970e12}}};
}

std::shared_ptr<const ptx::Module> moduleWith(const QString& instruction) {
    const QString text = QStringLiteral(".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n"
                                        "\t.reg .b32 %r<9>;\n\t.reg .f32 %f<9>;\n\t.reg .f64 %d<9>;\n"
                                        "\t.reg .b16 %h<9>;\n\t.reg .b64 %w<9>;\n\t.reg .pred %p<2>;\n"
                                        "\tadd.s32 %r0, %r1, %r2;\n\t") +
                         instruction + QStringLiteral("\n\tret;\n}\n");
    return ptx::parse(text.toStdString(), "k.ptx");
}

} // namespace

class RooflineTest : public QObject {
    Q_OBJECT

private slots:
    void theFastestKindOfArithmeticCounts_data() {
        QTest::addColumn<QString>("instruction");
        QTest::addColumn<QString>("rate"); ///< empty: no peak is known
        QTest::newRow("integers") << "" << "f32";
        QTest::newRow("f32") << "fma.rn.f32 %f0, %f1, %f2, %f3;" << "f32";
        QTest::newRow("f64 beside integers") << "fma.rn.f64 %d0, %d1, %d2, %d3;" << "f32";
        QTest::newRow("f16") << "fma.rn.f16x2 %r0, %r1, %r2, %r3;" << "f16x2";
        QTest::newRow("bf16") << "fma.rn.bf16 %h0, %h1, %h2, %h3;" << "f16x2";
        QTest::newRow("dp4a") << "dp4a.s32.s32 %r0, %r1, %r2, %r3;" << "dp4a";
        QTest::newRow("bf16 product")
            << "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
               "{%f0,%f1,%f2,%f3};"
            << "mma.f16";
        QTest::newRow("tf32 product")
            << "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
               "{%f0,%f1,%f2,%f3};"
            << "mma.tf32";
        QTest::newRow("u8 product")
            << "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%r0,%r1,%r2,%r3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
               "{%r0,%r1,%r2,%r3};"
            << "mma.s8";
        QTest::newRow("wmma with f32 accumulators")
            << "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, "
               "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, "
               "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};"
            << "mma.f16";
        QTest::newRow("wgmma")
            << "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %w0, %w1, %p0, 1, 1, 0, 0;"
            << "wgmma.f16";
        QTest::newRow("4-bit product")
            << "mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32 {%r0,%r1,%r2,%r3}, {%r0,%r1}, {%r4}, {%r0,%r1,%r2,%r3};"
            << "";
        QTest::newRow("sparse product")
            << "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
               "{%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3}, %r8, 0;"
            << "";
    }
    void theFastestKindOfArithmeticCounts() {
        QFETCH(const QString, instruction);
        QFETCH(const QString, rate);
        const auto module = moduleWith(instruction);
        QVERIFY2(!module->hasErrors(), module->diagnostics.empty() ? "" : module->diagnostics[0].message.c_str());
        const auto peak = arithmeticPeak(*module, h200());
        QCOMPARE(peak ? QString::fromStdString(peak->rate) : QString(), rate);
        if (peak) QCOMPARE(peak->operationsPerSecond, h200().operationsPerSecond.at(peak->rate));
    }

    void aPeakThatWasNotMeasuredIsNone() {
        gpu::Peaks peaks = h200();
        peaks.operationsPerSecond.erase("dp4a");
        QVERIFY(!arithmeticPeak(*moduleWith("dp4a.s32.s32 %r0, %r1, %r2, %r3;"), peaks));
    }

    void percentOfWhatIsReached() {
        const Roofline memory = rooflineOf({4.4e9, 0}, 2e-3, h200(), ArithmeticPeak{"f32", 63e12});
        QCOMPARE(memory.memoryPercent, 50.0);
        QCOMPARE(memory.arithmeticPercent, 0.0);
        QCOMPARE(memory.percent(), 50.0);
        const Roofline both = rooflineOf({4.4e9, 94.5e9}, 2e-3, h200(), ArithmeticPeak{"f32", 63e12});
        QCOMPARE(both.arithmeticPercent, 75.0);
        QCOMPARE(both.percent(), 75.0);
        QCOMPARE(both.rate, std::string("f32"));
        const Roofline unknown = rooflineOf({0, 94.5e9}, 2e-3, h200(), std::nullopt);
        QCOMPARE(unknown.percent(), 0.0);
    }
};

QTEST_APPLESS_MAIN(RooflineTest)
#include "roofline.moc"
