// The kernels that peaks are measured with: ptxas takes them, and nothing of them can be left out as of no use.
#include "gpu/peak_kernels.h"
#include "ptx/parse.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <QTest>
#include <algorithm>

using namespace ptxwb;

class PeakKernelsTest : public QObject {
    Q_OBJECT

private slots:
    void everyGenerationHasItsOwn_data() {
        QTest::addColumn<int>("capability");
        QTest::addColumn<QStringList>("rates");
        const QStringList always{"dp4a", "f16x2", "f32", "f64", "s32"};
        const QStringList ampere = always + QStringList{"mma.f16", "mma.f64", "mma.s8", "mma.tf32"};
        QTest::newRow("sm_75") << 75 << always + QStringList{"mma.f16", "mma.s8"};
        QTest::newRow("sm_80") << 80 << ampere;
        QTest::newRow("sm_86") << 86 << ampere;
        QTest::newRow("sm_89") << 89 << ampere + QStringList{"mma.f8"};
        QTest::newRow("sm_90") << 90
                               << ampere + QStringList{"mma.f8", "wgmma.f16", "wgmma.f8", "wgmma.s8", "wgmma.tf32"};
        QTest::newRow("sm_100") << 100 << ampere + QStringList{"mma.f8"};
    }
    void everyGenerationHasItsOwn() {
        QFETCH(const int, capability);
        QFETCH(QStringList, rates);
        QStringList found;
        for (const gpu::PeakKernel& kernel : gpu::peakKernels(capability / 10, capability % 10)) {
            found += QString::fromStdString(kernel.rate);
            const auto module = ptx::parse(kernel.ptx, kernel.rate);
            QVERIFY2(!module->hasErrors(), kernel.rate.c_str());
            QVERIFY(kernel.operations > 0 && kernel.block % 32 == 0);
        }
        found.sort();
        rates.sort();
        QCOMPARE(found, rates);
    }

    void ptxasTakesThem() {
        const auto tools = toolchain::discover();
        QVERIFY(tools.has_value());
        const auto toolkit = std::ranges::find_if(tools->toolkits, [](const auto& t) { return t.ptxas.has_value(); });
        if (toolkit == tools->toolkits.end()) QSKIP("no ptxas on this machine");
        const auto assemble = [&](const std::string& name, const std::string& text, const std::string& arch) {
            toolchain::PtxasRequest request;
            request.text = text;
            request.file = name + ".ptx";
            request.arch = arch;
            const auto result = toolchain::assemble(request, *toolkit);
            QVERIFY2(result && result->ok, (name + ": " + (result ? result->log : result.error().message)).c_str());
            // Eight chains of their own at the least: what is the same twice would be computed once.
            QVERIFY2(result->resources.front().registers >= 14, name.c_str());
        };
        for (const int capability : {75, 80, 89, 90})
            for (const gpu::PeakKernel& kernel : gpu::peakKernels(capability / 10, capability % 10)) {
                const bool isWgmma = kernel.rate.starts_with("wgmma");
                assemble(kernel.rate, kernel.ptx, "sm_" + std::to_string(capability) + (isWgmma ? "a" : ""));
            }
        assemble("bandwidth", gpu::bandwidthPtx(), "sm_75");
    }
};

QTEST_APPLESS_MAIN(PeakKernelsTest)
#include "peak_kernels_test.moc"
