// What instructions are counted for, against figures derived by hand from public rules: tests/data/emulator/counters.
//   //! launch ENTRY grid G block B words W
//   //! LABEL: KEY VALUE KEY VALUE ...   of the line that ends in `// LABEL`
// Every count of such a line but warp and thread instructions must be listed where it is not 0. The buffer `out` begins
// at a multiple of 256 bytes.
#include "emulator/access_shape.h"
#include "kernel_run.h"

#include <QDir>
#include <QTest>
#include <map>
#include <sstream>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

using Expected = std::map<std::string, std::uint64_t>;

struct Case {
    KernelRun run;
    std::map<std::string, Expected> labels;
    std::map<std::string, std::uint32_t> lines; ///< of each label
};

Case readCase(const QString& path) {
    QFile file(path);
    Case c;
    if (!file.open(QIODevice::ReadOnly)) return c;
    c.run.text = file.readAll().toStdString();
    c.run.align = 256;
    c.run.options.initialisation = c.run.options.races = false;
    c.run.options.counting = true;
    std::istringstream lines(c.run.text);
    std::uint32_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (const auto comment = line.find("; // "); comment != std::string::npos)
            c.lines[line.substr(comment + 5)] = number;
        if (!line.starts_with("//! ")) continue;
        std::istringstream words(line.substr(4));
        std::string key, word;
        words >> key;
        std::uint32_t value = 0;
        if (key == "launch") {
            words >> c.run.entry;
            while (words >> word >> value) {
                if (word == "grid") c.run.grid = {value, 1, 1};
                if (word == "block") c.run.block = {value, 1, 1};
                if (word == "words") c.run.outWords = value;
            }
        } else {
            key.pop_back();
            Expected& expected = c.labels[key];
            while (words >> word >> value) expected[word] = value;
        }
    }
    return c;
}

std::string textOf(const WorkCounts& counts, const Expected& expected) {
    std::string text;
    eachWorkCount(counts, [&](const char* key, std::uint64_t value) {
        const bool common =
            key == std::string_view("warp_instructions") || key == std::string_view("thread_instructions");
        if (common ? expected.contains(key) : value != 0) text += fmt::format("{} {} ", key, value);
    });
    return text;
}

/// In the order of the members.
std::string textOf(const Expected& expected) {
    std::string text;
    const WorkCounts none;
    eachWorkCount(none, [&](const char* key, std::uint64_t) {
        if (const auto it = expected.find(key); it != expected.end()) text += fmt::format("{} {} ", key, it->second);
    });
    return text;
}

} // namespace

class CountersTest : public QObject {
    Q_OBJECT

private slots:
    void lines_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(PTXWB_SOURCE_DIR "/tests/data/emulator/counters");
        const auto files = folder.entryList({"*.ptx"}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 8);
        for (const QString& name : files) QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void lines() {
        QFETCH(QString, path);
        Case c = readCase(path);
        QVERIFY(!c.labels.empty());
        for (const unsigned threads : {1U, 3U}) {
            c.run.options.hostThreads = threads;
            const KernelAnswer answer = runKernel(c.run);
            QCOMPARE(QString::fromStdString(answer.error), QString());
            QCOMPARE(answer.result.findings.size(), std::size_t{0});
            QVERIFY(answer.result.work);
            const Work& work = *answer.result.work;
            for (const auto& [label, expected] : c.labels) {
                QVERIFY2(c.lines.contains(label), label.c_str());
                const auto line = std::ranges::find(work.lines, c.lines[label], &LineCounts::line);
                QVERIFY2(line != work.lines.end(), label.c_str());
                for (const auto& [key, value] : expected)
                    QVERIFY2(textOf(expected).find(key) != std::string::npos, key.c_str());
                QCOMPARE(QString::fromStdString(label + ": " + textOf(line->counts, expected)),
                         QString::fromStdString(label + ": " + textOf(expected)));
            }
            sumsAgree(answer.result);
        }
    }

    /// Lines, classes and totals are three views of the same.
    static void sumsAgree(const RunResult& result) {
        const Work& work = *result.work;
        WorkCounts sum;
        for (const LineCounts& line : work.lines) sum += line.counts;
        QVERIFY(sum == work.total);
        QCOMPARE(work.total.warpInstructions, result.counters.warpInstructions);
        QCOMPARE(work.total.threadInstructions, result.counters.threadInstructions);
        QCOMPARE(work.total.branches, result.counters.branches);
        QCOMPARE(work.total.divergentBranches, result.counters.divergentBranches);
        std::uint64_t warps = 0, threads = 0;
        for (const MixCounts& mix : work.mix) {
            warps += mix.warpInstructions;
            threads += mix.threadInstructions;
        }
        QCOMPARE(warps, work.total.warpInstructions);
        QCOMPARE(threads, work.total.threadInstructions);
    }

    /// Lanes that wait for others execute the instruction once.
    void waitingCountsOnce() {
        KernelRun run;
        run.text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %v;
    .reg .pred %p;
    mov.u32 %t, %tid.x;
    setp.lt.u32 %p, %t, 8;
    @%p bra $some;
    shfl.sync.idx.b32 %v, %t, 0, 31, 0xffffffff;
    bra.uni $join;
$some:
    shfl.sync.idx.b32 %v, %t, 1, 31, 0xffffffff;
$join:
    ret;
}
)";
        run.entry = "k";
        run.block = {32, 1, 1};
        run.options.counting = true;
        run.options.instructionLimit = 1 << 20;
        const KernelAnswer answer = runKernel(run);
        QCOMPARE(QString::fromStdString(answer.error), QString());
        sumsAgree(answer.result);
    }

    void mix() {
        KernelRun run;
        run.text = R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %v;
    .reg .f32 %f;
    .reg .f64 %d;
    .reg .b16 %h;
    .reg .pred %p;
    mov.u32 %t, %tid.x;
    cvt.rn.f32.u32 %f, %t;
    add.f32 %f, %f, %f;
    fma.rn.f32 %f, %f, %f, %f;
    cvt.f64.f32 %d, %f;
    mul.f64 %d, %d, %d;
    cvt.rn.f16.f32 %h, %f;
    add.f16 %h, %h, %h;
    setp.lt.u32 %p, %t, 8;
    @%p add.u32 %v, %t, 1;
    shl.b32 %v, %t, 2;
    bar.sync 0;
    membar.gl;
    activemask.b32 %v;
    ret;
}
)";
        run.entry = "k";
        run.block = {32, 1, 1};
        run.options.counting = true;
        const KernelAnswer answer = runKernel(run);
        QCOMPARE(QString::fromStdString(answer.error), QString());
        const std::map<InstructionClass, std::pair<std::uint64_t, std::uint64_t>> expected = {
            {InstructionClass::move, {1, 32}},    {InstructionClass::convert, {3, 96}},
            {InstructionClass::float32, {2, 64}}, {InstructionClass::float64, {1, 32}},
            {InstructionClass::half, {1, 32}},    {InstructionClass::compare, {1, 32}},
            {InstructionClass::integer, {2, 40}}, {InstructionClass::barrier, {2, 64}},
            {InstructionClass::warp, {1, 32}},    {InstructionClass::control, {1, 32}}};
        for (std::size_t i = 0; i < instructionClasses; ++i) {
            const auto c = static_cast<InstructionClass>(i);
            const auto it = expected.find(c);
            const auto want = it == expected.end() ? std::pair<std::uint64_t, std::uint64_t>{} : it->second;
            const MixCounts& is = answer.result.work->mix[i];
            QVERIFY2(is.warpInstructions == want.first && is.threadInstructions == want.second, name(c).data());
        }
    }

    void nothingUnlessAsked() {
        Case c = readCase(PTXWB_SOURCE_DIR "/tests/data/emulator/counters/barriers.ptx");
        c.run.options.counting = false;
        const KernelAnswer answer = runKernel(c.run);
        QVERIFY(!answer.result.work);
        QVERIFY(answer.result.counters.warpInstructions > 0);
    }
};

QTEST_APPLESS_MAIN(CountersTest)
#include "counters_test.moc"
