// Renamed registers and labels are no change, whatever their order; a register that stands for two is one.
#include "checks.h"
#include "random_kernel.h"

using namespace ptxwb::compare;
using namespace ptxwb::compare::test;

class RenamingTest : public QObject {
    Q_OBJECT
private slots:
    void itselfIsIdentical() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const std::string text = KernelWriter(seed, seed % 2 ? Reuse::often : Reuse::never).write(300);
            const Comparison c = compareTexts(text, text);
            COMPARE_IS_SOUND(c, text, text);
            QVERIFY2(c.same, summary(c).c_str());
            QCOMPARE(c.counts.of(RowClass::renamed), 0u);
            for (const Row& row : c.rows) QVERIFY(row.leftSpans.empty() && row.note.empty());
        }
    }

    void parsesWhatItTests() {
        const std::string text = KernelWriter(3, Reuse::often).write(500);
        const auto module = ptxwb::ptx::parse(text, "random.ptx");
        const std::string why = module->hasErrors() ? ptxwb::format(module->diagnostics.front(), text) : "";
        QVERIFY2(why.empty(), why.c_str());
    }

    void renamedIsSame_data() {
        QTest::addColumn<bool>("reuse");
        QTest::addColumn<bool>("singly");
        QTest::newRow("each register written once, numbers exchanged") << false << false;
        QTest::newRow("registers written again, numbers exchanged") << true << false;
        QTest::newRow("each register written once, declared singly") << false << true;
        QTest::newRow("registers written again, declared singly") << true << true;
    }
    void renamedIsSame() {
        QFETCH(bool, reuse);
        QFETCH(bool, singly);
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            Random random(seed + 1000);
            const std::string text = KernelWriter(seed, reuse ? Reuse::often : Reuse::never).write(30 + 30 * seed);
            const std::string renamed = singly ? renameSingly(text, random) : renamePermuted(text, random);
            const std::string other = renamePermuted(text, random);
            for (const auto& [a, b] : {std::pair(text, renamed), std::pair(renamed, text), std::pair(other, renamed)}) {
                const Comparison c = compareTexts(a, b);
                COMPARE_IS_SOUND(c, a, b);
                QVERIFY2(c.same && c.counts.changes() == 0, (std::to_string(seed) + ": " + summary(c)).c_str());
                QVERIFY(c.counts.of(RowClass::renamed) > 0);
            }
        }
    }

    /// Two registers merged into one: every live range may still fit, but no bijection of registers does.
    void mergedRegistersAreNoBijection() {
        int merged = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            Random random(seed);
            const std::string text = KernelWriter(seed, Reuse::never).write(120);
            const std::string from = "%f" + std::to_string(random.below(20)),
                              to = "%f" + std::to_string(random.below(20));
            const std::string other =
                replaceNames(text, [&](const std::string& name) { return name == from ? to : name; });
            if (sameByDefinition(text, other)) continue;
            ++merged;
            const Comparison c = compareTexts(text, other);
            COMPARE_IS_SOUND(c, text, other);
            QVERIFY2(!c.same, (from + " to " + to + ", seed " + std::to_string(seed)).c_str());
        }
        QVERIFY(merged > 10);
    }

    void labelsOfInnerScopes() {
        const std::string left =
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
            ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n"
            "mov.u32 %r1, 1;\nsetp.eq.s32 %p1, %r1, 2;\n"
            "{\n.reg .b32 t;\nmov.u32 t, 5;\nLOOP:\nadd.s32 %r1, %r1, t;\n@%p1 bra LOOP;\n}\n"
            "{\n.reg .b32 t;\nmov.u32 t, 6;\nLOOP:\nadd.s32 %r1, %r1, t;\n@%p1 bra LOOP;\n}\nret;\n}\n";
        std::string right = left;
        const std::size_t second = right.rfind("LOOP:");
        right.replace(second, 4, "AGAIN");
        right.replace(right.rfind("LOOP"), 4, "AGAIN");
        const Comparison c = compareTexts(left, right);
        COMPARE_IS_SOUND(c, left, right);
        QVERIFY2(c.same, summary(c).c_str());
        QCOMPARE(c.counts.of(RowClass::renamed), 2u);
    }
};

QTEST_APPLESS_MAIN(RenamingTest)
#include "renaming_test.moc"
