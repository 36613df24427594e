// Whole kernels with a fault put into one of their buffers: one element too few, inputs that nobody wrote, outputs that
// may only be read, half the alignment. The checker concerned must find each, in the buffer concerned, but for those
// that the kernel does not mind.
#include "emulator_run.h"

#include <QTest>
#include <algorithm>
#include <map>
#include <set>

using namespace ptxwb;

namespace {

const std::filesystem::path folder = PTXWB_SOURCE_DIR "/tests/data/kernels";

enum class Fault { shrunk, unwritten, readOnly, misaligned };

const char* name(Fault fault) {
    switch (fault) {
    case Fault::shrunk: return "shrunk";
    case Fault::unwritten: return "unwritten";
    case Fault::readOnly: return "read-only";
    case Fault::misaligned: return "misaligned";
    }
    return "";
}

FindingKind kindOf(Fault fault) {
    switch (fault) {
    case Fault::shrunk: return FindingKind::outOfBounds;
    case Fault::unwritten: return FindingKind::uninitialized;
    case Fault::readOnly: return FindingKind::inputModified;
    case Fault::misaligned: return FindingKind::misaligned;
    }
    return FindingKind::launch;
}

bool canHave(const kernel::Buffer& buffer, Fault fault) {
    switch (fault) {
    case Fault::shrunk: return buffer.elementCount > 0;
    case Fault::unwritten: return buffer.access != kernel::Access::out;
    case Fault::readOnly: return buffer.access != kernel::Access::in;
    case Fault::misaligned: return buffer.align > 1;
    }
    return false;
}

/// Of a texture or surface: texels lie where the driver puts them, and how the buffer is aligned counts for nothing.
bool holdsTexels(const kernels::Case& one, std::size_t buffer) {
    return std::ranges::any_of(one.data.parameters, [&](const kernel::Parameter& parameter) {
        return parameter.texture && parameter.texture->buffer == buffer;
    });
}

kernels::Case withFault(kernels::Case one, std::size_t buffer, Fault fault) {
    kernel::Buffer& b = one.data.buffers[buffer];
    switch (fault) {
    case Fault::shrunk:
        b.bytes.resize(b.bytes.size() - kernel::sizeOf(b.type));
        --b.elementCount;
        break;
    case Fault::unwritten: b.access = kernel::Access::out; break;
    case Fault::readOnly: b.access = kernel::Access::in; break;
    case Fault::misaligned: b.align /= 2; break;
    }
    return one;
}

/// By case and fault: what is not found, and why it need not be.
constexpr const char* notReached = "with these inputs nothing touches the last element";
constexpr const char* neverRead = "it is written and never read";
constexpr const char* narrow = "it is touched in narrower pieces than it is aligned for";
constexpr const char* sizeOnly = "it is asked for its size and never read";
constexpr const char* runTime = "the library looks at the address and copies in narrower pieces";
const std::map<std::string, std::map<std::string, const char*>> unnoticed = {
    {"compaction", {{"shrunk out", notReached}, {"unwritten out", neverRead}}},
    {"flash_attention c=0 n=128", {{"misaligned q", narrow}, {"misaligned out", narrow}}},
    {"flash_attention c=1 n=128", {{"misaligned q", narrow}, {"misaligned out", narrow}}},
    {"group_coalesced n=1", {{"shrunk count", notReached}}},
    {"hash_table n=300", {{"shrunk slots", notReached}, {"shrunk counts", notReached}}},
    {"histogram_match n=4001", {{"shrunk counts", notReached}}},
    {"histogram_shared n=4001", {{"shrunk counts", notReached}}},
    {"library_copy n=1", {{"misaligned in", runTime}}},
    {"library_copy n=1007", {{"misaligned in", runTime}}},
    {"library_copy n=33", {{"misaligned in", runTime}}},
    {"library_pipeline n=0", {{"misaligned in", runTime}, {"unwritten in", notReached}}},
    {"library_pipeline n=1007", {{"misaligned in", runTime}, {"shrunk in", notReached}}},
    {"library_pipeline n=128", {{"misaligned in", runTime}}},
    {"machine", {{"shrunk code", notReached}}},
    {"reduce_last_block n=10007", {{"unwritten part", "it is written before it is read"}}},
    {"shortest_paths", {{"shrunk lengths", notReached}}},
    {"spmv", {{"shrunk columns", notReached}, {"shrunk values", notReached}}},
    {"surface_widths", {{"unwritten b", neverRead}}},
    {"tensor_2d_128", {{"shrunk in", notReached}}},
    {"tensor_2d_32", {{"shrunk in", notReached}}},
    {"tensor_2d_64", {{"shrunk in", notReached}}},
    {"tensor_2d_nan_half", {{"shrunk in", notReached}}},
    {"tensor_2d_steps", {{"shrunk in", notReached}}},
    {"tensor_2d_steps_cut", {{"shrunk in", notReached}}},
    {"tensor_3d", {{"shrunk in", notReached}}},
    {"tensor_3d_steps", {{"shrunk in", notReached}}},
    {"tensor_4d", {{"shrunk in", notReached}}},
    {"tensor_5d", {{"shrunk in", notReached}}},
    {"tensor_back", {{"unwritten out", neverRead}}},
    {"tensor_back_128", {{"shrunk out", notReached}, {"unwritten out", neverRead}}},
    {"tensor_back_3d", {{"unwritten out", neverRead}}},
    {"texture_integer", {{"unwritten a", "integer coordinates into a one-dimensional array read zeros"}}},
    {"texture_query",
     {{"shrunk a", sizeOnly},
      {"shrunk c", sizeOnly},
      {"shrunk s", sizeOnly},
      {"unwritten a", sizeOnly},
      {"unwritten c", sizeOnly},
      {"unwritten s", sizeOnly}}},
};

} // namespace

class CheckersTest : public QObject {
    Q_OBJECT

    std::vector<kernels::Case> m_cases;
    std::map<Fault, int> m_faults, m_found;

private slots:
    void initTestCase() {
        auto cases = kernels::readCases(folder);
        QVERIFY2(cases.has_value(), cases ? "" : format(cases.error()).c_str());
        m_cases = std::move(*cases);
    }

    void faults_data() {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t i = 0; i < m_cases.size(); ++i) QTest::newRow(m_cases[i].title.c_str()) << i;
    }
    void faults() {
        QFETCH(std::size_t, number);
        const kernels::Case& one = m_cases[number];
        std::set<std::string> missed, known;
        if (const auto it = unnoticed.find(one.title); it != unnoticed.end())
            for (const auto& [what, why] : it->second) known.insert(what);
        for (std::size_t i = 0; i < one.data.buffers.size(); ++i)
            for (const Fault fault : {Fault::shrunk, Fault::unwritten, Fault::readOnly, Fault::misaligned}) {
                if (!canHave(one.data.buffers[i], fault)) continue;
                if (fault == Fault::misaligned && holdsTexels(one, i)) continue;
                const bool found = isFound(withFault(one, i, fault), one.data.buffers[i].name, kindOf(fault));
                ++m_faults[fault];
                m_found[fault] += found;
                if (!found) missed.insert(std::string(name(fault)) + " " + one.data.buffers[i].name);
            }
        QVERIFY2(missed == known, qPrintable(QString("not found: %1").arg(joined(missed))));
    }

    void cleanupTestCase() {
        for (const auto& [fault, count] : m_faults)
            qInfo("%s: %d of %d were found", name(fault), m_found[fault], count);
    }

private:
    /// In order, or in one of a few drawn orders: a block that comes early may read what the one before it is to write.
    static bool isFound(const kernels::Case& faulty, const std::string& buffer, FindingKind kind) {
        for (const std::uint64_t schedule : {0, 1, 2}) {
            // Threads that wait for what the fault keeps from them spin until the limit.
            const auto run = kernels::runOnEmulator(faulty, faulty.ptx, schedule, 5'000'000);
            if (std::ranges::any_of(run.findings, [&](const Finding& f) {
                    return f.kind == kind && f.argument == buffer && f.line > 0 && f.thread && f.block;
                }))
                return true;
            // No launch is made with a tensor map of such a buffer.
            if (kind == FindingKind::misaligned && run.error.find("tensor map's address") != std::string::npos)
                return true;
        }
        return false;
    }
    static QString joined(const std::set<std::string>& words) {
        QStringList list;
        for (const std::string& word : words) list << QString::fromStdString(word);
        return list.join(", ");
    }
};

QTEST_APPLESS_MAIN(CheckersTest)
#include "checkers_test.moc"
