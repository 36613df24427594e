// The access that a recorded step is about to make: what all steps of all warps touch, line by line, is what the work
// counter saw in the same run. The cases are those of the counters: tests/data/emulator/counters.
#include "emulator/access_shape.h"
#include "emulator/recorded_access.h"
#include "kernel_run.h"

#include <QDir>
#include <QTest>
#include <bit>
#include <map>
#include <sstream>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

KernelRun readCase(const QString& path) {
    QFile file(path);
    KernelRun run;
    if (!file.open(QIODevice::ReadOnly)) return run;
    run.text = file.readAll().toStdString();
    run.align = 256;
    run.options.initialisation = run.options.races = false;
    run.options.counting = true;
    std::istringstream lines(run.text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("//! launch ")) continue;
        std::istringstream words(line.substr(11));
        std::string word;
        std::uint32_t value = 0;
        words >> run.entry;
        while (words >> word >> value) {
            if (word == "grid") run.grid = {value, 1, 1};
            if (word == "block") run.block = {value, 1, 1};
            if (word == "words") run.outWords = value;
        }
    }
    return run;
}

/// The counts of memory of one access, as the recording shows it.
WorkCounts shapeOf(const StepAccess& access) {
    WorkCounts c;
    if (access.isConstant) return c;
    const std::uint64_t bytes = std::uint64_t{access.bytes} * static_cast<std::uint64_t>(std::popcount(access.lanes));
    if (access.space == RecordedSpace::global) {
        const SectorShape shape = sectorShape(access.addresses());
        c.globalRequests = 1;
        c.globalBytes = bytes;
        c.globalSectors = shape.sectors;
        c.globalIdealSectors = shape.ideal;
    } else if (access.space == RecordedSpace::shared) {
        const SharedAccess how = access.kind != StepAccess::Kind::load ? SharedAccess::store
                                 : access.isRows                       ? SharedAccess::rows
                                                                       : SharedAccess::load;
        const BankShape shape = bankShape(access.addresses(), how);
        c.sharedRequests = 1;
        c.sharedBytes = bytes;
        c.sharedWavefronts = shape.wavefronts;
        c.sharedIdealWavefronts = shape.ideal;
        c.sharedWays = shape.ways;
    } else {
        c.localRequests = 1;
        c.localBytes = bytes;
        c.localSectors = localSectors(access.addresses());
    }
    if (access.kind == StepAccess::Kind::atomic) {
        c.atomicRequests = 1;
        c.atomicCollisions = collisions(access.addresses());
    }
    return c;
}

/// "global_sectors 8 ...", of those that tell of memory.
std::string text(const WorkCounts& counts) {
    std::string out;
    eachWorkCount(counts, [&](std::string_view key, std::uint64_t value) {
        const bool isMemory = key.starts_with("global") || key.starts_with("shared") || key.starts_with("local") ||
                              key.starts_with("atomic");
        if (isMemory && value) out += fmt::format("{} {} ", key, value);
    });
    return out;
}

} // namespace

class RecordedAccessTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheWorkCounter_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(PTXWB_SOURCE_DIR "/tests/data/emulator/counters");
        const QStringList files = folder.entryList({"*.ptx"});
        QVERIFY(files.size() >= 5);
        for (const QString& file : files) QTest::newRow(qPrintable(file)) << folder.filePath(file);
    }
    void agreesWithTheWorkCounter() {
        QFETCH(const QString, path);
        const KernelRun run = readCase(path);
        const KernelAnswer answer = runKernel(run);
        QVERIFY2(answer.error.empty() && answer.result.work, answer.error.c_str());
        std::map<std::uint32_t, WorkCounts> recorded;
        const auto module = ptx::parse(run.text, "test.ptx");
        for (std::uint32_t block = 0; block < run.grid[0]; ++block)
            for (std::uint32_t warp = 0; warp < (run.block[0] + 31) / 32; ++warp) {
                KernelRun one = run;
                one.options.counting = false;
                one.options.record = RecordRequest{{block, 0, 0}, warp};
                const auto recording = runKernel(one).result.recording;
                QVERIFY(recording);
                const auto accesses = RecordedAccesses::of(module, *recording);
                QVERIFY2(accesses, accesses ? "" : accesses.error().message.c_str());
                WarpStepper stepper(recording);
                do
                    for (const StepAccess& access : accesses->next(stepper)) {
                        QCOMPARE(access.misaligned, 0U);
                        recorded[recording->places[stepper.step()->place].line] += shapeOf(access);
                    }
                while (stepper.forward());
            }
        bool any = false;
        for (const LineCounts& line : answer.result.work->lines) {
            const std::string expected = text(line.counts), got = text(recorded[line.line]);
            any |= !expected.empty();
            QVERIFY2(expected == got,
                     fmt::format("line {}: counted {}, recorded {}", line.line, expected, got).c_str());
        }
        QVERIFY(any || path.contains("branch") || path.contains("tensor") || path.contains("barriers"));
    }

    void tellsAddressesAndWhatIsMisaligned() {
        KernelRun run;
        run.entry = "k";
        run.block = {4, 1, 1};
        run.options.record.emplace();
        run.text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %v;
    .reg .b64 %o, %g;
    ld.param.u64 %o, [out];
    mov.u32 %t, %tid.x;
    mad.wide.u32 %g, %t, 6, %o;
    st.global.u32 [%g+8], %t;
    ret;
}
)";
        const auto recording = runKernel(run).result.recording;
        QVERIFY(recording);
        const auto accesses = RecordedAccesses::of(ptx::parse(run.text, "test.ptx"), *recording);
        QVERIFY(accesses);
        WarpStepper stepper(recording);
        QVERIFY(accesses->next(stepper).empty()); // a parameter
        stepper.moveTo(3);
        const auto next = accesses->next(stepper);
        QCOMPARE(next.size(), std::size_t{1});
        QVERIFY(next[0].kind == StepAccess::Kind::store && next[0].space == RecordedSpace::global);
        QCOMPARE(next[0].lanes, 0xFU);
        QCOMPARE(next[0].at[3] - next[0].at[0], std::uint64_t{18});
        QCOMPARE(next[0].misaligned, 0b1010U);
        stepper.moveTo(stepper.steps());
        QVERIFY(accesses->next(stepper).empty());
    }

    void refusesAnotherText() {
        KernelRun run = readCase(PTXWB_SOURCE_DIR "/tests/data/emulator/counters/" +
                                 QDir(PTXWB_SOURCE_DIR "/tests/data/emulator/counters").entryList({"*.ptx"}).first());
        run.options.record.emplace();
        const auto recording = runKernel(run).result.recording;
        QVERIFY(recording);
        std::string other = run.text;
        other.insert(other.find("\n{") + 2, "\n");
        const auto accesses = RecordedAccesses::of(ptx::parse(other, "test.ptx"), *recording);
        QVERIFY(!accesses);
        QVERIFY(accesses.error().message.find("not the one") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(RecordedAccessTest)
#include "recorded_access_test.moc"
