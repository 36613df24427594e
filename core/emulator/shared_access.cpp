#include "emulator/memory_access.h"

#include <cstring>

namespace ptxwb::emulator {

namespace {

RaceShadow::Kind kindOf(const MemoryOp& m) {
    return m.strong ? RaceShadow::Kind::strong : RaceShadow::Kind::plain;
}

/// Where the lanes of a full warp go to 32 cells in a row.
bool isRow(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask) {
    return a.contiguous && mask == ~0U && m.count == 1 && m.bytes == step.block.shadow.granule() && !m.strong;
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

void loadShared(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask, std::uint64_t base) {
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
        });
    if (options.races || options.initialisation) {
        std::uint32_t left = good;
        if (isRow(step, m, a, good)) {
            if (block.shadow.readRow(step.warp.index, static_cast<std::uint32_t>(a.at[0] - base) / m.bytes,
                                     placeNumber(step)))
                left = 0;
        } else if (good && !m.strong) {
            // Aligned accesses of one size: lanes meet in the same cell of their access or not at all, so that it makes
            // no difference whether lanes or cells are gone through first.
            std::uint32_t cells[32];
            const int shift = std::countr_zero(block.shadow.granule());
            for (unsigned lane = 0; lane < 32; ++lane)
                cells[lane] = static_cast<std::uint32_t>(a.at[lane] - base) >> shift;
            left = 0;
            for (std::uint32_t cell = 0; cell < bytes >> shift; ++cell) {
                left |= block.shadow.readLanes(step.warp.index, good, cells, placeNumber(step));
                for (std::uint32_t& c : cells) ++c;
            }
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
    ++step.engine.counters.sharedAccesses;
    Block& block = step.block;
    const Options& options = step.engine.options;
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const std::uint32_t good = lanesInside(step, a, mask, base, bytes, Direction::write);
    if (!block.inFlight.empty()) checkInFlight(step, a, good, base, bytes, Direction::write);
    // The initialisation check reads who wrote from the race shadow, so that is kept up when either check is on.
    const bool shadowed = options.races || options.initialisation;
    const bool row =
        shadowed && isRow(step, m, a, good) &&
        block.shadow.writeRow(step.warp.index, static_cast<std::uint32_t>(a.at[0] - base) / m.bytes, placeNumber(step));
    std::uint8_t* host = block.shared.data();
    if (a.contiguous && good == ~0U && (row || !shadowed) && !m.strong && m.count == 1 && m.bytes == 4 &&
        m.values[0].bytes == 4) {
        std::memcpy(host + (a.at[0] - base), &step.word32(m.values[0].slot, 0), 128);
        return;
    }
    forLanes(good, [&](unsigned lane) {
        const auto offset = static_cast<std::uint32_t>(a.at[lane] - base);
        std::uint8_t before[32];
        std::memcpy(before, host + offset, bytes);
        storeElements(step, m, lane, host + offset);
        if (row || !shadowed) return;
        const EarlierAccess earlier =
            block.shadow.write(step.warp.index, lane, offset, bytes, placeNumber(step), kindOf(m));
        // Several threads that write the same value to the same place are in everyone's code and harm nobody.
        const bool sameValue = earlier.wasWrite && std::memcmp(before, host + offset, bytes) == 0;
        if (earlier.isRace && options.races && !sameValue)
            reportRace(step, lane, Direction::write, offset, bytes, earlier);
    });
    if (m.strong && good)
        forLanes(good, [&](unsigned lane) {
            block.shadow.synchronise(step.warp.index, static_cast<std::uint32_t>(a.at[lane] - base));
        });
}

} // namespace ptxwb::emulator
