// Loads, stores and atomics on global memory that the kernel may write, as its race check sees them.
#include "emulator/memory_access.h"

#include <cstring>

namespace ptxwb::emulator {

namespace {

WarpPlace warpPlace(const Step& step) {
    return {static_cast<std::uint32_t>(step.block.linear), step.warp.index, step.block.shadow, step.block.order};
}

bool speak(const Step& step) {
    return step.engine.global && step.engine.program.ordersBlocks;
}

GlobalAccess accessOf(const Step& step, const Allocation& allocation, const std::uint64_t* at, std::uint32_t bytes) {
    GlobalAccess access;
    access.allocation = &allocation;
    access.at = at;
    access.bytes = bytes;
    access.place = placeNumber(step);
    return access;
}

GlobalAccess accessOf(const Step& step, const MemoryOp& m, const Allocation& allocation, const Addresses& a) {
    GlobalAccess access = accessOf(step, allocation, a.at, static_cast<std::uint32_t>(m.bytes) * m.count);
    access.strong = m.strong;
    access.blockScope = m.blockScope;
    access.readOnlyPath = m.readOnlyPath;
    access.inRow = a.contiguous;
    return access;
}

void noteConflict(const Step& step, Direction direction, unsigned lane, const GlobalAccess& access,
                  const EarlierGlobalAccess& earlier) {
    if (earlier.block != static_cast<std::uint32_t>(step.block.linear)) step.engine.blocksRaced = true;
    reportGlobalRace(step, lane, direction, access.at[lane], access.bytes, earlier);
}

void noteReads(const Step& step, const GlobalAccess& access, std::uint32_t mask) {
    for (std::uint32_t left = mask; left;) {
        const GlobalShadow::Result r = step.engine.global->read(warpPlace(step), access, left);
        left &= ~r.recorded;
        if (!r.conflict.isRace) continue;
        noteConflict(step, Direction::read, 31 - static_cast<unsigned>(std::countl_zero(r.recorded)), access,
                     r.conflict);
    }
}

} // namespace

void fence(const Step& step) {
    if (!speak(step) || !step.mask || !step.op.immediate) return;
    step.engine.global->releases().fence(warpPlace(step), step.op.immediate == 1 ? Scope::block : Scope::device);
}

void learnFromBlock(const Step& step) {
    if (speak(step)) step.block.order.learnFromAll(step.warp.index);
}

void noteLoad(const Step& step, const MemoryOp& m, const Allocation& allocation, const Addresses& a,
              std::uint32_t mask) {
    GlobalShadow& shadow = *step.engine.global;
    if (m.strong)
        forLanes(mask, [&](unsigned lane) {
            shadow.releases().strongRead(warpPlace(step), shadow.cellOf(a.at[lane]), m.acquires);
        });
    GlobalAccess access = accessOf(step, m, allocation, a);
    access.strong |= m.firstGuess;
    noteReads(step, access, mask);
}

void storeNoted(const Step& step, const MemoryOp& m, Allocation& allocation, const Addresses& a, std::uint32_t mask) {
    GlobalShadow& shadow = *step.engine.global;
    GlobalAccess access = accessOf(step, m, allocation, a);
    access.speaks = m.strong;
    // A release covers what was before it, so it comes first; the store itself is named by it.
    if (m.strong)
        forLanes(mask, [&](unsigned lane) {
            shadow.releases().strongWrite(warpPlace(step), shadow.cellOf(a.at[lane]), m.releases,
                                          m.blockScope ? Scope::block : Scope::device);
        });
    std::uint8_t* host = allocation.bytes.data();
    for (std::uint32_t left = mask; left;) {
        const GlobalShadow::Result r = shadow.write(warpPlace(step), access, left);
        const auto last = 31 - static_cast<unsigned>(std::countl_zero(r.recorded));
        std::uint32_t plain = r.recorded;
        if (r.conflict.isRace) plain &= ~(1U << last);
        left &= ~r.recorded;
        if (plain && !storeWords(step, m, host, allocation.address, a, plain))
            forLanes(plain,
                     [&](unsigned lane) { storeElements(step, m, lane, host + (a.at[lane] - allocation.address)); });
        if (!r.conflict.isRace) continue;
        std::uint8_t* to = host + (a.at[last] - allocation.address);
        std::uint8_t before[32];
        std::memcpy(before, to, access.bytes);
        storeElements(step, m, last, to);
        // Several threads that write the same value to the same place are in everyone's code and harm nobody.
        const bool sameValue = r.conflict.wasWrite && std::memcmp(before, to, access.bytes) == 0;
        if (!sameValue) noteConflict(step, Direction::write, last, access, r.conflict);
    }
}

void noteAtomic(const Step& step, const AtomicOp& op, const Allocation& allocation, const Addresses& a, unsigned lane) {
    GlobalShadow& shadow = *step.engine.global;
    GlobalAccess access = accessOf(step, allocation, a.at, ptx::sizeBytes(op.type));
    access.strong = access.speaks = true;
    access.blockScope = op.blockScope;
    const std::uint64_t cell = shadow.cellOf(a.at[lane]);
    shadow.releases().strongUpdate(warpPlace(step), cell, op.acquires, op.releases,
                                   op.blockScope ? Scope::block : Scope::device);
    const GlobalShadow::Result r = shadow.write(warpPlace(step), access, 1U << lane);
    if (r.conflict.isRace) noteConflict(step, Direction::atomic, lane, access, r.conflict);
}

void noteCopyTo(const Step& step, unsigned lane, const Allocation& allocation, std::uint64_t address,
                std::uint32_t bytes) {
    std::uint64_t at[32];
    at[lane] = address;
    const GlobalAccess access = accessOf(step, allocation, at, bytes);
    const GlobalShadow::Result r = step.engine.global->write(warpPlace(step), access, 1U << lane);
    if (r.conflict.isRace) noteConflict(step, Direction::write, lane, access, r.conflict);
}

void noteCopy(const Step& step, unsigned lane, const Allocation& allocation, std::uint64_t address,
              std::uint32_t bytes) {
    std::uint64_t at[32];
    at[lane] = address;
    noteReads(step, accessOf(step, allocation, at, bytes), 1U << lane);
}

} // namespace ptxwb::emulator
