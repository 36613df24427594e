// nvdisasm's listing as values: a recording of nvdisasm 13.0 over `nvcc -arch=sm_90 -O3 -lineinfo`.
#include "support/files.h"
#include "toolchain/discover.h"
#include "toolchain/sass.h"

#include <QTest>
#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::toolchain;

class SassTest : public QObject {
    Q_OBJECT

private slots:
    void everyInstructionHasItsPlace() {
        const auto text = readFile(PTXWB_SOURCE_DIR "/tests/data/toolchain/sass/calls.nvdisasm.txt");
        QVERIFY(text.has_value());
        const auto functions = parseSass(*text);
        QVERIFY(functions.has_value());
        QCOMPARE(functions->size(), std::size_t(1));
        const SassFunction& calls = functions->front();
        QCOMPARE(calls.name, std::string("calls"));
        const auto& first = calls.instructions.front();
        QCOMPARE(first.offset, 0u);
        QCOMPARE(first.text, std::string("LDC R1, c[0x0][0x28]"));
        QCOMPARE(first.file, std::string("/src/calls.cu"));
        QCOMPARE(first.line, 6u);
        const auto at = [&](std::uint32_t offset) {
            return *std::ranges::find(calls.instructions, offset, &SassInstruction::offset);
        };
        QCOMPARE(at(0xc0).text, std::string("@P0 EXIT"));
        QCOMPARE(at(0xc0).line, 8u);
        QCOMPARE(at(0x100).text, std::string("LDG.E R0, desc[UR4][R4.64]"));
        QCOMPARE(at(0x280).label, std::string(".L_x_0"));
        QCOMPARE(at(0x290).label, std::string("$calls$_Z5twicef"));
        QCOMPARE(at(0x290).line, 2u);
        QCOMPARE(at(0x2c0).text, std::string("BRA `(.L_x_1)"));
        // Offsets go up by 16 without a gap: nothing was left out.
        for (std::size_t i = 0; i < calls.instructions.size(); ++i)
            QCOMPARE(calls.instructions[i].offset, static_cast<std::uint32_t>(16 * i));
    }

    void encodingsAndOtherTextAreNotInstructions() {
        const auto functions = parseSass("\t.target\tsm_75\n.text.k:\n"
                                         "        /*0000*/  @!P1 BRA 0x50 ;   /* 0x0000000000007918 */\n"
                                         "                                    /* 0x000fc00000000000 */\n"
                                         "        /*0010*/  EXIT ;\n");
        QVERIFY(functions.has_value());
        QCOMPARE(functions->front().instructions.size(), std::size_t(2));
        QCOMPARE(functions->front().instructions[0].text, std::string("@!P1 BRA 0x50"));
        QCOMPARE(functions->front().instructions[0].line, 0u);
    }

    void noListingIsAnError() {
        const auto functions = parseSass("nvdisasm fatal : something\n");
        QVERIFY(!functions);
        QVERIFY(functions.error().message.find("no instruction") != std::string::npos);
    }

    void withoutNvdisasm() {
        const auto functions = disassemble("", Toolkit{}, {});
        QVERIFY(!functions);
        QCOMPARE(functions.error().cause, Cause::missing);
        QVERIFY(functions.error().hint.find("nvdisasm") != std::string::npos);
    }

    void whatIsNoCubin() {
        const auto tools = discover();
        const auto found = std::ranges::find_if(tools->toolkits, [](const auto& t) { return t.nvdisasm.has_value(); });
        if (found == tools->toolkits.end()) QSKIP("no nvdisasm on this machine");
        const auto functions = disassemble("this is no cubin", *found, {});
        QVERIFY(!functions);
        QCOMPARE(functions.error().cause, Cause::rejected);
    }
};

QTEST_APPLESS_MAIN(SassTest)
#include "sass_test.moc"
