#include "emulator/cluster.h"

#include <cstring>

namespace ptxwb::emulator {

namespace {

RaceShadow::Kind kindOf(const MemoryOp& m) {
    return m.strong || m.firstGuess ? RaceShadow::Kind::strong : RaceShadow::Kind::plain;
}

/// The lanes' cells of the race shadow. Accesses are aligned and of one size, so lanes meet in all their cells or in
/// none.
RaceShadow::LaneCells cellsOf(const Step& step, const Addresses& a, std::uint32_t mask, std::uint64_t base,
                              std::uint32_t bytes) {
    RaceShadow::LaneCells lanes;
    const int shift = std::countr_zero(step.block.shadow.granule());
    lanes.mask = mask;
    lanes.perLane = bytes >> shift;
    for (unsigned lane = 0; lane < 32; ++lane)
        lanes.cells[lane] = static_cast<std::uint32_t>(a.at[lane] - base) >> shift;
    lanes.lowest = static_cast<std::uint32_t>(a.lowest - base) >> shift;
    lanes.highest = static_cast<std::uint32_t>(a.highest - base) >> shift;
    return lanes;
}

/// Lanes whose access lies in the block's shared memory; the others are reported.
std::uint32_t lanesInside(const Step& step, const Addresses& a, std::uint32_t mask, std::uint64_t base,
                          std::uint32_t bytes, Direction direction) {
    const std::uint64_t size = step.block.shared.size();
    auto inside = [&](std::uint64_t address) { return address - base <= size && bytes <= size - (address - base); };
    if (!(a.bits & (bytes - 1)) && inside(a.lowest) && inside(a.highest)) return mask;
    mask = alignedLanes(step, a, mask, direction, Window::shared, base, bytes);
    std::uint32_t good = mask;
    forLanes(mask, [&](unsigned lane) {
        if (inside(a.at[lane])) return;
        good &= ~(1U << lane);
        reportOutOfBounds(step, lane, direction, Window::shared, a.at[lane] - base, bytes);
    });
    return good;
}

} // namespace

std::uint32_t placeNumber(const Step& step) {
    std::uint32_t before = 0;
    for (const DecodedFunction& f : step.engine.program.functions) {
        if (&f == &step.function()) break;
        before += static_cast<std::uint32_t>(f.code.size());
    }
    return before + static_cast<std::uint32_t>(&step.op - step.function().code.data());
}

namespace {

/// Whether the lane's bytes lie in the memory of the block to which the step was turned.
bool isInside(const Step& step, unsigned lane, std::uint32_t offset, std::uint32_t bytes, Direction direction) {
    if (offset & (bytes - 1)) {
        reportMisaligned(step, lane, direction, Window::shared, offset, bytes);
        return false;
    }
    if (offset <= step.block.shared.size() && bytes <= step.block.shared.size() - offset) return true;
    reportOutOfBounds(step, lane, direction, Window::shared, offset, bytes);
    return false;
}

// Some lanes mean other blocks' memory: those one after another, the rest as usual. Apart, so that the usual case stays
// small.
[[gnu::noinline]] void loadFromCluster(const Step& step, const MemoryOp& m, Addresses a, std::uint32_t mask,
                                       std::uint64_t base) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    forLanes(mask, [&](unsigned lane) { zeroElements(step, m, lane); });
    const std::uint32_t own = byOwner(
        step, a, mask, base, Direction::read, bytes, [&](const Step& there, unsigned lane, std::uint32_t offset) {
            if (!isInside(there, lane, offset, bytes, Direction::read)) return;
            if (step.engine.options.initialisation && !there.block.shadow.wasWritten(offset, bytes))
                reportUninitialized(there, lane, Window::shared, offset, bytes);
            if (m.strong) learnFromCluster(there, offset);
            loadElements(step, m, lane, there.block.shared.data() + offset);
        });
    if (own) loadShared(step, m, a, own, base);
}

[[gnu::noinline]] void storeToCluster(const Step& step, const MemoryOp& m, Addresses a, std::uint32_t mask,
                                      std::uint64_t base) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const std::uint32_t own = byOwner(step, a, mask, base, Direction::write, bytes,
                                      [&](const Step& there, unsigned lane, std::uint32_t offset) {
                                          if (!isInside(there, lane, offset, bytes, Direction::write)) return;
                                          there.block.shadow.writeFromOutside(offset, bytes);
                                          if (m.strong) tellCluster(there, offset);
                                          storeElements(step, m, lane, there.block.shared.data() + offset);
                                      });
    if (own) storeShared(step, m, a, own, base);
}

} // namespace

void loadShared(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask, std::uint64_t base) {
    if (reachesCluster(step, a, base)) [[unlikely]] {
        return loadFromCluster(step, m, a, mask, base);
    }
    ++step.engine.counters.sharedAccesses;
    Block& block = step.block;
    const Options& options = step.engine.options;
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const std::uint32_t good = lanesInside(step, a, mask, base, bytes, Direction::read);
    forLanes(mask & ~good, [&](unsigned lane) { zeroElements(step, m, lane); });
    if (!block.inFlight.empty()) checkInFlight(step, a, good, base, bytes, Direction::read);
    if (m.strong && good)
        forLanes(good, [&](unsigned lane) {
            block.shadow.synchronise(step.warp.index, static_cast<std::uint32_t>(a.at[lane] - base));
            learnFromBlock(step);
        });
    if (options.races || options.initialisation) {
        std::uint32_t left = good;
        if (good == mask && !m.strong && !m.firstGuess) {
            const RaceShadow::LaneCells lanes = cellsOf(step, a, good, base, bytes);
            const std::uint32_t place = placeNumber(step);
            left = block.shadow.readAll(step.warp.index, lanes, place)
                       ? 0
                       : block.shadow.readLanes(step.warp.index, lanes, place);
        }
        forLanes(left, [&](unsigned lane) {
            const auto offset = static_cast<std::uint32_t>(a.at[lane] - base);
            if (options.initialisation && !block.shadow.wasWritten(offset, bytes))
                reportUninitialized(step, lane, Window::shared, offset, bytes);
            const EarlierAccess earlier =
                block.shadow.read(step.warp.index, lane, offset, bytes, placeNumber(step), kindOf(m));
            if (earlier.isRace && options.races) reportRace(step, lane, Direction::read, offset, bytes, earlier);
        });
    }
    const std::uint8_t* host = block.shared.data();
    if (good == mask && loadWords(step, m, host, base, a, good)) return;
    forLanes(good, [&](unsigned lane) { loadElements(step, m, lane, host + (a.at[lane] - base)); });
}

void storeShared(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask, std::uint64_t base) {
    if (reachesCluster(step, a, base)) [[unlikely]] {
        return storeToCluster(step, m, a, mask, base);
    }
    ++step.engine.counters.sharedAccesses;
    Block& block = step.block;
    const Options& options = step.engine.options;
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const std::uint32_t good = lanesInside(step, a, mask, base, bytes, Direction::write);
    if (!block.inFlight.empty()) checkInFlight(step, a, good, base, bytes, Direction::write);
    const auto synchronise = [&] {
        if (!m.strong) return;
        forLanes(good, [&](unsigned lane) {
            block.shadow.synchronise(step.warp.index, static_cast<std::uint32_t>(a.at[lane] - base));
        });
    };
    // The initialisation check reads who wrote from the race shadow, so that is kept up when either check is on.
    const bool shadowed = options.races || options.initialisation;
    const bool recorded =
        shadowed && good == mask && !m.strong &&
        block.shadow.writeAll(step.warp.index, cellsOf(step, a, good, base, bytes), placeNumber(step));
    std::uint8_t* host = block.shared.data();
    if ((recorded || !shadowed) && storeWords(step, m, host, base, a, good)) return synchronise();
    forLanes(good, [&](unsigned lane) {
        const auto offset = static_cast<std::uint32_t>(a.at[lane] - base);
        std::uint8_t before[32];
        std::memcpy(before, host + offset, bytes);
        storeElements(step, m, lane, host + offset);
        if (recorded || !shadowed) return;
        const EarlierAccess earlier =
            block.shadow.write(step.warp.index, lane, offset, bytes, placeNumber(step), kindOf(m));
        // Several threads that write the same value to the same place are in everyone's code and harm nobody.
        const bool sameValue = earlier.wasWrite && std::memcmp(before, host + offset, bytes) == 0;
        if (earlier.isRace && options.races && !sameValue)
            reportRace(step, lane, Direction::write, offset, bytes, earlier);
    });
    synchronise();
}

} // namespace ptxwb::emulator
