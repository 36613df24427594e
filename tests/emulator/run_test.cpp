// Launches as a whole: limits, cancelling, refusals, and that the number of host threads changes nothing.
#include "kernel_run.h"

#include <QElapsedTimer>
#include <QTest>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";

// Each thread adds up 0 .. 99 and stores the sum.
const std::string sums = head + R"(
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %b, %i, %s; .reg .pred %p; .reg .b64 %rd<3>;
    ld.param.u64 %rd0, [out];
    mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %t, %b, 64, %t;
    mul.wide.u32 %rd1, %t, 4; add.u64 %rd1, %rd0, %rd1;
    mov.u32 %i, 0; mov.u32 %s, 0;
LOOP:
    add.u32 %s, %s, %i;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, 100;
    @%p bra LOOP;
    st.global.u32 [%rd1], %s;
    ret;
}
)";

const std::string endless = head + R"(
.visible .entry k(.param .u64 out)
{
LOOP:
    bra LOOP;
}
)";

KernelRun request(const std::string& text) {
    KernelRun r;
    r.text = text;
    r.entry = "k";
    return r;
}

} // namespace

class RunTest : public QObject {
    Q_OBJECT

private slots:
    void hostThreadsChangeNothing() {
        KernelRun r = request(sums);
        r.grid = {40, 1, 1};
        r.block = {64, 1, 1};
        r.outWords = 40 * 64;
        r.options.hostThreads = 1;
        const KernelAnswer one = runKernel(r);
        QCOMPARE(one.out[0], std::string("00001356"));
        for (const unsigned threads : {2U, 3U, 8U}) {
            r.options.hostThreads = threads;
            const KernelAnswer many = runKernel(r);
            QVERIFY(many.out == one.out);
            QCOMPARE(many.result.counters.threadInstructions, one.result.counters.threadInstructions);
            QCOMPARE(many.result.counters.branches, one.result.counters.branches);
        }
    }

    // A limit that is enough for one host thread is enough for any number of them.
    void limitIsOfTheWholeRun() {
        KernelRun r = request(sums);
        r.grid = {40, 1, 1};
        r.block = {64, 1, 1};
        r.outWords = 40 * 64;
        r.options.hostThreads = 1;
        const std::uint64_t needed = runKernel(r).result.counters.threadInstructions;
        for (const unsigned threads : {1U, 2U, 8U}) {
            r.options.hostThreads = threads;
            r.options.instructionLimit = needed + threads * 65536;
            QCOMPARE(runKernel(r).result.ended, Ended::completed);
            r.options.instructionLimit = needed / 2;
            const KernelAnswer half = runKernel(r);
            QCOMPARE(half.result.ended, Ended::outOfTime);
            QCOMPARE(half.result.findings[0].kind, FindingKind::timeout);
        }
    }

    void endlessLoopEndsAtItsLimitWithItsLine() {
        KernelRun r = request(endless);
        r.block = {32, 1, 1};
        r.options.instructionLimit = 1'000'000;
        const KernelAnswer answer = runKernel(r);
        QCOMPARE(answer.result.ended, Ended::outOfTime);
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
        QCOMPARE(answer.result.findings[0].line, 8U);
        QCOMPARE(answer.result.findings[0].message, std::string("still running after 1000000 thread instructions"));
    }

    void cancelling() {
        const auto program = decode(ptx::parse(endless), "k");
        QVERIFY(program.has_value());
        Memory memory;
        std::stop_source source;
        std::jthread later([&source] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            source.request_stop();
        });
        const auto result = run(**program, memory, {{4, 1, 1}, {32, 1, 1}, 0, std::vector<std::uint8_t>(8)}, {}, source.get_token());
        QCOMPARE(result->ended, Ended::cancelled);
    }

    void refusals_data() {
        QTest::addColumn<int>("grid");
        QTest::addColumn<int>("block");
        QTest::addColumn<int>("shared");
        QTest::addColumn<QString>("message");
        QTest::newRow("block of 1025") << 1 << 1025 << 0 << "a block of 1025 x 1 x 1 threads cannot be launched";
        QTest::newRow("no threads") << 1 << 0 << 0 << "a block of 0 x 1 x 1 threads cannot be launched";
        QTest::newRow("no blocks") << 0 << 32 << 0 << "a grid of 0 x 1 x 1 blocks cannot be launched";
        QTest::newRow("shared memory") << 1 << 32 << 300000
                                       << "300000 bytes of shared memory (0 static, 300000 dynamic) are more than the 232448 that a block can have";
    }
    void refusals() {
        QFETCH(int, grid);
        QFETCH(int, block);
        QFETCH(int, shared);
        QFETCH(QString, message);
        KernelRun r = request(sums);
        r.grid = {static_cast<std::uint32_t>(grid), 1, 1};
        r.block = {static_cast<std::uint32_t>(block), 1, 1};
        r.dynamicSharedBytes = static_cast<std::uint32_t>(shared);
        const KernelAnswer answer = runKernel(r);
        QVERIFY2(answer.error.find(message.toStdString()) != std::string::npos, answer.error.c_str());
    }

    void unknownEntryNamesTheOthers() {
        const auto program = decode(ptx::parse(sums), "kk");
        QVERIFY(!program.has_value());
        QCOMPARE(program.error().message, std::string("there is no entry \"kk\""));
        QCOMPARE(program.error().hint, std::string("entries: k"));
    }
};

QTEST_APPLESS_MAIN(RunTest)
#include "run_test.moc"
