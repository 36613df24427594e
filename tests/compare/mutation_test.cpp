// One mutation is at least one change, in a renamed text too, and it changes few rows; the sides can be exchanged.
#include "checks.h"
#include "random_kernel.h"

#include <algorithm>
#include <array>

using namespace ptxwb::compare;
using namespace ptxwb::compare::test;

class MutationTest : public QObject {
    Q_OBJECT

    /// Pairs of lines with their class, whatever the order in which fillers stand.
    static std::vector<std::array<std::uint32_t, 3>> pairsOf(const Comparison& c, bool exchange) {
        std::vector<std::array<std::uint32_t, 3>> result;
        for (const Row& row : c.rows) {
            RowClass cls = row.cls;
            if (exchange && cls == RowClass::added)
                cls = RowClass::removed;
            else if (exchange && cls == RowClass::removed)
                cls = RowClass::added;
            const auto number = static_cast<std::uint32_t>(cls);
            result.push_back(
                {exchange ? row.rightLine : row.leftLine, exchange ? row.leftLine : row.rightLine, number});
        }
        std::ranges::sort(result);
        return result;
    }

private slots:
    void oneMutationIsAChange_data() {
        QTest::addColumn<int>("which");
        const char* names[] = {"operand", "immediate", "modifier", "opcode", "label", "erase", "insert"};
        for (int i = 0; i < 7; ++i) QTest::newRow(names[i]) << i;
    }
    void oneMutationIsAChange() {
        QFETCH(int, which);
        int different = 0;
        std::vector<std::uint32_t> changes;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            Random random(seed * 7 + static_cast<std::uint64_t>(which));
            const Reuse reuse = seed % 3 == 0 ? Reuse::often : Reuse::never;
            const std::string text = KernelWriter(seed, reuse).write(40 + 12 * seed);
            const std::string mutant = mutate(text, mutations[which], random);
            if (mutant.empty()) continue;
            const std::string right = seed % 2 ? renamePermuted(mutant, random) : mutant;
            const bool same = sameByDefinition(text, right);
            const Comparison c = compareTexts(text, right);
            COMPARE_IS_SOUND(c, text, right);
            QVERIFY2(c.same == same, ("seed " + std::to_string(seed) + ": " + summary(c)).c_str());
            QVERIFY(!c.approximate);
            const Comparison back = compareTexts(right, text);
            COMPARE_IS_SOUND(back, right, text);
            QCOMPARE(pairsOf(back, true), pairsOf(c, false));
            different += !same;
            if (!same) changes.push_back(c.counts.changes());
        }
        QVERIFY(different > 40);
        std::ranges::sort(changes);
        const std::uint32_t median = changes[changes.size() / 2], most = changes.back();
        qInfo("%d mutants: median %u, most %u changed rows", different, median, most);
        QCOMPARE(median, 1u);
        QVERIFY2(most <= 20, std::to_string(most).c_str());
    }

    void manyMutations() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Random random(seed);
            const std::string text = KernelWriter(seed, Reuse::never).write(600);
            std::string right = text;
            for (int i = 0; i < 12; ++i) {
                std::string next = mutate(right, mutations[random.below(std::size(mutations))], random);
                if (!next.empty()) right = std::move(next);
            }
            right = renamePermuted(right, random);
            const Comparison c = compareTexts(text, right);
            COMPARE_IS_SOUND(c, text, right);
            QVERIFY(!c.same);
            QVERIFY2(c.counts.changes() <= 60, (std::to_string(seed) + ": " + summary(c)).c_str());
            QCOMPARE(pairsOf(compareTexts(right, text), true), pairsOf(c, false));
        }
    }
};

QTEST_APPLESS_MAIN(MutationTest)
#include "mutation_test.moc"
