// Launches as a whole: limits, cancelling, refusals, and that the number of host threads changes nothing.
#include "kernel_run.h"

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
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

// Every thread stores word 0; thread 5 of each block stores words 2 and 3 in one go, then changes word 3.
const std::string stores = head + R"(
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t; .reg .pred %p; .reg .b64 %rd0;
    ld.param.u64 %rd0, [out];
    mov.u32 %t, %tid.x;
    st.global.u32 [%rd0], %t;
    setp.eq.u32 %p, %t, 5;
    @%p st.global.v2.u32 [%rd0+8], {%t, %t};
    @%p CHANGE.global.u32 [%rd0+12], %t;
    ret;
}
)";

// Thread t stores byte t and reads it back: words at the edges of blocks are shared by two of them.
const std::string bytes = head + R"(
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %b; .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [out];
    mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %t, %b, 33, %t;
    cvt.u64.u32 %rd1, %t; add.u64 %rd1, %rd0, %rd1;
    st.global.u8 [%rd1], 7;
    ld.global.u8 %b, [%rd1];
    st.global.u8 [%rd1], %b;
    ret;
}
)";

QString shown(const std::optional<Writer>& writer) {
    if (!writer) return "nobody";
    return QString::fromStdString(fmt::format("line {} column {}, block {}, thread {}", writer->line, writer->column,
                                              writer->block[0], writer->thread[0]));
}

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

    void blocksThatShareAWord() {
        KernelRun r = request(bytes);
        r.grid = {400, 1, 1};
        r.block = {33, 1, 1};
        r.outWords = 400 * 33 / 4;
        r.options.hostThreads = 8;
        const KernelAnswer answer = runKernel(r);
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        QVERIFY(answer.result.findings.empty());
        QCOMPARE(std::ranges::count(answer.out, "07070707"), static_cast<std::ptrdiff_t>(r.outWords));
    }

    // The limit is never overstepped; with a portion more for each host thread it is enough for any number of them.
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
            const std::uint64_t executed = half.result.counters.threadInstructions;
            QVERIFY(executed <= needed / 2);
            if (threads == 1) QVERIFY(executed + 32 > needed / 2); // one that its whole warp would execute is too much
        }
    }

    void lastWriters_data() {
        QTest::addColumn<QString>("change");
        QTest::newRow("store") << "st";
        QTest::newRow("atomic") << "red.add";
    }
    void lastWriters() {
        QFETCH(QString, change);
        std::string text = stores;
        const std::string add = change.startsWith("red") ? "red.global.add.u32" : "st.global.u32";
        text.replace(text.find("CHANGE.global.u32"), std::string("CHANGE.global.u32").size(), add);
        KernelRun r = request(text);
        r.grid = {200, 1, 1};
        r.block = {40, 1, 1};
        r.watchedWords = {3, 0, 1, 2};
        for (const unsigned threads : {1U, 8U}) { // "last" never depends on the host
            r.options.hostThreads = threads;
            const KernelAnswer answer = runKernel(r);
            QCOMPARE(answer.error, std::string());
            QCOMPARE(answer.result.lastWriters.size(), std::size_t{4});
            QCOMPARE(shown(answer.result.lastWriters[0]), QString("line 13 column 5, block 199, thread 5"));
            QCOMPARE(shown(answer.result.lastWriters[1]), QString("line 10 column 5, block 199, thread 39"));
            QCOMPARE(shown(answer.result.lastWriters[2]), QString("nobody"));
            QCOMPARE(shown(answer.result.lastWriters[3]), QString("line 12 column 5, block 199, thread 5"));
        }
        r.watchedWords.clear();
        r.options.hostThreads = 1; // the blocks race for word 0
        QVERIFY(runKernel(r).result.lastWriters.empty());
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
        const auto result =
            run(**program, memory, {{4, 1, 1}, {32, 1, 1}, 0, std::vector<std::uint8_t>(8)}, {}, source.get_token());
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
                                       << "300000 bytes of shared memory (0 static, 300000 dynamic) are more than the "
                                          "232448 that a block can have";
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
