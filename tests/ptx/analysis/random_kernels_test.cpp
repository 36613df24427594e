// The analyses against their definitions, tried out way by way, on random kernels.
#include "ptx/analysis/dominators.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/reaching.h"

#include "../../compare/random_kernel.h"
#include "../test_data.h"

#include <algorithm>
#include <set>

using namespace ptxwb::ptx;

namespace {

struct Subject {
    explicit Subject(unsigned seed)
        : module(
              parse(ptxwb::compare::test::KernelWriter(seed, ptxwb::compare::test::Reuse::often).write(60), "r.ptx")),
          function(module->functions.front()), flow(controlFlow(*module, function)), accesses(function) {}

    std::shared_ptr<const Module> module;
    const Function& function;
    ControlFlow flow;
    AccessTable accesses;

    std::vector<std::uint32_t> after(std::uint32_t instruction) const {
        const Block& block = flow.blocks[flow.blockOf[instruction]];
        if (instruction + 1 < block.end) return {instruction + 1};
        std::vector<std::uint32_t> all;
        for (const Index to : block.successors) all.push_back(flow.blocks[to].first);
        return all;
    }
    bool has(std::uint32_t instruction, Index reg, Access kind) const {
        const auto all = accesses.of(instruction);
        return std::any_of(all.begin(), all.end(),
                           [&](const RegisterAccess& a) { return a.reg == reg && a.kind == kind; });
    }
};

/// Is there a way from before `start` to a read of `reg` that no full write interrupts?
bool isLive(const Subject& subject, Index reg, std::uint32_t start) {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work{start};
    while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        if (!seen.insert(at).second) continue;
        if (subject.has(at, reg, Access::read)) return true;
        if (subject.has(at, reg, Access::write)) continue;
        for (const std::uint32_t next : subject.after(at)) work.push_back(next);
    }
    return false;
}

/// Instructions at which the value that `from` writes to `reg` can arrive.
std::set<std::uint32_t> reached(const Subject& subject, Index reg, std::uint32_t from) {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work = subject.after(from);
    while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        if (!seen.insert(at).second || subject.has(at, reg, Access::write)) continue;
        for (const std::uint32_t next : subject.after(at)) work.push_back(next);
    }
    return seen;
}

/// Blocks that can be reached from the entry without going through `without`.
std::set<Index> reachableWithout(const ControlFlow& flow, Index without) {
    std::set<Index> seen;
    std::vector<Index> work{0};
    while (!work.empty()) {
        const Index at = work.back();
        work.pop_back();
        if (at == without || !seen.insert(at).second) continue;
        for (const Index to : flow.blocks[at].successors) work.push_back(to);
    }
    return seen;
}

} // namespace

class RandomKernelsTest : public QObject {
    Q_OBJECT

    static constexpr unsigned kernels = 60;

private slots:
    void livenessIsAWayToARead() {
        std::size_t live = 0;
        for (unsigned seed = 0; seed < kernels; ++seed) {
            const Subject subject(seed);
            const Liveness answer = liveness(subject.function, subject.flow);
            const auto step = static_cast<std::uint32_t>(1 + seed % 5);
            for (std::uint32_t i = 0; i < subject.function.instructions.size(); i += step) {
                const auto before = answer.liveBefore(subject.flow, i);
                for (const Index reg : answer.registers) {
                    const bool said = std::binary_search(before.begin(), before.end(), reg);
                    live += said;
                    if (said != isLive(subject, reg, i))
                        QFAIL(qPrintable(QString("seed %1, instruction %2, %3")
                                             .arg(seed)
                                             .arg(i)
                                             .arg(QString::fromStdString(subject.function.registerName(reg)))));
                }
            }
        }
        QVERIFY(live > 1000);
    }

    void dominatorsCannotBeAvoided() {
        for (unsigned seed = 0; seed < kernels; ++seed) {
            const Subject subject(seed);
            const auto immediate = immediateDominators(subject.flow);
            for (Index d = 0; d < subject.flow.blocks.size(); ++d) {
                const auto others = reachableWithout(subject.flow, d);
                for (Index b = 0; b < subject.flow.blocks.size(); ++b)
                    if (subject.flow.blocks[b].reachable && subject.flow.blocks[d].reachable)
                        QCOMPARE(dominates(immediate, d, b), !others.contains(b));
            }
            for (const Loop& loop : loops(subject.flow, immediate))
                for (const Index block : loop.blocks) QVERIFY(dominates(immediate, loop.header, block));
        }
    }

    void definitionsArriveWhereTheyAreSaidTo() {
        std::size_t pairs = 0;
        for (unsigned seed = 0; seed < kernels; ++seed) {
            const Subject subject(seed);
            const ReachingDefinitions reaching(subject.function, subject.flow);
            const auto count = static_cast<std::uint32_t>(subject.function.instructions.size());
            for (std::uint32_t from = seed % 3; from < count; from += 3)
                for (const RegisterAccess& write : subject.accesses.of(from)) {
                    if (write.kind == Access::read) continue;
                    const auto places = reached(subject, write.reg, from);
                    for (std::uint32_t i = 0; i < count; ++i) {
                        if (!subject.has(i, write.reg, Access::read)) continue;
                        const auto all = reaching.of(write.reg, i);
                        const bool said = std::find(all.begin(), all.end(), Definition{write.reg, from}) != all.end();
                        pairs += said;
                        QCOMPARE(said, places.contains(i));
                    }
                }
        }
        QVERIFY(pairs > 1000);
    }

    void websPartWritesAndReads() {
        for (unsigned seed = 0; seed < kernels; ++seed) {
            const Subject subject(seed);
            const ReachingDefinitions reaching(subject.function, subject.flow);
            const Webs all = webs(subject.function, subject.flow);
            std::set<std::pair<Index, std::uint32_t>> writes;
            for (const Webs::Web& web : all.all) {
                for (const std::uint32_t write : web.writes) QVERIFY(writes.emplace(web.reg, write).second);
                for (const std::uint32_t read : web.reads)
                    for (const Definition& one : reaching.of(web.reg, read))
                        if (one.instruction != noIndex)
                            QVERIFY(std::binary_search(web.writes.begin(), web.writes.end(), one.instruction));
            }
        }
    }

    void pressureCountsTheLive() {
        for (unsigned seed = 0; seed < kernels; ++seed) {
            const Subject subject(seed);
            const Liveness live = liveness(subject.function, subject.flow);
            const auto all = registerPressure(subject.function, subject.flow, live);
            for (std::uint32_t i = 0; i < all.size(); ++i) {
                std::uint32_t words = 0;
                for (const Index reg : live.liveBefore(subject.flow, i)) {
                    const RegisterGroup& group = subject.function.groupOf(reg);
                    if (group.type != ScalarType::pred) words += std::max(1u, sizeBytes(group.type) * group.vector / 4);
                }
                QVERIFY(all[i].words >= words);
            }
        }
    }
};

QTEST_APPLESS_MAIN(RandomKernelsTest)
#include "random_kernels_test.moc"
