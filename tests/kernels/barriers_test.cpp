// Whole kernels with one barrier, one fence or one wait for copies left out: the checkers must notice each that is not
// redundant.
#include "emulator_run.h"

#include <QTest>
#include <regex>

using namespace ptxwb;

namespace {
const std::filesystem::path folder = PTXWB_SOURCE_DIR "/tests/data/kernels";

struct Dropped {
    std::string ptx;  ///< with the line as a comment
    std::string trap; ///< with a trap in front of the line
    std::string text; ///< of the line
    std::size_t line = 0;
};

/// Every text of the case's PTX with one line of its entry left out that `pattern` matches.
std::vector<Dropped> withoutOne(const kernels::Case& one, const std::regex& pattern) {
    std::vector<Dropped> out;
    const std::size_t begin = one.ptx.find(".entry " + one.data.entry + "(");
    const std::size_t end = one.ptx.find("\n}\n", begin);
    std::size_t line = 1 + static_cast<std::size_t>(
                               std::count(one.ptx.begin(), one.ptx.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    for (std::size_t at = begin; at < end; ++line) {
        const std::size_t next = one.ptx.find('\n', at) + 1;
        const std::string text = one.ptx.substr(at, next - at - 1);
        if (std::regex_search(text, pattern)) {
            std::string ptx = one.ptx;
            ptx.insert(at, "//");
            std::string trap = one.ptx;
            trap.insert(at, "trap;");
            out.push_back({std::move(ptx), std::move(trap), text, line});
        }
        at = next;
    }
    return out;
}
} // namespace

/// How many of a case's barriers and fences can be left out unnoticed, and why.
struct Allowed {
    const char* title;
    int count;
    const char* why;
};
constexpr const char* ownElements = "behind it each thread touches only what it wrote itself";
constexpr const char* nextBarrier = "the next barrier orders the same accesses";
constexpr const char* volatileData =
    "the data are volatile, which is no race, and here a thread's accesses stay in order";
constexpr const char* noSharedMemory = "it orders no memory";
constexpr Allowed allowed[] = {
    {"block_barrier", 2, volatileData},
    {"cholesky n=24", 9, nextBarrier},
    {"cub_sort n=1", 2, ownElements},
    {"edit_distance n=1", 1, nextBarrier},
    {"edit_distance n=120", 1, nextBarrier},
    {"fft", 1, ownElements},
    {"library_atomics n=1", 2, "nothing but the atomics' own words is shared"},
    {"library_atomics n=1007", 2, "nothing but the atomics' own words is shared"},
    {"library_atomics n=33", 2, "nothing but the atomics' own words is shared"},
    {"library_copy n=1", 1, ownElements},
    {"library_pipeline n=0", 1, "the barrier object behind it orders them too"},
    {"library_pipeline n=1007", 1, "the barrier object behind it orders them too"},
    {"library_pipeline n=128", 1, "the barrier object behind it orders them too"},
    {"life s=1", 1, ownElements},
    {"life s=10", 1, ownElements},
    {"printing", 1, noSharedMemory},
    {"producer_consumer_flags r=6", 3, "in shared memory an atomic of one lane orders its whole warp, fence or not"},
    {"reduce_last_block n=10007", 2, ownElements},
    {"reduce_shared", 1, ownElements},
    {"scan_double_buffer n=1000", 1, ownElements},
    {"scan_tree n=1", 2, ownElements},
    {"scan_tree n=1500", 1, ownElements},
    {"spin_lock", 2, volatileData},
    {"stencil_3d d=1", 1, "nothing is stored behind it"},
    {"stencil_3d d=13", 1, "nothing is stored behind it"},
    {"ticket_lock", 2, volatileData},
    {"votes", 1, noSharedMemory},
};

class BarriersTest : public QObject {
    Q_OBJECT

    std::vector<kernels::Case> m_cases;
    std::size_t m_dropped = 0, m_noticed = 0;

private slots:
    void initTestCase() {
        auto cases = kernels::readCases(folder);
        QVERIFY2(cases.has_value(), cases ? "" : format(cases.error()).c_str());
        m_cases = std::move(*cases);
    }

    void leftOut_data() {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t i = 0; i < m_cases.size(); ++i) QTest::newRow(m_cases[i].title.c_str()) << i;
    }
    void leftOut() {
        QFETCH(std::size_t, number);
        const kernels::Case& one = m_cases[number];
        // Whether the asynchronous proxy sees an mbarrier's init is not followed.
        static const std::regex pattern(
            "^[^/]*(bar\\.sync|barrier\\.(sync|cluster)|bar\\.warp\\.sync|cp\\.async\\.wait|"
            "wgmma\\.wait|membar|fence(?!\\.mbarrier_init))");
        QStringList unnoticed;
        const auto whole = kernels::runOnEmulator(one, one.ptx, 0);
        for (const Dropped& dropped : withoutOne(one, pattern)) {
            if (kernels::runOnEmulator(one, dropped.trap, 0).completed) continue; // not reached
            ++m_dropped;
            if (isNoticed(one, dropped.ptx, whole.answer))
                ++m_noticed;
            else
                unnoticed << QString("%1:%2 %3").arg(one.ptxFile.c_str()).arg(dropped.line).arg(dropped.text.c_str());
        }
        const auto known = std::ranges::find_if(allowed, [&](const Allowed& a) { return one.title == a.title; });
        const int count = known == std::end(allowed) ? 0 : known->count;
        QVERIFY2(unnoticed.size() == count, qPrintable(QString("%1 allowed:\n").arg(count) + unnoticed.join('\n')));
    }

    void cleanupTestCase() {
        qInfo("%zu of %zu barriers, fences and waits that were left out were noticed", m_noticed, m_dropped);
    }

private:
    /// By a finding or by another answer, in one of a few orders of the warps and blocks: an atomic that comes first
    /// orders what it should not (see race_shadow.h), and volatile accesses are no race.
    static bool isNoticed(const kernels::Case& one, const std::string& ptx, kernels::Answer answer) {
        for (const std::uint64_t schedule : {0, 1, 2, 3, 4, 5}) {
            const auto run = kernels::runOnEmulator(one, ptx, schedule);
            if (!run.findings.empty() || !run.completed) return true;
            answer.key = run.answer.key;
            if (!kernels::differences(one, answer, run.answer).empty()) return true;
        }
        return false;
    }
};

QTEST_APPLESS_MAIN(BarriersTest)
#include "barriers_test.moc"
