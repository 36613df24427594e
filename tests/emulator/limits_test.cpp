// What ends a run that would not end by itself, and what a run may take: instructions, time, blocks, bytes. Bytes are
// counted by this program's own operator new.
#include "kernel_run.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

std::atomic<std::size_t> inUse = 0, most = 0;

void* counted(void* p) {
    if (!p) throw std::bad_alloc();
    const std::size_t now = inUse += malloc_usable_size(p);
    for (std::size_t old = most; old < now && !most.compare_exchange_weak(old, now);) {
    }
    return p;
}
void release(void* p) {
    if (p) inUse -= malloc_usable_size(p);
    std::free(p);
}

} // namespace

void* operator new(std::size_t size) {
    return counted(std::malloc(size));
}
void* operator new(std::size_t size, std::align_val_t align) {
    return counted(std::aligned_alloc(static_cast<std::size_t>(align), (size + static_cast<std::size_t>(align) - 1) &
                                                                           ~(static_cast<std::size_t>(align) - 1)));
}
void operator delete(void* p) noexcept {
    release(p);
}
void operator delete(void* p, std::size_t) noexcept {
    release(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    release(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    release(p);
}

namespace {

const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";

std::string kernel(const std::string& body, const std::string& before = {}) {
    return head + before + ".visible .entry k(.param .u64 out)\n{\n" +
           "    .reg .b32 %t, %b, %v, %w; .reg .pred %p; .reg .b64 %rd<4>;\n"
           "    ld.param.u64 %rd0, [out]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x;\n" +
           body + "    ret;\n}\n";
}

KernelRun request(const std::string& text, Index3 grid, Index3 block) {
    KernelRun r;
    r.text = text;
    r.entry = "k";
    r.grid = grid;
    r.block = block;
    r.options.hostThreads = 1;
    r.options.instructionLimit = 4'000'000;
    return r;
}

/// The most bytes that the run had in use beyond those before it.
std::size_t bytesTaken(const KernelRun& run, KernelAnswer& answer) {
    const std::size_t before = inUse;
    most = before;
    answer = runKernel(run);
    return most - before;
}

constexpr std::size_t mebibyte = 1 << 20;

} // namespace

class LimitsTest : public QObject {
    Q_OBJECT

private slots:
    // Whoever cancels waits for as many instructions at most: 100 ms would be 10 us for each.
    void looksUpOften_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<unsigned>("block");
        QTest::addColumn<unsigned>("grid");
        QTest::newRow("a warp in a loop") << "L: bra L;\n" << 32U << 1U;
        QTest::newRow("one lane") << "setp.ne.u32 %p, %t, 3; @%p ret;\nL: add.u32 %v, %t, 1; bra L;\n" << 32U << 1U;
        QTest::newRow("many warps") << "L: add.u32 %v, %t, 1; bra L;\n" << 1024U << 1U;
        QTest::newRow("barriers") << "L: bar.sync 0; add.u32 %v, %t, 1; bra L;\n" << 1024U << 1U;
        QTest::newRow("lanes apart") << "setp.lt.u32 %p, %t, 7; @%p bra M;\nL: add.u32 %v, %t, 1; bra L;\nM: bra M;\n"
                                     << 64U << 1U;
        QTest::newRow("small blocks") << "mov.u32 %v, 1; mov.u32 %v, 2;\n" << 1U << 300'000U;
        QTest::newRow("waiting for another block")
            << "mov.u64 %rd1, f;\nL: ld.volatile.global.u32 %v, [%rd1]; setp.eq.u32 %p, %v, 0; @%p bra L;\n"
            << 32U << 4U;
    }
    void looksUpOften() {
        QFETCH(QString, body);
        QFETCH(unsigned, block);
        QFETCH(unsigned, grid);
        KernelRun r = request(kernel(body.toStdString(), ".global .b32 f;\n"), {grid, 1, 1}, {block, 1, 1});
        for (const std::uint64_t seed : {0, 1}) {
            r.options.seed = seed;
            const KernelAnswer answer = runKernel(r);
            QCOMPARE(answer.error, std::string());
            QVERIFY(answer.result.counters.warpInstructions > 100'000);
            QVERIFY(answer.result.longestUnwatched > 0);
            QVERIFY2(answer.result.longestUnwatched <= 10'000,
                     qPrintable(QString::number(answer.result.longestUnwatched)));
        }
    }

    /// The limit is the launch's: which host thread takes how much of it changes nothing.
    void theLastInstructionMayBeTaken() {
        // Block b turns 1,000 * b times, so that the threads need very different parts.
        KernelRun r = request(kernel("    mul.lo.u32 %v, %b, 1000;\nL:\n    setp.eq.u32 %p, %v, 0; @%p ret;\n"
                                     "    sub.u32 %v, %v, 1;\n    bra L;\n"),
                              {8, 1, 1}, {32, 1, 1});
        const std::uint64_t needed = runKernel(r).result.counters.threadInstructions;
        QVERIFY(needed > 2'000'000);
        r.options.hostThreads = 4;
        for (int i = 0; i < 50; ++i) {
            r.options.instructionLimit = needed;
            QCOMPARE(runKernel(r).result.ended, Ended::completed);
            r.options.instructionLimit = needed - 1;
            QCOMPARE(runKernel(r).result.ended, Ended::outOfTime);
        }
    }

    void endsAtItsDeadlineWithItsLine() {
        KernelRun r =
            request(kernel("    add.u32 %v, %t, 1;\nL:\n    add.u32 %v, %v, 1;\n    bra L;\n"), {1, 1, 1}, {32, 1, 1});
        r.options.instructionLimit = std::uint64_t{1} << 60;
        r.options.deadline = std::chrono::steady_clock::now();
        const KernelAnswer answer = runKernel(r);
        QCOMPARE(answer.result.ended, Ended::outOfTime);
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
        const Finding& f = answer.result.findings[0];
        QCOMPARE(f.kind, FindingKind::timeout);
        QVERIFY(f.line == 10 || f.line == 11);
        QCOMPARE(f.message, std::string("still running when its time was over"));
    }

    void aDeadlineThatDoesNotComeChangesNothing() {
        KernelRun r = request(kernel("    st.global.u32 [%rd0], 5;\n"), {1, 1, 1}, {1, 1, 1});
        r.options.deadline = std::chrono::steady_clock::time_point::max();
        const KernelAnswer answer = runKernel(r);
        QCOMPARE(answer.result.ended, Ended::completed);
        QVERIFY(answer.result.findings.empty());
    }

    void tooManyBlocks() {
        const KernelRun r = request(kernel(""), {1U << 26, 1U << 14, 1}, {32, 1, 1});
        const KernelAnswer answer = runKernel(r);
        QVERIFY2(answer.error.find("a grid of 67108864 x 16384 x 1 is 1099511627776 blocks, and the emulator runs at "
                                   "most 4294967296") != std::string::npos,
                 answer.error.c_str());
    }

    void moreThreadsThanInstructions() {
        KernelRun r = request(kernel("    st.global.u32 [%rd0], 5;\n"), {1'000'000, 1, 1}, {256, 1, 1});
        const KernelAnswer answer = runKernel(r);
        QCOMPARE(answer.result.ended, Ended::outOfTime);
        QCOMPARE(answer.result.counters.warpInstructions, std::uint64_t{0});
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
        QCOMPARE(answer.result.findings[0].message,
                 std::string("1000000 blocks of 256 threads cannot end within 4000000 thread instructions: not begun"));
        QCOMPARE(answer.result.findings[0].line, 7U);
        QCOMPARE(answer.out[0], std::string("null"));
    }

    void variablesThatNothingHolds_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("message");
        QTest::newRow("global") << ".global .b8 g[1099511627776];\n"
                                << ""
                                << "with g the module's variables take 1099511627776 bytes, and the emulator has "
                                   "4294967296 for them";
        QTest::newRow("two of global") << ".global .b8 g[4000000000];\n.global .b8 h[4000000000];\n"
                                       << ""
                                       << "with h the module's variables take 8000000000 bytes";
        QTest::newRow("local") << "" << ".local .b8 l[1099511627776];\n"
                               << "the local variables of k take 1099511627776 bytes, and a thread has 524288";
        QTest::newRow("shared") << "" << ".shared .b8 s[1099511627776];\n"
                                << "the shared variables take 1099511627776 bytes, more than the 232448 that a block "
                                   "can have";
        QTest::newRow("shared of the module") << ".shared .b8 s[4294967297];\n"
                                              << ""
                                              << "the shared variables take 4294967297 bytes";
    }
    void variablesThatNothingHolds() {
        QFETCH(QString, before);
        QFETCH(QString, body);
        QFETCH(QString, message);
        const KernelAnswer answer =
            runKernel(request(kernel(body.toStdString(), before.toStdString()), {1, 1, 1}, {1, 1, 1}));
        QVERIFY2(answer.error.find(message.toStdString()) != std::string::npos, answer.error.c_str());
    }

    void blocksThatWaitForEachOther() {
        // All wait for a block that is never begun: with 100 KiB of shared memory each, a few have room.
        KernelRun r =
            request(kernel("mov.u64 %rd1, f;\nsetp.eq.u32 %p, %b, 2999; @%p st.volatile.global.u32 [%rd1], 1;\n"
                           "L: ld.volatile.global.u32 %v, [%rd1]; setp.eq.u32 %p, %v, 0; @%p bra L;\n",
                           ".global .b32 f;\n.shared .b8 s[100000];\n"),
                    {3000, 1, 1}, {1, 1, 1});
        r.options.instructionLimit = 20'000'000;
        r.options.memoryLimit = 120 * mebibyte;
        r.options.seed = 1; // short turns
        KernelAnswer answer;
        const std::size_t taken = bytesTaken(r, answer);
        QCOMPARE(answer.result.ended, Ended::outOfTime);
        QVERIFY2(taken > 10 * mebibyte && taken < 120 * mebibyte, qPrintable(QString::number(taken)));
    }

    void globalMemoryIsForgottenInTime() {
        // 4 MiB of words, each stored and loaded: the shadow takes 16 bytes for each.
        KernelRun r =
            request(kernel("    mad.lo.u32 %v, %b, 256, %t; mul.wide.u32 %rd1, %v, 4; mov.u64 %rd2, big;\n"
                           "    add.u64 %rd1, %rd2, %rd1; st.global.u32 [%rd1], %t; ld.global.u32 %w, [%rd1];\n",
                           ".global .b32 big[1048576];\n"),
                    {4096, 1, 1}, {256, 1, 1});
        r.options.instructionLimit = std::uint64_t{1} << 32;
        KernelAnswer answer;
        r.options.globalRaces = false;
        const std::size_t without = bytesTaken(r, answer);
        QVERIFY(answer.result.findings.empty());
        r.options.globalRaces = true;
        const std::size_t whole = bytesTaken(r, answer);
        QVERIFY(answer.result.findings.empty());
        QVERIFY2(whole > without + 14 * mebibyte, qPrintable(QString::number(whole - without)));
        r.options.memoryLimit = 6 * mebibyte;
        const std::size_t limited = bytesTaken(r, answer);
        QVERIFY(answer.result.findings.empty());
        QVERIFY2(limited < without + 4 * mebibyte, qPrintable(QString::number(limited - without)));
    }

    void copiesThatNobodyWaitsFor() {
        KernelRun r =
            request(kernel("mov.u32 %w, s; mov.u32 %v, 0; mul.wide.u32 %rd1, %t, 4; add.u64 %rd1, %rd0, %rd1;\n"
                           "shl.b32 %t, %t, 2; add.u32 %w, %w, %t;\nst.global.u32 [%rd1], 0;\n"
                           "L: cp.async.ca.shared.global [%w], [%rd1], 4;\n"
                           "add.u32 %v, %v, 1; setp.lt.u32 %p, %v, 60000; @%p bra L;\ncp.async.wait_all;\n",
                           ".shared .align 4 .b32 s[32];\n"),
                    {1, 1, 1}, {32, 1, 1});
        r.options.instructionLimit = 100'000'000;
        r.options.asyncCopies = false; // each overtakes the one before
        KernelAnswer answer;
        const std::size_t taken = bytesTaken(r, answer);
        QCOMPARE(answer.result.ended, Ended::completed);
        QVERIFY2(taken < 20 * mebibyte, qPrintable(QString::number(taken))); // 1.9 million copies of 40 bytes
    }

    void callsThatDoNotReturn() {
        std::string registers;
        for (int i = 0; i < 200; ++i) registers += ".reg .b64 %x" + std::to_string(i) + ";\n";
        const std::string function = ".func deep(.param .b32 n)\n{\n" + registers +
                                     ".reg .b32 %n; ld.param.b32 %n, [n]; mov.u64 %x199, 1;\n"
                                     "{ .param .b32 m; st.param.b32 [m], %n; call.uni deep, (m); }\nret;\n}\n";
        KernelRun r = request(kernel("{ .param .b32 m; st.param.b32 [m], %t; call.uni deep, (m); }\n", function),
                              {1, 1, 1}, {1024, 1, 1});
        r.options.memoryLimit = 60 * mebibyte;
        KernelAnswer answer;
        const std::size_t taken = bytesTaken(r, answer);
        QCOMPARE(answer.result.ended, Ended::stopped);
        QCOMPARE(answer.result.findings[0].check, std::string("stack"));
        QVERIFY2(taken < 120 * mebibyte, qPrintable(QString::number(taken)));
    }
};

QTEST_APPLESS_MAIN(LimitsTest)
#include "limits_test.moc"
