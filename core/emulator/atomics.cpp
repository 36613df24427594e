// Source: PTX ISA 9.0, 9.7.13.5 atom, 9.7.13.7 red.
// A kernel that has atomics on global memory runs its blocks in order on one host thread (run.cpp), so a plain read,
// change and write is atomic here, and the order of floating-point additions is always the same.
#include "emulator/cluster.h"
#include "emulator/observer.h"

#include <cmath>
#include <cstring>

namespace ptxwb::emulator {

namespace {

using ptx::ScalarType;

float addFloat(float a, float b) {
    const float r = a + b;
    return std::isnan(r) ? std::bit_cast<float>(0x7FFFFFFFU) : r;
}

template <class T>
T updated(AtomicKind kind, T old, T b, T c) {
    switch (kind) {
    case AtomicKind::add:
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(b));
    case AtomicKind::min: return b < old ? b : old;
    case AtomicKind::max: return b > old ? b : old;
    case AtomicKind::inc: return old >= b ? T{0} : static_cast<T>(old + 1);
    case AtomicKind::dec: return old == 0 || old > b ? b : static_cast<T>(old - 1);
    case AtomicKind::cas: return old == b ? c : old;
    case AtomicKind::exch: return b;
    case AtomicKind::bitAnd: return old & b;
    case AtomicKind::bitOr: return old | b;
    case AtomicKind::bitXor: return old ^ b;
    }
    return old;
}

} // namespace

std::uint64_t updatedBits(const AtomicOp& op, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
    if (op.halfAdd) return op.halfAdd(old, b, 0);
    switch (op.type) {
    case ScalarType::f32:
        if (op.kind == AtomicKind::add)
            return std::bit_cast<std::uint32_t>(addFloat(std::bit_cast<float>(static_cast<std::uint32_t>(old)),
                                                         std::bit_cast<float>(static_cast<std::uint32_t>(b))));
        break;
    case ScalarType::f64:
        if (op.kind == AtomicKind::add)
            return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
        break;
    case ScalarType::s32:
        return static_cast<std::uint32_t>(updated(op.kind, static_cast<std::int32_t>(old), static_cast<std::int32_t>(b),
                                                  static_cast<std::int32_t>(c)));
    case ScalarType::s64:
        return static_cast<std::uint64_t>(updated(op.kind, static_cast<std::int64_t>(old), static_cast<std::int64_t>(b),
                                                  static_cast<std::int64_t>(c)));
    case ScalarType::b16:
        return updated(op.kind, static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(b),
                       static_cast<std::uint16_t>(c));
    default: break;
    }
    if (ptx::sizeBytes(op.type) == 8) return updated(op.kind, old, b, c);
    return updated(op.kind, static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(c));
}

namespace {

void update(const Step& step, const AtomicOp& op, unsigned lane, std::uint8_t* at, std::uint32_t bytes) {
    std::uint64_t old = 0;
    std::memcpy(&old, at, bytes);
    const std::uint64_t b = step.value(op.b, lane);
    const std::uint64_t c = op.c.slot == noSlot ? 0 : step.value(op.c, lane);
    const std::uint64_t now = updatedBits(op, old, b, c);
    std::memcpy(at, &now, bytes);
    if (op.d.slot != noSlot) step.set(op.d, lane, old);
}

void atomicGlobal(const Step& step, const AtomicOp& op, const Addresses& a, std::uint32_t mask, std::uint32_t bytes) {
    Engine& engine = step.engine;
    mask = alignedLanes(step, a, mask, Direction::atomic, Window::global, 0, bytes);
    if (!engine.lastWriters.empty()) noteWriters(step, a, mask, bytes);
    engine.counters.globalLoadBytes += std::uint64_t{bytes} * static_cast<unsigned>(std::popcount(mask));
    engine.counters.globalStoreBytes += std::uint64_t{bytes} * static_cast<unsigned>(std::popcount(mask));
    forLanes(mask, [&](unsigned lane) {
        Allocation* own = allocationOf(engine, a.at[lane], a.at[lane], bytes);
        if (!own) return reportOutOfBounds(step, lane, Direction::atomic, Window::global, a.at[lane], bytes);
        if (own->access == Access::readOnly) return reportReadOnly(step, lane, *own, a.at[lane], bytes);
        const std::uint64_t offset = a.at[lane] - own->address;
        if (engine.options.initialisation && !own->initiallyWritten && op.kind != AtomicKind::exch &&
            !own->wasWritten(offset))
            reportUninitialized(step, lane, Window::global, a.at[lane], bytes);
        if (engine.global) noteAtomic(step, op, *own, a, lane);
        update(step, op, lane, own->bytes.data() + offset, bytes);
        for (std::uint32_t i = 0; i < bytes; ++i)
            own->written[((a.at[lane] + i) >> 2) - (own->address >> 2)] |=
                static_cast<std::uint8_t>(1U << ((a.at[lane] + i) & 3));
    });
}

/// Tells the race shadow, lane by lane where something may have to be reported.
void shadowAtomics(const Step& step, const AtomicOp& op, const Addresses& a, std::uint32_t mask, std::uint64_t base,
                   std::uint32_t bytes) {
    RaceShadow& shadow = step.block.shadow;
    const Options& options = step.engine.options;
    const bool needsWritten = options.initialisation && op.kind != AtomicKind::exch;
    const std::uint32_t place = placeNumber(step);
    std::uint32_t cells[32];
    if (bytes == shadow.granule()) {
        const int shift = std::countr_zero(bytes);
        for (unsigned lane = 0; lane < 32; ++lane) cells[lane] = static_cast<std::uint32_t>(a.at[lane] - base) >> shift;
    }
    for (std::uint32_t left = mask; left; left &= left - 1) {
        if (bytes == shadow.granule()) left &= ~shadow.atomics(step.warp.index, left, cells, place, needsWritten);
        if (!left) return;
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const auto offset = static_cast<std::uint32_t>(a.at[lane] - base);
        if (needsWritten && !shadow.wasWritten(offset, bytes))
            reportUninitialized(step, lane, Window::shared, offset, bytes);
        shadow.synchronise(step.warp.index, offset);
        learnFromBlock(step);
        const EarlierAccess earlier =
            shadow.write(step.warp.index, lane, offset, bytes, place, RaceShadow::Kind::strong);
        if (earlier.isRace && options.races) reportRace(step, lane, Direction::atomic, offset, bytes, earlier);
    }
}

/// The changes themselves, in order of lanes. `memory` is the host's copy of the address `start`.
void updateLanes(const Step& step, const AtomicOp& op, const Addresses& a, std::uint32_t mask, std::uint8_t* memory,
                 std::uint64_t start, std::uint32_t bytes) {
    if (op.kind != AtomicKind::add || bytes != 4 || ptx::isFloat(op.type) || op.halfAdd)
        return forLanes(mask, [&](unsigned lane) { update(step, op, lane, memory + (a.at[lane] - start), bytes); });
    // What histograms and counters do.
    const std::uint32_t* b = &step.word32(op.b.slot, 0);
    std::uint32_t* d = op.d.slot == noSlot ? nullptr : &step.word32(op.d.slot, 0);
    forLanes(mask, [&](unsigned lane) {
        std::uint32_t old = 0;
        std::memcpy(&old, memory + (a.at[lane] - start), 4);
        const std::uint32_t now = old + b[lane];
        std::memcpy(memory + (a.at[lane] - start), &now, 4);
        if (d) d[lane] = old;
    });
}

/// As storeToCluster of shared_access.cpp.
[[gnu::noinline]] std::uint32_t atomicInCluster(const Step& step, const AtomicOp& op, Addresses& a, std::uint32_t mask,
                                                std::uint64_t base, std::uint32_t bytes) {
    return byOwner(step, a, mask, base, Direction::atomic, bytes,
                   [&](const Step& there, unsigned lane, std::uint32_t offset) {
                       Block& block = there.block;
                       if (offset & (bytes - 1))
                           return reportMisaligned(there, lane, Direction::atomic, Window::shared, offset, bytes);
                       if (offset > block.shared.size() || bytes > block.shared.size() - offset)
                           return reportOutOfBounds(there, lane, Direction::atomic, Window::shared, offset, bytes);
                       if (step.engine.options.initialisation && op.kind != AtomicKind::exch &&
                           !block.shadow.wasWritten(offset, bytes))
                           reportUninitialized(there, lane, Window::shared, offset, bytes);
                       block.shadow.writeFromOutside(offset, bytes);
                       learnFromCluster(there, offset);
                       tellCluster(there, offset);
                       update(step, op, lane, block.shared.data() + offset, bytes);
                   });
}

void atomicShared(const Step& step, const AtomicOp& op, const Addresses& a, std::uint32_t mask, std::uint64_t base,
                  std::uint32_t bytes) {
    if (reachesCluster(step, a, base)) [[unlikely]] {
        Addresses own = a;
        if (const std::uint32_t left = atomicInCluster(step, op, own, mask, base, bytes))
            atomicShared(step, op, own, left, base, bytes);
        return;
    }
    Block& block = step.block;
    const Options& options = step.engine.options;
    ++step.engine.counters.sharedAccesses;
    mask = alignedLanes(step, a, mask, Direction::atomic, Window::shared, base, bytes);
    std::uint32_t inside = 0;
    forLanes(mask, [&](unsigned lane) {
        const std::uint64_t offset = a.at[lane] - base;
        if (offset > block.shared.size() || bytes > block.shared.size() - offset)
            return reportOutOfBounds(step, lane, Direction::atomic, Window::shared, offset, bytes);
        inside |= 1U << lane;
    });
    if (!block.inFlight.empty()) checkInFlight(step, a, inside, base, bytes, Direction::atomic);
    if (options.initialisation || options.races) shadowAtomics(step, op, a, inside, base, bytes);
    updateLanes(step, op, a, inside, block.shared.data(), base, bytes);
}

} // namespace

void atomic(const Step& step) {
    const AtomicOp& op = step.function().atomics[step.op.extra];
    const std::uint32_t bytes = ptx::sizeBytes(op.type);
    const Addresses a = addressesOf(step, op.address, bytes);
    if (step.engine.observer) [[unlikely]]
        step.engine.observer->access(step, op.space, a, bytes, AccessKind::atomic);
    if (op.space == ptx::StateSpace::shared) return atomicShared(step, op, a, step.mask, 0, bytes);
    if (op.space == ptx::StateSpace::global) return atomicGlobal(step, op, a, step.mask, bytes);
    byWindow(a, step.mask, [&](Window window, std::uint32_t lanes) {
        switch (window) {
        case Window::global: return atomicGlobal(step, op, a, lanes, bytes);
        case Window::shared: return atomicShared(step, op, a, lanes, sharedWindow, bytes);
        case Window::local:
            return forLanes(lanes, [&](unsigned lane) {
                reportOutOfBounds(step, lane, Direction::atomic, window, a.at[lane] - localWindow, bytes);
            });
        case Window::parameter:
            return forLanes(lanes, [&](unsigned lane) {
                reportOutOfBounds(step, lane, Direction::atomic, window, a.at[lane] - parameterWindow, bytes);
            });
        }
    });
}

} // namespace ptxwb::emulator
