// The baseline with fewer registers: at which numbers, and what becomes of its text.
#include "verify/register_sweep.h"

#include "ptx/parse.h"
#include "support/files.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <QtTest>
#include <fmt/format.h>

using namespace ptxwb;

namespace {

std::vector<std::uint32_t> steps(const char* arch, std::uint32_t registers, std::uint32_t block,
                                 std::uint32_t sharedBytes = 0, std::uint32_t sharedDynamic = 0) {
    verify::EntryResources resources;
    resources.registers = registers;
    resources.staticSharedBytes = sharedBytes;
    return verify::registerSteps(*gpu::architecture(arch), resources, block, sharedDynamic);
}

const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";

std::string limited(const std::string& body, std::uint32_t registers) {
    return verify::withMostRegisters(*ptx::parse(head + body, "k.ptx"), registers).substr(head.size());
}

using Numbers = std::vector<std::uint32_t>;

} // namespace

class RegisterSweepTest : public QObject {
    Q_OBJECT

private slots:
    void oneStepForEachFurtherBlock() {
        // 65,536 registers, 2,048 threads and 32 blocks a multiprocessor, registers given out in eights a thread.
        QCOMPARE(steps("sm_90", 40, 256), (Numbers{32}));
        QCOMPARE(steps("sm_90", 32, 256), Numbers{});
        QCOMPARE(steps("sm_90", 72, 128), (Numbers{64, 56, 48, 40, 32}));
        QCOMPARE(steps("sm_90", 255, 1024), (Numbers{64, 32}));
        // Shared memory lets two in, whatever the registers are.
        QCOMPARE(steps("sm_90", 128, 128, 100 * 1024), Numbers{});
        QCOMPARE(steps("sm_90", 128, 128, 0, 100 * 1024), Numbers{});
        // Half as many threads.
        QCOMPARE(steps("sm_75", 40, 256), Numbers{});
        const Numbers many = steps("sm_90", 255, 32);
        QVERIFY(many.size() <= 8 && many.size() > 4);
        QVERIFY(std::ranges::is_sorted(many, std::ranges::greater{}));
        QCOMPARE(many.back(), 64u); // 32 blocks fit with that
    }

    void onlyEntriesAreChanged() {
        QCOMPARE(limited(".visible .entry k(.param .u32 n)\n{\n\tret;\n}\n", 32),
                 std::string(".visible .entry k(.param .u32 n)\n.maxnreg 32\n{\n\tret;\n}\n"));
        QCOMPARE(limited(".visible .entry k()\n.maxntid 128, 1, 1 // a block\n{\n\tret;\n}\n", 24),
                 std::string(".visible .entry k()\n.maxntid 128, 1, 1 // a block\n.maxnreg 24\n{\n\tret;\n}\n"));
        QCOMPARE(limited(".visible .entry k()\n.maxnreg 64\n{ ret; }\n", 40),
                 std::string(".visible .entry k()\n.maxnreg 40\n{ ret; }\n"));
        QCOMPARE(
            limited(".func f()\n{ ret; }\n.entry a() { ret; }\n.entry b() .maxnreg 8 { ret; }\n", 16),
            std::string(".func f()\n{ ret; }\n.entry a() .maxnreg 16\n{ ret; }\n.entry b() .maxnreg 16 { ret; }\n"));
    }

    void ptxasKeepsToIt() {
        const auto tools = toolchain::discover({});
        if (!tools || tools->toolkits.empty() || !tools->toolkits.front().ptxas) QSKIP("no ptxas here");
        for (const auto& [name, registers] : {std::pair{"layer_norm", 40u}, {"hgemm_mma", 72u}, {"attention", 79u}}) {
            const std::string file = fmt::format("{0}/resources/examples/{1}/{1}.sm_90.ptx", PTXWB_SOURCE_DIR, name);
            const auto text = readFile(file);
            QVERIFY2(text, file.c_str());
            const Numbers wanted{registers - 8, 48, 32};
            const auto swept = verify::registerSweep({"baseline", file, *text}, wanted);
            QCOMPARE(swept.size(), wanted.size());
            for (std::size_t i = 0; i < swept.size(); ++i) {
                const auto made = toolchain::assemble(
                    {swept[i].text, swept[i].file, "sm_90", {}, std::chrono::minutes(1), 0}, tools->toolkits.front());
                QVERIFY2(made && made->ok, swept[i].name.c_str());
                QVERIFY2(made->resources.front().registers <= wanted[i], swept[i].name.c_str());
                QCOMPARE(swept[i].name, fmt::format("baseline_maxnreg_{}", wanted[i]));
            }
        }
    }
};

QTEST_GUILESS_MAIN(RegisterSweepTest)
#include "register_sweep.moc"
