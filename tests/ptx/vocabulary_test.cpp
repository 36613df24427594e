// The tables: every word is found again, rows are well formed, versions and special registers are as documented.
#include "ptx/operand_roles.h"
#include "ptx/special_registers.h"
#include "ptx/targets.h"
#include "test_data.h"

#include <set>

using namespace ptxwb::ptx;

class VocabularyTest : public QObject {
    Q_OBJECT

private slots:
    void opcodes() {
        unsigned count = 0;
#define PTXWB_INSTRUCTION(id, text, ...)                                                                               \
    ++count;                                                                                                           \
    QVERIFY(opcode(text) == Opcode::id);                                                                               \
    QCOMPARE(instructionRow(Opcode::id)->name, std::string_view(text));                                                \
    QVERIFY(instructionRow(Opcode::id)->opcode == Opcode::id);                                                         \
    QVERIFY(instructionRow(Opcode::id)->minOperands <= instructionRow(Opcode::id)->maxOperands);                       \
    QVERIFY(instructionRow(Opcode::id)->section.starts_with("9.7."));                                                  \
    QVERIFY(!instructionRow(Opcode::id)->meaning.empty());
#include "ptx/instructions.def"
#undef PTXWB_INSTRUCTION
        QVERIFY(count > 130);
        QVERIFY(opcode("frob") == Opcode::unknown);
        QVERIFY(opcode("") == Opcode::unknown);
        QVERIFY(instructionRow(Opcode::unknown) == nullptr);
    }

    void modifiers() {
        std::set<std::string_view> seen;
#define PTXWB_MODIFIER(id, text)                                                                                       \
    QVERIFY2(seen.insert(text).second, text);                                                                          \
    QVERIFY2(word(text).modifier == Modifier::id, text);                                                               \
    QCOMPARE(name(Modifier::id), std::string_view(text));
#include "ptx/modifiers.def"
#undef PTXWB_MODIFIER
        QVERIFY(word("nan").modifier != word("NaN").modifier);
        QVERIFY(!word("nonsense").known());
        QCOMPARE(int(word("v8").vector), 8);
    }

    void typesAndSpaces() {
        for (unsigned i = 1; i <= static_cast<unsigned>(ScalarType::e3m2x4); ++i) {
            const auto type = static_cast<ScalarType>(i);
            QVERIFY(scalarType(name(type)) == type);
        }
        QVERIFY(!scalarType(""));
        QVERIFY(!scalarType("u33"));
        QCOMPARE(sizeBytes(ScalarType::b128), 16u);
        QCOMPARE(sizeBytes(ScalarType::pred), 0u);
        QVERIFY(isFloat(ScalarType::tf32) && isFloat(ScalarType::e2m1) && !isFloat(ScalarType::b16) &&
                !isFloat(ScalarType::u16x2));
        QVERIFY(word("const").space == StateSpace::constant);
        const Word cta = word("shared::cta");
        QVERIFY(cta.space == StateSpace::shared && cta.modifier == Modifier::shared_cta);
        QVERIFY(word("global").modifier == Modifier::unknown);
    }

    void targets() {
        QCOMPARE(int(*firstVersion(*target("sm_90"))), 78);
        QCOMPARE(int(*firstVersion(*target("sm_90a"))), 80);
        QCOMPARE(int(*firstVersion(*target("sm_80"))), 70);
        QCOMPARE(int(*firstVersion(*target("sm_100f"))), 88);
        QVERIFY(!firstVersion(*target("sm_80a")));
        QVERIFY(target("compute_90a")->suffix == 'a' && !target("gfx90") && !target("sm_") && !target("sm_90x") &&
                !target("sm_90ab"));
        QVERIFY(std::is_sorted(ptxVersions().begin(), ptxVersions().end()));
        for (const TargetRow& row : targetRows())
            QVERIFY(std::binary_search(ptxVersions().begin(), ptxVersions().end(), row.plain));
    }

    void specials() {
        QCOMPARE(int(specialRegister("%tid")->components), 4);
        QVERIFY(specialRegister("%clock64")->type == ScalarType::u64);
        QVERIFY(specialRegister("%envreg31") && !specialRegister("%envreg32"));
        QVERIFY(specialRegister("%pm7_64") && specialRegister("WARP_SZ") && !specialRegister("%foo"));
    }

    void destinations_data() {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<int>("count");
        const auto row = [](const char* text, int count) { QTest::newRow(text) << QString(text) << count; };
        row("add.s32 a, b, c;", 1);
        row("st.global.u32 [P], a;", 0);
        row("bar.sync 0;", 0);
        row("bar.red.popc.u32 a, 0, p;", 1);
        row("mbarrier.init.shared.b64 [s], 1;", 0);
        row("mbarrier.arrive.shared.b64 d, [s];", 1);
        row("mbarrier.try_wait.shared.b64 p, [s], d;", 1);
        row("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [d], {a, b};", 0);
        row("call (a), f, (b);", 1);
        row("call f2;", 0);
        row("atom.global.add.u32 a, [d], b;", 1);
        row("red.global.add.u32 [d], b;", 0);
    }

    void destinations() {
        QFETCH(QString, statement);
        QFETCH(int, count);
        const auto module = kernel(".reg .b32 a, b, c; .reg .b64 d; .reg .pred p; .shared .align 8 .b64 s;\n" +
                                       statement.toStdString() + "\nret;",
                                   ".func (.reg .b32 r) f(.reg .b32 x); .func f2();");
        const Function& function = module->functions.back();
        QCOMPARE(function.instructions.size(), std::size_t{2});
        QCOMPARE(int(destinationCount(function, function.instructions[0])), count);
    }
};

QTEST_APPLESS_MAIN(VocabularyTest)
#include "vocabulary_test.moc"
