// The recording of one warp: what each step shows, both ways, and what its bytes may not say.
#include "emulator/recording.h"
#include "kernel_run.h"

#include <QTest>
#include <algorithm>
#include <chrono>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

/// Two warps; the second stores what the first reads behind a barrier, after a branch and a loop.
constexpr const char* kernel = R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b32 s[64];
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %a, %v, %n;
    .reg .b64 %o, %g;
    .reg .pred %p, %q;
    ld.param.u64 %o, [out];
    mov.u32 %t, %tid.x;
    shl.b32 %a, %t, 2;
    st.shared.u32 [%a], %t;
    bar.sync 0;
    sub.u32 %a, 252, %a;
    ld.shared.u32 %v, [%a];
    setp.lt.u32 %p, %t, 8;
    @%p bra $small;
    add.u32 %v, %v, 100;
    bra.uni $join;
$small:
    add.u32 %v, %v, 200;
$join:
    mov.u32 %n, 0;
$loop:
    add.u32 %v, %v, 1;
    add.u32 %n, %n, 1;
    setp.lt.u32 %q, %n, 5;
    @%q bra $loop;
    mad.wide.u32 %g, %t, 4, %o;
    st.global.u32 [%g], %v;
    ret;
}
)";

KernelRun request(const char* text = kernel) {
    KernelRun run;
    run.text = text;
    run.entry = "k";
    run.block = {64, 1, 1};
    run.options.record.emplace();
    run.options.instructionLimit = 1 << 24;
    return run;
}

std::shared_ptr<const Recording> record(const KernelRun& run) {
    const KernelAnswer answer = runKernel(run);
    if (!answer.error.empty()) qWarning("%s", answer.error.c_str());
    return answer.result.recording;
}

std::uint32_t numberOf(const Recording& r, const std::string& name, std::uint32_t function = 0) {
    const auto& registers = r.functions[function].registers;
    const auto it = std::ranges::find(registers, name, &RecordedRegister::name);
    return static_cast<std::uint32_t>(it - registers.begin());
}

/// The line of the text that holds `part`, from 1.
std::uint32_t lineOf(const char* text, std::string_view part) {
    const std::string_view all(text);
    return static_cast<std::uint32_t>(std::ranges::count(all.substr(0, all.find(part)), '\n')) + 1;
}

/// "12 ffffffff" for each step: its line and the lanes that execute it.
std::vector<std::string> path(const Recording& r) {
    std::vector<std::string> out;
    for (const RecordedStep& step : r.steps)
        out.push_back(fmt::format("{} {:08x}", r.places[step.place].line, step.lanes));
    return out;
}

/// Everything that a panel could show at a position.
std::string shown(const WarpStepper& s) {
    std::string out = fmt::format("at {}\n", s.position());
    const Recording& r = s.recording();
    for (std::uint32_t region = 0; region < r.regions.size(); ++region) {
        if (r.regions[region].space != RecordedSpace::registers || r.regions[region].firstStep > s.position()) continue;
        const auto& registers = r.functions[r.regions[region].function].registers;
        for (std::uint32_t n = 0; n < registers.size(); ++n)
            for (const std::uint64_t lane : s.value(region, n).lanes) out += fmt::format("{:x} ", lane);
    }
    for (const RecordedRegion& region : r.regions)
        if (region.space != RecordedSpace::registers)
            for (const auto& byte :
                 s.memory(region.space, region.address, region.space == RecordedSpace::local ? 0 : region.bytes))
                out += byte ? fmt::format("{:02x}", *byte) : "--";
    return out;
}

} // namespace

class RecordingTest : public QObject {
    Q_OBJECT

private slots:
    void showsEachStep() {
        const auto r = record(request());
        QVERIFY(r);
        QCOMPARE(r->startLanes, ~0U);
        QCOMPARE(QString::fromStdString(r->stoppedEarly), QString());
        const std::uint32_t first = lineOf(kernel, "ld.param"), branch = lineOf(kernel, "@%p bra");
        const std::uint32_t loop = lineOf(kernel, "add.u32 %v, %v, 1;");
        std::vector<std::string> expected;
        for (std::uint32_t line = first; line < branch; ++line) expected.push_back(fmt::format("{} ffffffff", line));
        expected.push_back(fmt::format("{} 000000ff", branch));
        expected.push_back(fmt::format("{} ffffff00", branch + 1));
        expected.push_back(fmt::format("{} ffffff00", branch + 2));
        expected.push_back(fmt::format("{} 000000ff", branch + 4));
        expected.push_back(fmt::format("{} ffffffff", branch + 6));
        for (int round = 0; round < 5; ++round)
            for (std::uint32_t line = loop; line < loop + 4; ++line)
                expected.push_back(
                    fmt::format("{} {}", line, line == loop + 3 && round == 4 ? "00000000" : "ffffffff"));
        for (std::uint32_t line = loop + 4; line < loop + 7; ++line)
            expected.push_back(fmt::format("{} ffffffff", line));
        QVERIFY2(path(*r) == expected, fmt::format("{}", path(*r).size()).c_str());
        // At the branch all 32 stand, 8 take it; then the others wait at the join.
        const RecordedStep& split = r->steps[branch - first];
        QCOMPARE(split.split, ~0U);
        const auto& others = r->splitLists[r->steps[branch - first + 1].others];
        QCOMPARE(others.size(), std::size_t{1});
        QCOMPARE(others[0].lanes, 0xFFU);
        QCOMPARE(r->places[others[0].place].line, branch + 4);
        QVERIFY(others[0].waits == RecordedSplit::Waits::no);
    }

    void registersBeforeAndAfter() {
        WarpStepper s(record(request()));
        const std::uint32_t t = numberOf(s.recording(), "%t"), a = numberOf(s.recording(), "%a");
        const std::uint32_t p = numberOf(s.recording(), "%p");
        s.moveTo(2); // before shl
        QCOMPARE(s.value(s.step()->frame, t).lanes[7], std::uint64_t{7});
        const auto changes = s.registerChanges();
        QCOMPARE(changes.size(), std::size_t{1});
        QCOMPARE(changes[0].number, a);
        QCOMPARE(changes[0].lanes, ~1U); // lane 0's stays 0
        QCOMPARE(changes[0].before.lanes[31], std::uint64_t{0});
        QCOMPARE(changes[0].after.lanes[31], std::uint64_t{124});
        s.forward();
        QCOMPARE(s.value(s.step()->frame, a).lanes[31], std::uint64_t{124});
        s.moveTo(8); // behind setp
        QCOMPARE(s.value(s.step()->frame, p).lanes[7], std::uint64_t{1});
        QCOMPARE(s.value(s.step()->frame, p).lanes[8], std::uint64_t{0});
    }

    /// Shared memory as of each step: the other warp's stores appear when the barrier has let both through.
    void memoryAsOfAStep() {
        WarpStepper s(record(request()));
        const auto word = [&](std::uint64_t offset) {
            const auto bytes = s.memory(RecordedSpace::shared, offset, 4);
            std::uint32_t value = 0;
            for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{bytes[i].value()} << (8 * i);
            return value;
        };
        s.moveTo(3);
        QCOMPARE(word(4 * 5), 0U);
        const auto stored = s.memoryChanges();
        QCOMPARE(stored.size(), std::size_t{31}); // lane 0 stores the 0 that is there
        QVERIFY(stored[4].space == RecordedSpace::shared && stored[4].address == 20 && stored[4].after == 5);
        s.moveTo(4);
        QCOMPARE(word(4 * 5), 5U);
        QCOMPARE(word(4 * 40), 0U);
        s.moveTo(5);
        QCOMPARE(word(4 * 40), 40U);
        s.moveTo(4);
        QCOMPARE(word(4 * 40), 0U);
        s.moveTo(s.steps());
        const auto out = std::ranges::find(s.recording().regions, RecordedSpace::global, &RecordedRegion::space);
        QVERIFY(out != s.recording().regions.end());
        QCOMPARE(QString::fromStdString(out->name), QStringLiteral("out"));
        QCOMPARE(*s.memory(RecordedSpace::global, out->address + 4 * 31, 1)[0], std::uint8_t(32 + 100 + 5));
        QCOMPARE(*s.memory(RecordedSpace::global, out->address, 1)[0], std::uint8_t((63 + 200 + 5) & 255));
        QVERIFY(!s.memory(RecordedSpace::global, out->address - 64, 1)[0]);
        QVERIFY(!s.memory(RecordedSpace::shared, 256, 1)[0]);
    }

    void barriersTellWhoCame() {
        KernelRun run = request();
        run.options.record->warp = 1;
        const auto r = record(run);
        const std::uint32_t line = lineOf(kernel, "bar.sync");
        const auto step =
            std::ranges::find_if(r->steps, [&](const RecordedStep& s) { return r->places[s.place].line == line; });
        QVERIFY(step != r->steps.end());
        const auto& barriers = r->barrierLists[step->barriers];
        QCOMPARE(barriers.size(), std::size_t{1});
        QVERIFY(!barriers[0].isMbarrier);
        QCOMPARE(barriers[0].arrived, 32U);
        QCOMPARE(barriers[0].expected, 64U);
        QCOMPARE(barriers[0].warps, 1U);
    }

    void breakpoints() {
        WarpStepper s(record(request()));
        const std::uint32_t loop = lineOf(kernel, "add.u32 %v, %v, 1;"), small = lineOf(kernel, "%v, %v, 200");
        const std::vector<Breakpoint> both = {{loop, ~0U}, {small, ~0U}};
        std::vector<std::uint32_t> lines;
        while (const auto next = s.find(both, WarpStepper::Direction::forward)) {
            s.moveTo(*next);
            lines.push_back(s.recording().places[s.step()->place].line);
        }
        QVERIFY((lines == std::vector<std::uint32_t>{small, loop, loop, loop, loop, loop}));
        std::size_t back = 0;
        while (const auto next = s.find(both, WarpStepper::Direction::back)) {
            s.moveTo(*next);
            ++back;
        }
        QCOMPARE(back, std::size_t{5});
        // Lane 9 never comes to the short branch.
        const std::vector<Breakpoint> lane9 = {{small, 1U << 9}};
        QVERIFY(!s.find(lane9, WarpStepper::Direction::forward));
        QVERIFY(!s.find(lane9, WarpStepper::Direction::back));
    }

    void bothWaysShowTheSame_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("shared memory") << QString(kernel);
        QTest::newRow("calls and local memory") << QStringLiteral(R"(.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) down(.param .b32 x)
{
    .reg .b32 %x, %y;
    .reg .pred %p;
    .local .align 4 .b32 keep[2];
    ld.param.b32 %x, [x];
    st.local.u32 [keep], %x;
    setp.eq.u32 %p, %x, 0;
    @%p bra $end;
    sub.u32 %y, %x, 1;
    {
        .param .b32 a; .param .b32 b;
        st.param.b32 [a], %y;
        call.uni (b), down, (a);
        ld.param.b32 %y, [b];
    }
    ld.local.u32 %x, [keep];
    add.u32 %x, %x, %y;
$end:
    st.param.b32 [r], %x;
    ret;
}
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %v;
    .reg .b64 %o, %g;
    ld.param.u64 %o, [out];
    mov.u32 %t, %tid.x;
    and.b32 %v, %t, 3;
    {
        .param .b32 a; .param .b32 b;
        st.param.b32 [a], %v;
        call.uni (b), down, (a);
        ld.param.b32 %v, [b];
    }
    mad.wide.u32 %g, %t, 4, %o;
    st.global.u32 [%g], %v;
    atom.global.add.u32 %t, [%g], 7;
    ret;
}
)");
        QTest::newRow("lanes that wait for one another") << QStringLiteral(R"(.version 8.0
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
    shfl.sync.idx.b32 %v, %t, 0, 31, 0xffffff00;
$join:
    bar.red.popc.u32 %v, 0, %p;
    add.u32 %v, %v, 1;
    ret;
}
)");
    }
    void bothWaysShowTheSame() {
        QFETCH(QString, text);
        const std::string bytes = text.toStdString();
        const auto r = record(request(bytes.c_str()));
        QVERIFY(r);
        const auto packed = unpack(pack(*r), r->findings);
        QVERIFY2(packed.has_value(), packed ? "" : format(packed.error()).c_str());
        WarpStepper forward(r), back(std::make_shared<const Recording>(*packed));
        std::vector<std::string> seen;
        do seen.push_back(shown(forward));
        while (forward.forward());
        QCOMPARE(seen.size(), std::size_t{forward.steps()} + 1);
        back.moveTo(back.steps());
        for (std::size_t i = seen.size(); i-- > 0;) {
            QVERIFY2(shown(back) == seen[i], fmt::format("position {}", i).c_str());
            QCOMPARE(back.back(), i > 0);
        }
    }

    void resultOfABarrier() {
        const auto r = record(request(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %v;
    .reg .pred %p;
    mov.u32 %t, %tid.x;
    setp.lt.u32 %p, %t, 40;
    bar.red.popc.u32 %v, 0, %p;
    add.u32 %v, %v, 1;
    ret;
}
)"));
        WarpStepper s(r);
        s.moveTo(3);
        QCOMPARE(s.value(s.step()->frame, numberOf(*r, "%v")).lanes[3], std::uint64_t{40});
        QCOMPARE(s.registerChanges().at(0).after.lanes[3], std::uint64_t{41});
    }

    void findingsStandAtTheirStep() {
        const auto r = record(request(R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b32 s[64];
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %a, %v;
    mov.u32 %t, %tid.x;
    shl.b32 %a, %t, 2;
    ld.shared.u32 %v, [%a+240];
    add.u32 %v, %v, 1;
    ret;
}
)"));
        WarpStepper s(r);
        QVERIFY(s.findings().empty());
        s.moveTo(2);
        std::vector<std::string> kinds;
        for (const Finding* f : s.findings()) kinds.emplace_back(name(f->kind));
        QVERIFY2((kinds == std::vector<std::string>{"out_of_bounds", "uninitialized"}),
                 fmt::format("{}", kinds.size()).c_str());
        s.moveTo(3);
        QVERIFY(s.findings().empty());
    }

    void staysInItsLimit() {
        KernelRun run = request(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %i, %v;
    .reg .pred %p;
    mov.u32 %v, %tid.x;
    mov.u32 %i, 0;
$loop:
    mad.lo.u32 %v, %v, 1664525, 1013904223;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, 5000;
    @%p bra $loop;
    ret;
}
)");
        run.options.record->byteLimit = 100'000;
        const auto r = record(run);
        QVERIFY(r->steps.size() > 500);
        QVERIFY(r->log.size() < 100'000);
        QVERIFY2(r->stoppedEarly.starts_with("the recording is full: 100000 bytes after"), r->stoppedEarly.c_str());
        QVERIFY(unpack(pack(*r), {}));
    }

    void warpThatIsNotThere() {
        KernelRun run = request();
        run.options.record->warp = 2;
        QVERIFY(QString::fromStdString(runKernel(run).error)
                    .contains("warp 2 cannot be recorded: a block of 64 threads has 2"));
        run.options.record = RecordRequest{{1, 0, 0}, 0, 1000};
        QVERIFY(QString::fromStdString(runKernel(run).error)
                    .contains("block (1, 0, 0) cannot be recorded: the grid has 1 x 1 x 1"));
    }

    /// No byte may lead the stepper astray: every cut and every flip is refused or walks safely.
    void brokenBytes() {
        const auto r = record(request());
        const std::vector<std::uint8_t> good = pack(*r);
        for (std::size_t size = 0; size < good.size(); size += 7) QVERIFY(!unpack(std::span(good).first(size), {}));
        std::size_t refused = 0;
        for (std::size_t i = 0; i < good.size(); ++i) {
            std::vector<std::uint8_t> bad = good;
            bad[i] ^= 0x41;
            const auto read = unpack(bad, {});
            if (!read) {
                ++refused;
                QVERIFY(!read.error().message.empty());
                continue;
            }
            WarpStepper s(std::make_shared<const Recording>(*read));
            s.moveTo(s.steps());
            for (std::uint32_t p = 0; p < s.steps(); p += 11) {
                s.moveTo(p);
                s.registerChanges();
                s.memoryChanges();
            }
        }
        QVERIFY(refused > good.size() / 10);
    }

    /// 10,000 instructions and more, there and back.
    void longRecording() {
        KernelRun run = request(R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b32 s[64];
.visible .entry k(.param .u64 out)
{
    .reg .b32 %i, %v, %a;
    .reg .pred %p;
    mov.u32 %v, %tid.x;
    shl.b32 %a, %v, 2;
    mov.u32 %i, 0;
$loop:
    mad.lo.u32 %v, %v, 1664525, 1013904223;
    st.shared.u32 [%a], %v;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, 4000;
    @%p bra $loop;
    ret;
}
)");
        const auto r = record(run);
        QCOMPARE(r->steps.size(), std::size_t{4 + 5 * 4000});
        WarpStepper s(r);
        const std::uint32_t v = numberOf(*r, "%v");
        const auto start = std::chrono::steady_clock::now();
        s.moveTo(s.steps() - 1);
        const std::uint64_t last = s.value(s.step()->frame, v).lanes[1];
        s.moveTo(1);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        QCOMPARE(s.value(s.step()->frame, v).lanes[1], std::uint64_t{1});
        std::uint32_t expected = 1;
        for (int i = 0; i < 4000; ++i) expected = expected * 1664525U + 1013904223U;
        QCOMPARE(last, std::uint64_t{expected});
        qInfo("%zu steps, %zu bytes of log; there and back in %.1f ms", r->steps.size(), r->log.size(), seconds * 1000);
    }
};

QTEST_APPLESS_MAIN(RecordingTest)
#include "recording_test.moc"
