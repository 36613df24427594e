// Cards for hover help: every opcode has one that a reader can use.
#include "ptx/instruction_help.h"
#include "test_data.h"

#include <algorithm>
#include <set>

using namespace ptxwb::ptx;

class InstructionHelpTest : public QObject {
    Q_OBJECT

private slots:
    void everyOpcodeHasACardAndForms() {
        std::set<std::string> meanings;
        int count = 0;
        for (unsigned i = 1; i <= static_cast<unsigned>(Opcode::setmaxnreg); ++i) {
            const InstructionRow& row = *instructionRow(static_cast<Opcode>(i));
            const auto card = instructionCard(row.name);
            QVERIFY2(card, row.name.data());
            QVERIFY2(!card->forms.empty(), row.name.data());
            QVERIFY2(card->meaning.size() >= 4, row.name.data());
            QVERIFY2(card->section.starts_with("9.7."), row.name.data());
            QVERIFY2(card->address.find('#') != std::string::npos, row.name.data());
            ++count;
        }
        QVERIFY(count > 100);
    }

    void namesTheFormAskedAbout() {
        const auto card = instructionCard("add.rn.f32x2");
        QVERIFY(card);
        QCOMPARE(card->operands, std::string("d,a,b"));
        const auto found =
            std::find_if(card->forms.begin(), card->forms.end(), [](const CardForm& f) { return f.isThis; });
        QVERIFY(found != card->forms.end());
        QCOMPARE(found->text, std::string("add[.{rn,rz,rm,rp}][.ftz].f32x2"));
        QCOMPARE(found->since, std::string("PTX 8.6, sm_100"));
        QCOMPARE(std::count_if(card->forms.begin(), card->forms.end(), [](const CardForm& f) { return f.isThis; }), 1);
    }

    void tellsTheLetter() {
        const auto card = instructionCard("wgmma.fence.sync.aligned");
        QVERIFY(card);
        QVERIFY(std::any_of(card->forms.begin(), card->forms.end(),
                            [](const CardForm& f) { return f.isThis && f.since == "PTX 8.0, sm_90a"; }));
    }

    void unknownAndOdd() {
        QVERIFY(!instructionCard("frobnicate"));
        QVERIFY(!instructionCard(""));
        QVERIFY(instructionCard("add."));
        QVERIFY(instructionCard("add..f32"));
        QVERIFY(instructionCard("ld.nonsense"));
    }
};

QTEST_APPLESS_MAIN(InstructionHelpTest)
#include "instruction_help_test.moc"
