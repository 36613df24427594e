#include "gpu/occupancy.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

std::uint64_t divideUp(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit;
}
std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return divideUp(value, unit) * unit;
}

struct Registers {
    std::uint64_t perWarp = 0;  // allocated
    std::uint64_t perBlock = 0; // allocated
    std::uint64_t checked = 0;  // what the hardware compares with the block's limit
    std::uint64_t warps = 0;    // that the check counts
};

Registers registersOf(const Architecture& a, std::uint32_t registers, std::uint64_t warps) {
    Registers r;
    r.perWarp = roundUp(std::uint64_t{registers} * a.warpSize, a.registerAllocationUnit);
    r.perBlock = r.perWarp * warps;
    // The check assumes that all sub-partitions allocate at the same time.
    r.warps = roundUp(warps, a.subPartitions);
    r.checked = r.perWarp * r.warps;
    return r;
}

/// Blocks by registers alone; nullopt: no limit.
std::optional<std::uint64_t> blocksByRegisters(const Architecture& a, std::uint32_t registers, std::uint64_t warps) {
    if (registers == 0) return std::nullopt;
    const auto r = registersOf(a, registers, warps);
    if (registers > a.maxRegistersPerThread || r.checked > a.registersPerBlock) return 0;
    // Each sub-partition has its own share of the register file: resident warps round down to a multiple of them.
    const auto perPartition = a.registersPerSm / a.subPartitions / r.perWarp;
    return perPartition * a.subPartitions / warps;
}

std::uint64_t sharedOf(const Architecture& a, const OccupancyRequest& request) {
    return roundUp(std::uint64_t{request.sharedStatic} + request.sharedDynamic + a.sharedReservedPerBlock,
                   a.sharedAllocationUnit);
}

std::optional<std::uint64_t> blocksByShared(const Architecture& a, const OccupancyRequest& request) {
    const auto shared = sharedOf(a, request);
    if (shared == 0) return std::nullopt;
    if (request.sharedStatic > a.sharedPerBlock) return 0;
    if (shared > std::uint64_t{a.sharedPerBlockOptIn} + a.sharedReservedPerBlock) return 0;
    return a.sharedPerSm / shared;
}

std::string registerReason(const Architecture& a, const OccupancyRequest& q, std::uint64_t warps) {
    if (q.registers > a.maxRegistersPerThread)
        return fmt::format("{} regs > {} that a thread can have", q.registers, a.maxRegistersPerThread);
    const auto r = registersOf(a, q.registers, warps);
    const auto perThread = r.perWarp / a.warpSize;
    if (r.perBlock > a.registersPerBlock)
        return fmt::format("{} regs round to {}; {} threads need {} > {}", q.registers, perThread, q.block, r.perBlock,
                           a.registersPerBlock);
    return fmt::format("{} regs round to {}; {} threads are {} warps, checked as {}, and need {} > {}", q.registers,
                       perThread, q.block, warps, r.warps, r.checked, a.registersPerBlock);
}

void explainZero(Occupancy& result, const Architecture& a, const OccupancyRequest& q, std::uint64_t warps) {
    switch (result.limiter) {
    case Limiter::warps:
        result.reason = fmt::format("{} threads > {} that a block can have", q.block, a.maxThreadsPerBlock);
        result.hint = "Use smaller blocks.";
        return;
    case Limiter::registers: {
        result.reason = registerReason(a, q, warps);
        const auto most = mostRegisters(a, q.block);
        result.hint =
            fmt::format("At most {0} registers fit blocks of {1} threads: give the entry .maxntid {1} or .maxnreg {0}, "
                        "or use smaller blocks.",
                        most, q.block);
        return;
    }
    case Limiter::shared:
        if (q.sharedStatic > a.sharedPerBlock) {
            result.reason = fmt::format("{} bytes of static shared memory > {}", q.sharedStatic, a.sharedPerBlock);
            result.hint = "Declare it `.extern .shared` and pass the size at launch.";
            return;
        }
        result.reason = fmt::format("{} bytes of shared memory > {} that a block can have on {}",
                                    std::uint64_t{q.sharedStatic} + q.sharedDynamic, a.sharedPerBlockOptIn, a.arch);
        result.hint = "Use smaller tiles or fewer stages.";
        return;
    case Limiter::barriers:
        result.reason = fmt::format("{} barriers > {} of a multiprocessor", q.barriers, a.barriersPerSm.value_or(0));
        result.hint = "Use constant barrier numbers, so that ptxas need not assume all 16.";
        return;
    case Limiter::blocks: return;
    }
}

Expected<void> check(const Architecture& a, const OccupancyRequest& q) {
    if (q.block == 0)
        return failure(Cause::badRequest, "a block of 0 threads cannot be launched", "Give at least 1 thread.");
    if (q.cluster <= 1) return {};
    if (a.maxPortableCluster <= 1)
        return failure(Cause::badRequest, fmt::format("clusters are not supported on {}", a.arch),
                       "They begin with sm_90.");
    if (q.cluster > a.maxPortableCluster)
        return failure(
            Cause::badRequest,
            fmt::format("clusters of {} blocks are larger than the {} that every {} runs", q.cluster,
                        a.maxPortableCluster, a.arch),
            "Larger ones need the attribute for non-portable cluster sizes, and only the device can tell how many "
            "fit.");
    return {};
}

Occupancy compute(const Architecture& a, const OccupancyRequest& q) {
    const auto warps = divideUp(q.block, a.warpSize);
    Occupancy result;
    struct Limit {
        Limiter limiter;
        std::optional<std::uint64_t> blocks;
        std::optional<std::uint32_t>& shown;
    };
    std::optional<std::uint64_t> byBarriers;
    if (a.barriersPerSm && q.barriers) byBarriers = *a.barriersPerSm / q.barriers;
    const Limit limits[] = {
        {Limiter::warps, q.block > a.maxThreadsPerBlock ? 0 : a.maxWarpsPerSm / warps, result.byWarps},
        {Limiter::registers, blocksByRegisters(a, q.registers, warps), result.byRegisters},
        {Limiter::shared, blocksByShared(a, q), result.byShared},
        {Limiter::blocks, a.maxBlocksPerSm, result.byBlocks},
        {Limiter::barriers, byBarriers, result.byBarriers},
    };
    std::uint64_t least = ~std::uint64_t{0};
    for (const auto& limit : limits) {
        if (!limit.blocks) continue;
        limit.shown = static_cast<std::uint32_t>(*limit.blocks);
        if (*limit.blocks < least) {
            least = *limit.blocks;
            result.limiter = limit.limiter;
        }
    }
    result.blocksPerSm = static_cast<std::uint32_t>(least);
    result.warpsPerSm = static_cast<std::uint32_t>(least * warps);
    result.percent = 100.0 * result.warpsPerSm / a.maxWarpsPerSm;
    result.registersPerBlock = static_cast<std::uint32_t>(registersOf(a, q.registers, warps).perBlock);
    result.sharedPerBlock = static_cast<std::uint32_t>(sharedOf(a, q));
    if (result.blocksPerSm == 0) explainZero(result, a, q, warps);
    return result;
}

std::optional<RegisterStep> nextStep(const Architecture& a, OccupancyRequest q, std::uint32_t blocks) {
    const auto warps = divideUp(q.block, a.warpSize);
    // Without registers at all, what would run? If no more than now, saving them is of no use.
    auto without = q;
    without.registers = 0;
    if (compute(a, without).blocksPerSm <= blocks) return std::nullopt;
    for (q.registers = std::min(q.registers, a.maxRegistersPerThread + 1); q.registers > 1;) {
        --q.registers;
        if (blocksByRegisters(a, q.registers, warps) > blocks)
            return RegisterStep{q.registers, compute(a, q).blocksPerSm};
    }
    return std::nullopt;
}

} // namespace

std::string_view name(Limiter limiter) {
    switch (limiter) {
    case Limiter::warps: return "warps";
    case Limiter::registers: return "registers";
    case Limiter::shared: return "shared";
    case Limiter::blocks: return "blocks";
    case Limiter::barriers: return "barriers";
    }
    return "warps";
}

Expected<Occupancy> occupancy(const Architecture& arch, const OccupancyRequest& request) {
    if (auto checked = check(arch, request); !checked) return std::unexpected(std::move(checked.error()));
    auto result = compute(arch, request);
    result.nextStep = nextStep(arch, request, result.blocksPerSm);
    return result;
}

Expected<std::vector<SweepPoint>> sweep(const Architecture& arch, const OccupancyRequest& request, SweepOver over) {
    std::vector<SweepPoint> points;
    auto q = request;
    if (over == SweepOver::block && q.block == 0) q.block = arch.warpSize; // it is the one that changes
    if (auto checked = check(arch, q); !checked) return std::unexpected(std::move(checked.error()));
    const auto add = [&](std::uint32_t& field, std::uint32_t value) {
        field = value;
        points.push_back({value, compute(arch, q)});
        points.back().occupancy.nextStep = nextStep(arch, q, points.back().occupancy.blocksPerSm);
    };
    switch (over) {
    case SweepOver::block:
        for (auto block = arch.warpSize; block <= arch.maxThreadsPerBlock; block += arch.warpSize) add(q.block, block);
        break;
    case SweepOver::registers: {
        const auto step = arch.registerAllocationUnit / arch.warpSize;
        for (auto registers = step; registers < arch.maxRegistersPerThread; registers += step)
            add(q.registers, registers);
        add(q.registers, arch.maxRegistersPerThread);
        break;
    }
    case SweepOver::shared:
        for (std::uint32_t bytes = 0; std::uint64_t{bytes} + request.sharedStatic <= arch.sharedPerBlockOptIn;
             bytes += 1024)
            add(q.sharedDynamic, bytes);
        break;
    }
    return points;
}

std::uint32_t mostRegisters(const Architecture& arch, std::uint32_t block) {
    if (block == 0 || block > arch.maxThreadsPerBlock) return 0;
    const auto warps = divideUp(block, arch.warpSize);
    for (auto registers = arch.maxRegistersPerThread; registers > 0; --registers)
        if (blocksByRegisters(arch, registers, warps) > std::uint64_t{0}) return registers;
    return 0;
}

} // namespace ptxwb::gpu
