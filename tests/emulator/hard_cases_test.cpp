// Kernels that other PTX emulators got wrong, with the words that an NVIDIA H200 (driver 580.159, CUDA 13.0) wrote for
// them.
#include "kernel_run.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {
const QString folder = QStringLiteral(PTXWB_SOURCE_DIR "/tests/data/cases/");

QByteArray fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

KernelAnswer runCase(const char* file, const char* entry, std::uint32_t block, std::size_t words,
                     std::vector<std::uint8_t> parameters = {}) {
    KernelRun request;
    request.text = fileText(folder + file).toStdString();
    request.entry = entry;
    request.block = {block, 1, 1};
    request.outWords = words;
    request.moreParameters = std::move(parameters);
    return runKernel(request);
}
} // namespace

class HardCasesTest : public QObject {
    Q_OBJECT

private slots:
    void words_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("parameters");
        const QByteArray h21 = QByteArray::fromHex("5a003412070000000000000000"
                                                   "00f83f"
                                                   "00000000"
                                                   "03000000");
        QTest::newRow("h01") << "h01_scope_shadow.ptx" << QByteArray();
        QTest::newRow("h03") << "h03_braces.ptx" << QByteArray();
        QTest::newRow("h03b") << "h03b_imm_pack.ptx" << QByteArray();
        QTest::newRow("h05") << "h05_literals.ptx" << QByteArray();
        QTest::newRow("h06") << "h06_predicates.ptx" << QByteArray();
        QTest::newRow("h08") << "h08_madhi.ptx" << QByteArray();
        QTest::newRow("h10") << "h10_cvt.ptx" << QByteArray();
        QTest::newRow("h11") << "h11_minmax.ptx" << QByteArray();
        QTest::newRow("h13") << "h13_shift.ptx" << QByteArray();
        QTest::newRow("h15") << "h15_shfl.ptx" << QByteArray();
        QTest::newRow("h17_good") << "h17_cpasync.ptx" << QByteArray();
        QTest::newRow("h20") << "h20_f16x2.ptx" << QByteArray();
        QTest::newRow("h21") << "h21_params.ptx" << h21;
        QTest::newRow("h41_good") << "h41_faults.ptx" << QByteArray();
    }
    void words() {
        QFETCH(QString, file);
        QFETCH(QByteArray, parameters);
        const QString name = QTest::currentDataTag();
        const QJsonObject expected =
            QJsonDocument::fromJson(fileText(folder + "expected.json")).object()[name].toObject();
        QVERIFY2(!expected.isEmpty(), "the case is missing in expected.json");
        const QJsonArray out = expected["out"].toArray();
        const auto answer = runCase(
            file.toUtf8().constData(), name.toUtf8().constData(), static_cast<std::uint32_t>(expected["block"].toInt()),
            static_cast<std::size_t>(out.size()), std::vector<std::uint8_t>(parameters.begin(), parameters.end()));
        QCOMPARE(QString::fromStdString(answer.error), QString());
        for (const Finding& f : answer.result.findings) qInfo("%s", summary(f).c_str());
        QCOMPARE(answer.result.findings.size(), std::size_t{0});
        QCOMPARE(answer.result.ended, Ended::completed);
        for (qsizetype i = 0; i < out.size(); ++i) {
            const QString want = out[i].isNull() ? "null" : out[i].toString();
            QVERIFY2(QString::fromStdString(answer.out[static_cast<std::size_t>(i)]) == want,
                     qPrintable(QString("word %1: got %2, an H200 wrote %3")
                                    .arg(i)
                                    .arg(QString::fromStdString(answer.out[static_cast<std::size_t>(i)]), want)));
        }
    }

    void shuffleFromLanesOutsideTheMask() {
        const auto answer = runCase("h15_shfl.ptx", "h15_badmask", 32, 8);
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
        QCOMPARE(answer.result.findings[0].message,
                 std::string("lanes 0..3 read lanes 8..11, which are not in the member mask: result undefined"));
        QCOMPARE(answer.result.findings[0].line, 40U);
    }

    // wait_group 1 leaves the only group in flight: the numbers are right here, on a GPU they need not be.
    void asyncCopyWithoutSufficientWait() {
        const auto answer = runCase("h17_cpasync.ptx", "h17_bad", 32, 32);
        QCOMPARE(answer.error, std::string());
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
        const Finding& f = answer.result.findings[0];
        QCOMPARE(f.kind, FindingKind::race);
        QCOMPARE(f.check, std::string("async_copy"));
        QCOMPARE(f.message,
                 std::string(
                     "reads 4 bytes of shared memory at offset 16 that the cp.async at line 47 may still be copying"));
        QCOMPARE(f.line, 53U);
        QCOMPARE(f.related.size(), std::size_t{1});
        QCOMPARE(f.related[0].line, 47U);
        QCOMPARE(*f.related[0].thread, (Index3{1, 0, 0}));
    }

    void printing() {
        const auto answer = runCase("h19_vprintf.ptx", "h19", 1, 1);
        QCOMPARE(answer.error, std::string());
        QCOMPARE(answer.result.findings.size(), std::size_t{0});
        QCOMPARE(answer.result.printed,
                 std::string("i=-7 u=4294967289 x=0x64 l=-5000000000 f=2.50 w=[   42] s=ok %\n"));
    }

    void farOutside() {
        const auto answer = runCase("h41_faults.ptx", "h41_bad", 1, 4);
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
        const Finding& f = answer.result.findings[0];
        QCOMPARE(f.kind, FindingKind::outOfBounds);
        QCOMPARE(f.line, 11U);
        QCOMPARE(*f.thread, (Index3{0, 0, 0}));
    }

    void oneElementPastTheEnd() {
        const auto answer = runCase("h41_faults.ptx", "h41_off_by_one", 1, 4, {4, 0, 0, 0});
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
        const Finding& f = answer.result.findings[0];
        QCOMPARE(f.kind, FindingKind::outOfBounds);
        QCOMPARE(f.argument, std::string("out"));
        QCOMPARE(f.message, std::string("writes 4 bytes at offset 16, 4 bytes past the end of out (16 bytes)"));
    }

    void misalignedVector() {
        KernelRun request;
        request.text = fileText(folder + "h43_misaligned.ptx").toStdString();
        // The kernel takes (in, out): the harness gives (out, in), so out is read here and the store is refused
        // afterwards.
        request.entry = "h43";
        request.input.assign(64, 1);
        const auto answer = runKernel(request);
        QCOMPARE(answer.error, std::string());
        QVERIFY(!answer.result.findings.empty());
        const Finding& f = answer.result.findings[0];
        QCOMPARE(f.kind, FindingKind::misaligned);
        QCOMPARE(f.line, 13U);
        QCOMPARE(*f.address, std::uint64_t{4});
        QCOMPARE(*f.bytes, 16U);
    }

    // What the emulator lacks it says, at the line, and gives no word.
    void clusters() {
        KernelRun request;
        request.text = fileText(folder + "h36_cluster.ptx").toStdString();
        request.entry = "h36";
        request.grid = {32, 1, 1};
        request.block = {32, 1, 1};
        request.outWords = 32;
        const auto answer = runKernel(request);
        QCOMPARE(answer.error, std::string());
        QVERIFY(answer.result.findings.empty());
        for (std::size_t block = 0; block < 32; ++block) QCOMPARE(answer.out[block], fmt::format("{:08x}", block % 16));
    }

    void unsupported_data() {
        QTest::addColumn<QString>("instruction");
        QTest::newRow("tensormap.replace") << "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd1;";
        QTest::newRow("im2col") << "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                                   "[%r1], [%rd1, {%r1, %r1, %r1}], [%r1], {%h1};";
    }
    void unsupported() {
        QFETCH(QString, instruction);
        KernelRun request;
        request.text = ".version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
                       ".reg .b64 %rd<2>; .reg .b32 %r<2>; .reg .b16 %h<2>;\n"
                       "ld.param.u64 %rd1, [out]; mov.u32 %r1, 0; mov.b16 %h1, 0;\n" +
                       instruction.toStdString() + "\nret;\n}\n";
        request.entry = "k";
        request.block = {32, 1, 1};
        const auto answer = runKernel(request);
        QCOMPARE(answer.error, std::string());
        QCOMPARE(answer.result.ended, Ended::stopped);
        QVERIFY(!answer.result.findings.empty());
        const Finding& f = answer.result.findings.back();
        QCOMPARE(f.kind, FindingKind::unsupported);
        QCOMPARE(f.line, 8U);
    }
};

QTEST_APPLESS_MAIN(HardCasesTest)
#include "hard_cases_test.moc"
