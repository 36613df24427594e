// Our occupancy against the toolkit's own calculation, over many combinations.
#include "gpu/occupancy.h"

#include <QtTest>

#include <charconv>

#ifdef PTXWB_HAVE_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

using namespace ptxwb::gpu;

class OccupancyHeaderTest : public QObject {
    Q_OBJECT

private slots:
    void agrees() {
#ifndef PTXWB_HAVE_CUDA_OCCUPANCY
        QSKIP("cuda_occupancy.h of a CUDA toolkit was not found");
#else
        std::size_t combinations = 0, zeros = 0;
        for (const auto& arch : architectures()) {
            int number = 0;
            std::from_chars(arch.arch.data() + 3, arch.arch.data() + arch.arch.size(), number);
            cudaOccDeviceProp device;
            device.computeMajor = number / 10;
            device.computeMinor = number % 10;
            device.maxThreadsPerBlock = static_cast<int>(arch.maxThreadsPerBlock);
            device.maxThreadsPerMultiprocessor = static_cast<int>(arch.maxWarpsPerSm * arch.warpSize);
            device.regsPerBlock = static_cast<int>(arch.registersPerBlock);
            device.regsPerMultiprocessor = static_cast<int>(arch.registersPerSm);
            device.warpSize = static_cast<int>(arch.warpSize);
            device.sharedMemPerBlock = arch.sharedPerBlock;
            device.sharedMemPerMultiprocessor = arch.sharedPerSm;
            device.numSms = 1;
            device.sharedMemPerBlockOptin = arch.sharedPerBlockOptIn;
            device.reservedSharedMemPerBlock = arch.sharedReservedPerBlock;
            for (const std::uint32_t block : {1U, 31U, 32U, 33U, 64U, 96U, 128U, 160U, 224U, 256U, 288U, 384U, 512U,
                                              544U, 768U, 1000U, 1024U, 1025U})
                for (const std::uint32_t registers : {0U,  1U,  8U,  16U,  24U,  32U,  33U,  40U,  41U,  48U, 64U,
                                                      65U, 72U, 92U, 128U, 129U, 162U, 168U, 200U, 254U, 255U})
                    for (const std::uint32_t fixed : {0U, 1U, 4096U, 49152U})
                        for (const std::uint32_t dynamic :
                             {0U, 127U, 8192U, 50000U, 65536U, 101376U, 166912U, 232448U, 233000U})
                            for (const std::uint32_t barriers : {0U, 1U, 3U, 16U}) {
                                cudaOccFuncAttributes function;
                                function.maxThreadsPerBlock = static_cast<int>(arch.maxThreadsPerBlock);
                                function.numRegs = static_cast<int>(registers);
                                function.sharedSizeBytes = fixed;
                                function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
                                function.maxDynamicSharedSizeBytes = dynamic;
                                function.numBlockBarriers = static_cast<int>(barriers);
                                const cudaOccDeviceState state;
                                cudaOccResult expected{};
                                const auto status = cudaOccMaxActiveBlocksPerMultiprocessor(
                                    &expected, &device, &function, &state, static_cast<int>(block), dynamic);
                                QCOMPARE(static_cast<int>(status), static_cast<int>(CUDA_OCC_SUCCESS));
                                const auto got =
                                    occupancy(arch, {block, registers, fixed, dynamic, barriers, 1}).value();
                                const auto where = [&] {
                                    return QString("%1 block %2 regs %3 static %4 dynamic %5 barriers %6")
                                        .arg(QString::fromStdString(arch.arch))
                                        .arg(block)
                                        .arg(registers)
                                        .arg(fixed)
                                        .arg(dynamic)
                                        .arg(barriers)
                                        .toStdString();
                                };
                                if (static_cast<int>(got.blocksPerSm) != expected.activeBlocksPerMultiprocessor)
                                    QFAIL((where() + ": " + std::to_string(got.blocksPerSm) + " instead of " +
                                           std::to_string(expected.activeBlocksPerMultiprocessor))
                                              .c_str());
                                const unsigned factor = got.limiter == Limiter::warps       ? OCC_LIMIT_WARPS
                                                        : got.limiter == Limiter::registers ? OCC_LIMIT_REGISTERS
                                                        : got.limiter == Limiter::shared    ? OCC_LIMIT_SHARED_MEMORY
                                                        : got.limiter == Limiter::blocks    ? OCC_LIMIT_BLOCKS
                                                                                            : OCC_LIMIT_BARRIERS;
                                if (!(expected.limitingFactors & factor))
                                    QFAIL((where() + ": another limiter").c_str());
                                if (got.blocksPerSm == 0 && got.reason.empty())
                                    QFAIL((where() + ": no reason for 0").c_str());
                                ++combinations;
                                zeros += got.blocksPerSm == 0;
                            }
        }
        qInfo("%zu combinations agree, %zu of them 0 blocks", combinations, zeros);
        QVERIFY(combinations >= 10000);
        QVERIFY(zeros > 1000);
#endif
    }
};

QTEST_APPLESS_MAIN(OccupancyHeaderTest)
#include "occupancy_header_test.moc"
