// Occupancy against figures that are known from GPUs.
#include "gpu/occupancy.h"
#include "support/files.h"
#include "support/json.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::gpu;

namespace {

Occupancy of(const char* arch, OccupancyRequest request) {
    return occupancy(architecture(arch).value(), request).value();
}

} // namespace

class OccupancyTest : public QObject {
    Q_OBJECT

private slots:
    void knownFigures() { // tests/data/gpu/occupancy.json: input and expectation together
        const auto parsed = parseJson(readFile(PTXWB_SOURCE_DIR "/tests/data/gpu/occupancy.json").value());
        QVERIFY(parsed.has_value());
        const auto rows = JsonReader(*parsed).elements().value();
        QVERIFY(rows.size() >= 20);
        for (const auto& row : rows) {
            OccupancyRequest request;
            request.block = static_cast<std::uint32_t>(row.integer("block").value());
            request.registers = static_cast<std::uint32_t>(row.integerOr("registers", 0).value());
            request.sharedStatic = static_cast<std::uint32_t>(row.integerOr("shared_static", 0).value());
            request.sharedDynamic = static_cast<std::uint32_t>(row.integerOr("shared_dynamic", 0).value());
            const auto got = of(row.text("arch").value().c_str(), request);
            const auto where = row.value().dump();
            QVERIFY2(got.blocksPerSm == row.integer("blocks").value(),
                     (where + " got " + std::to_string(got.blocksPerSm)).c_str());
            if (row.has("percent"))
                QVERIFY2(qAbs(got.percent - row.number("percent").value()) < 0.005,
                         (where + " got " + std::to_string(got.percent)).c_str());
            if (row.has("limiter")) QVERIFY2(name(got.limiter) == row.text("limiter").value(), where.c_str());
            QCOMPARE(got.reason, row.textOr("reason", "").value());
        }
    }

    void zeroSaysWhatWouldRun() {
        const auto tooMany = of("sm_80", {.block = 512, .registers = 254});
        QCOMPARE(tooMany.blocksPerSm, 0U);
        QCOMPARE(tooMany.hint,
                 std::string("At most 128 registers fit blocks of 512 threads: give the entry .maxntid 512 or "
                             ".maxnreg 128, or use smaller blocks."));
        QCOMPARE(tooMany.nextStep.value(), (RegisterStep{128, 1}));
        QCOMPARE(mostRegisters(architecture("sm_80").value(), 256), 255U);
        QCOMPARE(mostRegisters(architecture("sm_80").value(), 1024), 64U);
        QCOMPARE(mostRegisters(architecture("sm_80").value(), 2000), 0U);
    }

    void registersToTheNextStep() {
        QCOMPARE(of("sm_80", {.block = 256, .registers = 43}).nextStep.value(), (RegisterStep{40, 6}));
        QCOMPARE(of("sm_80", {.block = 256, .registers = 40}).nextStep.value(), (RegisterStep{32, 8}));
        QVERIFY(!of("sm_80", {.block = 256, .registers = 32}).nextStep.has_value());
        // Shared memory lets no more in, however few the registers.
        QVERIFY(!of("sm_80", {.block = 256, .registers = 43, .sharedDynamic = 81920}).nextStep.has_value());
    }

    void limitsOfEachResource() {
        const auto got =
            of("sm_90", {.block = 128, .registers = 64, .sharedStatic = 1000, .sharedDynamic = 40000, .barriers = 16});
        QCOMPARE(got.byWarps.value(), 16U);
        QCOMPARE(got.byRegisters.value(), 8U);
        QCOMPARE(got.sharedPerBlock, 42112U); // 42024 rounded up to 128
        QCOMPARE(got.byShared.value(), 5U);
        QCOMPARE(got.byBlocks.value(), 32U);
        QCOMPARE(got.byBarriers.value(), 4U);
        QCOMPARE(got.blocksPerSm, 4U);
        QCOMPARE(name(got.limiter), std::string_view("barriers"));
        QCOMPARE(got.registersPerBlock, 8192U);
        QVERIFY(!of("sm_80", {.block = 128, .barriers = 16}).byBarriers.has_value());
    }

    void sweeps() {
        const auto arch = architecture("sm_86").value();
        const auto blocks = sweep(arch, {.registers = 40}, SweepOver::block).value();
        QCOMPARE(blocks.size(), std::size_t{32});
        QCOMPARE(blocks.front().value, 32U);
        QCOMPARE(blocks[15].value, 512U);
        QCOMPARE(blocks[15].occupancy.blocksPerSm, 3U);
        const auto registers = sweep(arch, {.block = 1024}, SweepOver::registers).value();
        QCOMPARE(registers.back().value, 255U);
        QCOMPARE(registers.back().occupancy.blocksPerSm, 0U);
        QCOMPARE(registers.front().occupancy.blocksPerSm, 1U);
        const auto shared = sweep(arch, {.block = 128, .sharedStatic = 1024}, SweepOver::shared).value();
        QCOMPARE(shared.back().value, 98U * 1024);
        QCOMPARE(shared.back().occupancy.blocksPerSm, 1U);
        for (std::size_t i = 1; i < shared.size(); ++i)
            QVERIFY(shared[i].occupancy.blocksPerSm <= shared[i - 1].occupancy.blocksPerSm);
    }

    void clustersAndNonsense() {
        const auto hopper = architecture("sm_90").value(), ampere = architecture("sm_80").value();
        QCOMPARE(occupancy(hopper, {.block = 128, .registers = 32, .cluster = 8})->blocksPerSm, 16U);
        const auto large = occupancy(hopper, {.block = 128, .cluster = 16}).error();
        QCOMPARE(large.message, std::string("clusters of 16 blocks are larger than the 8 that every sm_90 runs"));
        const auto none = occupancy(ampere, {.block = 128, .cluster = 2}).error();
        QCOMPARE(none.message, std::string("clusters are not supported on sm_80"));
        QCOMPARE(occupancy(ampere, {}).error().message, std::string("a block of 0 threads cannot be launched"));
        QCOMPARE(of("sm_80", {.block = 4000000000U,
                              .registers = 4000000000U,
                              .sharedStatic = 4000000000U,
                              .sharedDynamic = 4000000000U})
                     .blocksPerSm,
                 0U);
    }
};

QTEST_APPLESS_MAIN(OccupancyTest)
#include "occupancy_test.moc"
