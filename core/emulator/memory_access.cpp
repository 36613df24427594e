#include "emulator/memory_access.h"

#include "emulator/observer.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::uint8_t wholeWord = 0x0F;

} // namespace

bool wasWritten(const Allocation& allocation, std::uint64_t address, std::uint32_t bytes) {
    const std::uint8_t* flags = allocation.written.data() + ((address >> 2) - (allocation.address >> 2));
    if ((address & 3) == 0 && (bytes & 3) == 0) {
        for (std::uint32_t i = 0; i < bytes / 4; ++i)
            if (flags[i] != wholeWord) return false;
        return true;
    }
    // Another host thread may be setting the bits of the word's other bytes (there is no atomic_ref of const).
    for (std::uint32_t i = 0; i < bytes; ++i) {
        std::atomic_ref word(const_cast<std::uint8_t&>(flags[((address & 3) + i) >> 2]));
        if (!(word.load(std::memory_order_relaxed) >> ((address + i) & 3) & 1)) return false;
    }
    return true;
}

void setWritten(Allocation& allocation, std::uint64_t address, std::uint32_t bytes) {
    std::uint8_t* flags = allocation.written.data() + ((address >> 2) - (allocation.address >> 2));
    if ((address & 3) == 0 && (bytes & 3) == 0) {
        std::memset(flags, wholeWord, bytes / 4);
        return;
    }
    // Bytes of one word may be written by blocks on two host threads.
    for (std::uint32_t i = 0; i < bytes; ++i)
        std::atomic_ref(flags[((address & 3) + i) >> 2])
            .fetch_or(static_cast<std::uint8_t>(1U << ((address + i) & 3)), std::memory_order_relaxed);
}

namespace {

/// Reads 32 words of T that lie in row or anywhere, one a lane, into a slot of as many bytes.
template <class T>
void gather(T* to, const std::uint8_t* bytes, const Addresses& a, std::uint64_t start, std::uint32_t mask) {
    if (a.contiguous) {
        std::memcpy(to, bytes + (a.at[0] - start), 32 * sizeof(T));
    } else if (mask == ~0U) {
        for (unsigned i = 0; i < 32; ++i) std::memcpy(to + i, bytes + (a.at[i] - start), sizeof(T));
    } else {
        forLanes(mask, [&](unsigned i) { std::memcpy(to + i, bytes + (a.at[i] - start), sizeof(T)); });
    }
}

void loadGlobal(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask) {
    Engine& engine = step.engine;
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    engine.counters.globalLoadBytes += std::uint64_t{bytes} * lanesIn(mask);
    if (a.bits & (bytes - 1)) mask = alignedLanes(step, a, mask, Direction::read, Window::global, 0, bytes);
    const Allocation* allocation = allocationOf(engine, a.lowest, a.highest, bytes);
    if (allocation) {
        if (engine.options.initialisation && !allocation->initiallyWritten)
            forLanes(mask, [&](unsigned lane) {
                if (!wasWritten(*allocation, a.at[lane], bytes))
                    reportUninitialized(step, lane, Window::global, a.at[lane], bytes);
            });
        if (engine.global && allocation->access == Access::readWrite) noteLoad(step, m, *allocation, a, mask);
        const std::uint8_t* host = allocation->bytes.data();
        if (loadWords(step, m, host, allocation->address, a, mask)) return;
        if (m.count == 1 && m.bytes == 8 && m.values[0].slot != noSlot)
            return gather(&step.word64(m.values[0].slot, 0), host, a, allocation->address, mask);
        forLanes(mask, [&](unsigned lane) { loadElements(step, m, lane, host + (a.at[lane] - allocation->address)); });
        return;
    }
    forLanes(mask, [&](unsigned lane) {
        const Allocation* own = allocationOf(engine, a.at[lane], a.at[lane], bytes);
        if (!own) {
            reportOutOfBounds(step, lane, Direction::read, Window::global, a.at[lane], bytes);
            return zeroElements(step, m, lane);
        }
        if (engine.options.initialisation && !own->initiallyWritten && !wasWritten(*own, a.at[lane], bytes))
            reportUninitialized(step, lane, Window::global, a.at[lane], bytes);
        if (engine.global && own->access == Access::readWrite) noteLoad(step, m, *own, a, 1U << lane);
        loadElements(step, m, lane, own->bytes.data() + (a.at[lane] - own->address));
    });
}

void storeGlobal(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask) {
    Engine& engine = step.engine;
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    engine.counters.globalStoreBytes += std::uint64_t{bytes} * lanesIn(mask);
    if (a.bits & (bytes - 1)) mask = alignedLanes(step, a, mask, Direction::write, Window::global, 0, bytes);
    if (!engine.lastWriters.empty()) noteWriters(step, a, mask, bytes);
    Allocation* allocation = allocationOf(engine, a.lowest, a.highest, bytes);
    if (allocation && allocation->access == Access::readWrite) {
        std::uint8_t* host = allocation->bytes.data();
        if (engine.global)
            storeNoted(step, m, *allocation, a, mask);
        else if (!storeWords(step, m, host, allocation->address, a, mask))
            forLanes(mask,
                     [&](unsigned lane) { storeElements(step, m, lane, host + (a.at[lane] - allocation->address)); });
        if (a.contiguous && mask == ~0U && !(bytes & 3)) return setWritten(*allocation, a.at[0], 32 * bytes);
        forLanes(mask, [&](unsigned lane) { setWritten(*allocation, a.at[lane], bytes); });
        return;
    }
    forLanes(mask, [&](unsigned lane) {
        Allocation* own = allocationOf(engine, a.at[lane], a.at[lane], bytes);
        if (!own) return reportOutOfBounds(step, lane, Direction::write, Window::global, a.at[lane], bytes);
        if (own->access == Access::readOnly) return reportReadOnly(step, lane, *own, a.at[lane], bytes);
        if (engine.global)
            storeNoted(step, m, *own, a, 1U << lane);
        else
            storeElements(step, m, lane, own->bytes.data() + (a.at[lane] - own->address));
        setWritten(*own, a.at[lane], bytes);
    });
}

/// The thread's own bytes at `offset`, nullptr (and a finding) where they are not all in its frames.
std::uint8_t* localBytes(const Step& step, unsigned lane, std::uint64_t offset, std::uint32_t bytes,
                         Direction direction) {
    const std::uint64_t end = step.frame().localBase + step.function().localBytes;
    if (offset + bytes > end || offset > end) {
        reportOutOfBounds(step, lane, direction, Window::local, offset, bytes);
        return nullptr;
    }
    if (offset & (bytes - 1)) {
        reportMisaligned(step, lane, direction, Window::local, offset, bytes);
        return nullptr;
    }
    return step.warp.local.data() + std::size_t{lane} * step.engine.localCapacity + offset;
}

void loadLocal(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask, std::uint64_t base) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    forLanes(mask, [&](unsigned lane) {
        const std::uint64_t offset = a.at[lane] - base;
        const std::uint8_t* from = localBytes(step, lane, offset, bytes, Direction::read);
        if (!from) return zeroElements(step, m, lane);
        const std::uint8_t* written = step.warp.localWritten.data() + (from - step.warp.local.data());
        if (step.engine.options.initialisation && std::memchr(written, 0, bytes))
            reportUninitialized(step, lane, Window::local, offset, bytes);
        loadElements(step, m, lane, from);
    });
}

void storeLocal(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask, std::uint64_t base) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    forLanes(mask, [&](unsigned lane) {
        std::uint8_t* to = localBytes(step, lane, a.at[lane] - base, bytes, Direction::write);
        if (!to) return;
        storeElements(step, m, lane, to);
        std::memset(step.warp.localWritten.data() + (to - step.warp.local.data()), 1, bytes);
    });
}

bool parameterIsThere(const Step& step, const MemoryOp& m, std::uint64_t offset) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const std::uint64_t size = step.engine.launch.parameters.size();
    return offset <= size && bytes <= size - offset && !(offset & (bytes - 1));
}

void loadParameterLane(const Step& step, const MemoryOp& m, unsigned lane, std::uint64_t offset) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const auto& block = step.engine.launch.parameters;
    if (offset > block.size() || bytes > block.size() - offset) {
        reportOutOfBounds(step, lane, Direction::read, Window::parameter, offset, bytes);
        return zeroElements(step, m, lane);
    }
    if (offset & (bytes - 1)) {
        reportMisaligned(step, lane, Direction::read, Window::parameter, offset, bytes);
        return zeroElements(step, m, lane);
    }
    loadElements(step, m, lane, block.data() + offset);
}

} // namespace

Window windowOf(std::uint64_t address) {
    if (address < sharedWindow || address >= imageWindow) return Window::global;
    return address < localWindow ? Window::shared : address < parameterWindow ? Window::local : Window::parameter;
}

Addresses addressesOf(const Step& step, const AddressOperand& address, std::uint32_t bytes) {
    static const AddressFunction collect = addressFunction();
    Addresses a;
    collect(address.base == noSlot ? nullptr : step.slot(address.base), address.base64, address.offset, step.mask,
            bytes, a);
    return a;
}

namespace {
bool isOfWords(const MemoryOp& m) {
    if (m.bytes != 4) return false;
    for (unsigned e = 0; e < m.count; ++e)
        if (m.values[e].bytes != 4) return false;
    return true;
}

using Quad = std::uint32_t __attribute__((vector_size(16)));

Quad quadAt(const void* from) {
    Quad q;
    std::memcpy(&q, from, sizeof q);
    return q;
}

/// Rows to columns.
void transpose(Quad (&q)[4]) {
    const Quad a = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5), b = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5);
    const Quad c = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7), d = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
    q[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    q[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    q[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    q[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/// Four words of each lane to four slots, four lanes at a time. Every lane's address lies inside.
void loadQuads(const Step& step, const MemoryOp& m, const std::uint8_t* bytes, std::uint64_t start, const Addresses& a,
               std::uint32_t mask) {
    std::uint32_t* to[4];
    for (unsigned e = 0; e < 4; ++e) to[e] = &step.word32(m.values[e].slot, 0);
    for (unsigned lane = 0; lane < 32; lane += 4) {
        const std::uint32_t active = mask >> lane & 15;
        if (!active) continue;
        Quad q[4];
        for (unsigned i = 0; i < 4; ++i) q[i] = quadAt(bytes + (a.at[lane + i] - start));
        transpose(q);
        for (unsigned e = 0; e < 4; ++e) {
            if (active == 15) {
                std::memcpy(to[e] + lane, &q[e], sizeof q[e]);
                continue;
            }
            forLanes(active, [&](unsigned i) { to[e][lane + i] = q[e][i]; });
        }
    }
}

/// The other way, for all lanes, in their order: of several that write to one place the last one's value stays.
void storeQuads(const Step& step, const MemoryOp& m, std::uint8_t* bytes, std::uint64_t start, const Addresses& a) {
    for (unsigned lane = 0; lane < 32; lane += 4) {
        Quad q[4];
        for (unsigned e = 0; e < 4; ++e) q[e] = quadAt(&step.word32(m.values[e].slot, lane));
        transpose(q);
        for (unsigned i = 0; i < 4; ++i) std::memcpy(bytes + (a.at[lane + i] - start), &q[i], sizeof q[i]);
    }
}
} // namespace

bool storeWords(const Step& step, const MemoryOp& m, std::uint8_t* bytes, std::uint64_t start, const Addresses& a,
                std::uint32_t mask) {
    if (!isOfWords(m)) return false;
    if (a.contiguous && m.count == 1 && mask == ~0U) {
        std::memcpy(bytes + (a.at[0] - start), &step.word32(m.values[0].slot, 0), 128);
        return true;
    }
    if (m.count == 4 && mask == ~0U) {
        storeQuads(step, m, bytes, start, a);
        return true;
    }
    // Lane by lane: of several that write to one place the last one's value stays.
    const std::uint32_t* from[8];
    for (unsigned e = 0; e < m.count; ++e) from[e] = &step.word32(m.values[e].slot, 0);
    forLanes(mask, [&](unsigned lane) {
        std::uint8_t* to = bytes + (a.at[lane] - start);
        for (unsigned e = 0; e < m.count; ++e) std::memcpy(to + std::size_t{4} * e, from[e] + lane, 4);
    });
    return true;
}

bool loadWords(const Step& step, const MemoryOp& m, const std::uint8_t* bytes, std::uint64_t start, const Addresses& a,
               std::uint32_t mask) {
    static const GatherFunction gatherLanes = gatherFunction();
    if (!isOfWords(m)) return false;
    const bool hasAll =
        std::none_of(m.values.begin(), m.values.begin() + m.count, [](const SlotRef& r) { return r.slot == noSlot; });
    if (m.count == 4 && hasAll) {
        loadQuads(step, m, bytes, start, a, mask);
        return true;
    }
    for (unsigned e = 0; e < m.count; ++e) {
        if (m.values[e].slot == noSlot) continue;
        std::uint32_t* to = &step.word32(m.values[e].slot, 0);
        const std::uint8_t* from = bytes + std::size_t{4} * e;
        if (a.contiguous && m.count == 1 && mask == ~0U)
            std::memcpy(to, from + (a.at[0] - start), 128);
        else
            gatherLanes(from, start, a, mask, to);
    }
    return true;
}

Allocation* allocationOf(Engine& engine, std::uint64_t lowest, std::uint64_t highest, std::uint32_t bytes) {
    Allocation* last = engine.lastAllocation;
    if (!last || !last->holds(lowest, 1)) {
        Allocation* found = engine.memory.find(lowest);
        if (!found) found = engine.image.find(lowest);
        if (!found) return nullptr;
        engine.lastAllocation = last = found;
    }
    return last->holds(highest, bytes) ? last : nullptr;
}

std::uint32_t alignedLanes(const Step& step, const Addresses& a, std::uint32_t mask, Direction direction, Window window,
                           std::uint64_t base, std::uint32_t bytes) {
    std::uint32_t aligned = mask;
    forLanes(mask, [&](unsigned lane) {
        if (!(a.at[lane] & (bytes - 1))) return;
        aligned &= ~(1U << lane);
        reportMisaligned(step, lane, direction, window, a.at[lane] - base, bytes);
    });
    return aligned;
}

void loadElements(const Step& step, const MemoryOp& m, unsigned lane, const std::uint8_t* from) {
    for (unsigned e = 0; e < m.count; ++e) {
        std::uint64_t value = 0;
        std::memcpy(&value, from + std::size_t{e} * m.bytes, m.bytes); // little-endian hosts only, as CUDA's are
        if (m.isSigned && m.bytes < 8) {
            const unsigned shift = 64 - m.bytes * 8U;
            value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
        }
        if (m.values[e].slot != noSlot) step.set(m.values[e], lane, value);
    }
}

void storeElements(const Step& step, const MemoryOp& m, unsigned lane, std::uint8_t* to) {
    for (unsigned e = 0; e < m.count; ++e) {
        const std::uint64_t value = step.value(m.values[e], lane);
        std::memcpy(to + std::size_t{e} * m.bytes, &value, m.bytes);
    }
}

void zeroElements(const Step& step, const MemoryOp& m, unsigned lane) {
    for (unsigned e = 0; e < m.count; ++e)
        if (m.values[e].slot != noSlot) step.set(m.values[e], lane, 0);
}

void load(const Step& step) {
    const MemoryOp& m = step.function().memory[step.op.extra];
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const Addresses a = addressesOf(step, m.address, bytes);
    if (step.engine.observer) [[unlikely]]
        step.engine.observer->access(step, m.frameLocal ? ptx::StateSpace::param : m.space, a, bytes, AccessKind::load);
    if (m.frameLocal) return loadLocal(step, m, a, step.mask, static_cast<std::uint64_t>(0) - step.frame().localBase);
    switch (m.space) {
    case ptx::StateSpace::shared: return loadShared(step, m, a, step.mask, 0);
    case ptx::StateSpace::local: return loadLocal(step, m, a, step.mask, 0);
    case ptx::StateSpace::param:
        forLanes(step.mask, [&](unsigned lane) { loadParameterLane(step, m, lane, a.at[lane]); });
        return;
    case ptx::StateSpace::none:
        byWindow(a, step.mask, [&](Window window, std::uint32_t lanes) {
            switch (window) {
            case Window::global: return loadGlobal(step, m, a, lanes);
            case Window::shared: return loadShared(step, m, a, lanes, sharedWindow);
            case Window::local: return loadLocal(step, m, a, lanes, localWindow);
            case Window::parameter:
                return forLanes(lanes,
                                [&](unsigned lane) { loadParameterLane(step, m, lane, a.at[lane] - parameterWindow); });
            }
        });
        return;
    default: return loadGlobal(step, m, a, step.mask);
    }
}

void loadParameter(const Step& step) {
    const MemoryOp& m = step.function().memory[step.op.extra];
    const auto first = static_cast<unsigned>(std::countr_zero(step.mask));
    const auto offset = static_cast<std::uint64_t>(m.address.offset);
    if (step.mask != ~0U || !parameterIsThere(step, m, offset))
        return forLanes(step.mask, [&](unsigned lane) { loadParameterLane(step, m, lane, offset); });
    // Every lane gets the same: one load, then copies.
    loadElements(step, m, first, step.engine.launch.parameters.data() + offset);
    for (unsigned e = 0; e < m.count; ++e) {
        const SlotRef& to = m.values[e];
        if (to.slot == noSlot) continue;
        if (to.bytes == 8)
            std::fill_n(&step.word64(to.slot, 0), 32, step.word64(to.slot, first));
        else
            std::fill_n(&step.word32(to.slot, 0), 32, step.word32(to.slot, first));
    }
}

void store(const Step& step) {
    const MemoryOp& m = step.function().memory[step.op.extra];
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    const Addresses a = addressesOf(step, m.address, bytes);
    if (step.engine.observer) [[unlikely]]
        step.engine.observer->access(step, m.frameLocal ? ptx::StateSpace::param : m.space, a, bytes,
                                     AccessKind::store);
    if (m.frameLocal) return storeLocal(step, m, a, step.mask, static_cast<std::uint64_t>(0) - step.frame().localBase);
    switch (m.space) {
    case ptx::StateSpace::shared: return storeShared(step, m, a, step.mask, 0);
    case ptx::StateSpace::local: return storeLocal(step, m, a, step.mask, 0);
    case ptx::StateSpace::none:
        byWindow(a, step.mask, [&](Window window, std::uint32_t lanes) {
            switch (window) {
            case Window::global: return storeGlobal(step, m, a, lanes);
            case Window::shared: return storeShared(step, m, a, lanes, sharedWindow);
            case Window::local: return storeLocal(step, m, a, lanes, localWindow);
            case Window::parameter:
                return forLanes(lanes, [&](unsigned lane) {
                    reportOutOfBounds(step, lane, Direction::write, window, a.at[lane] - parameterWindow, bytes);
                });
            }
        });
        return;
    default: return storeGlobal(step, m, a, step.mask);
    }
}

} // namespace ptxwb::emulator
