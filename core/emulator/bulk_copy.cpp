// cp.async.bulk, cp.reduce.async.bulk and their groups. The bytes are copied at once; async_proxy.h tells how it is
// noticed that somebody does not wait for them. Source: PTX ISA 9.0, 9.7.9.25.4 and 9.7.9.25.5.
#include "emulator/bulk_copy.h"
#include "emulator/half_functions.h"
#include "emulator/mbarrier.h"
#include "emulator/observer.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t chunk = 16; ///< sizes and addresses are multiples of it

/// Calls f(address, bytes) for the pieces between multiples of 16: what the race check of global memory takes at a
/// time.
template <class F>
void byChunk(std::uint64_t address, std::uint64_t bytes, F f) {
    for (std::uint64_t end = address + bytes; address < end;) {
        const std::uint64_t next = std::min(end, (address | (chunk - 1)) + 1);
        f(address, static_cast<std::uint32_t>(next - address));
        address = next;
    }
}

std::uint32_t& groupOf(const Step& step, unsigned lane) {
    auto& groups = step.block.async.groups;
    if (groups.empty()) groups.assign(std::size_t{32} * step.block.warps.size(), 0);
    return groups[step.warp.index * 32 + lane];
}

/// The buffer that holds the bytes and may be written; nullptr and a finding where there is none.
Allocation* writableAt(const Step& step, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                       Direction direction) {
    Allocation* to = allocationOf(step.engine, address, address, bytes);
    if (!to) {
        reportOutOfBounds(step, lane, direction, Window::global, address, bytes);
        return nullptr;
    }
    if (to->access != Access::readOnly) return to;
    reportReadOnly(step, lane, *to, address, bytes);
    return nullptr;
}

void noteLastWriter(const Step& step, unsigned lane, std::uint64_t address, std::uint32_t bytes) {
    if (step.engine.lastWriters.empty()) return;
    Addresses a{};
    a.at[lane] = a.lowest = a.highest = address;
    noteWriters(step, a, 1U << lane, bytes);
}

/// The runs of bytes that .cp_mask lets through: bit i stands for byte i of every 16.
bool writeMasked(const Step& step, unsigned lane, std::uint64_t address, std::span<const std::uint8_t> data,
                 std::uint32_t mask) {
    for (std::size_t i = 0; i < data.size();) {
        std::size_t n = 0;
        while (i + n < data.size() && mask >> ((i + n) % chunk) & 1) ++n;
        if (n && !writeGlobal(step, lane, address + i, data.subspan(i, n))) return false;
        i += std::max<std::size_t>(n, 1);
    }
    return true;
}

void plainCopy(const Step& step, const BulkOp& op, unsigned lane, std::uint32_t shared, std::uint64_t global,
               std::uint32_t bytes) {
    Block& block = step.block;
    AsyncProxy::Transfer t;
    t.reads = op.toGlobal;
    t.warp = step.warp.index;
    t.lane = lane;
    t.place = placeNumber(step);
    t.offset = shared;
    t.bytes = bytes;
    const std::span memory(block.shared.data() + shared, bytes);
    if (op.toGlobal) {
        byChunk(shared, bytes, [&](std::uint64_t at, std::uint32_t n) {
            checkAsyncRead(step, lane, {static_cast<std::uint32_t>(at), n});
        });
        if (op.reduces)
            reduceGlobal(step, lane, op.reduce, global, memory);
        else if (op.byteMask != noSlot)
            writeMasked(step, lane, global, memory, step.word32(op.byteMask, lane));
        else
            writeGlobal(step, lane, global, memory);
        t.group = groupOf(step, lane);
    } else {
        checkAsyncWrite(step, lane, {shared, bytes});
        std::vector<std::uint8_t> data(bytes);
        readGlobal(step, lane, global, data);
        std::ranges::copy(data, memory.begin());
        const Addresses mbarrier = addressesOf(step, op.mbarrier, 8);
        if (!completeTransfer(step, lane, mbarrier.at[lane], bytes, t)) return;
    }
    beginTransfer(step, t);
}

/// Sizes and addresses that the hardware refuses.
bool isAligned(const Step& step, unsigned lane, std::uint32_t shared, std::uint64_t global, std::uint32_t bytes,
               bool toGlobal) {
    if (bytes % chunk) {
        refuseCopy(step, lane, FindingKind::misaligned, "alignment",
                   fmt::format("copies {} bytes, which is no multiple of {}", bytes, chunk),
                   "a bulk copy moves a multiple of 16 bytes; take the rest with ordinary loads and stores");
        return false;
    }
    const auto fits = [&](std::uint64_t address, Direction direction, Window window) {
        if (address % chunk == 0) return true;
        reportMisaligned(step, lane, direction, window, address, chunk);
        return false;
    };
    return fits(shared, toGlobal ? Direction::read : Direction::write, Window::shared) &&
           fits(global, toGlobal ? Direction::write : Direction::read, Window::global);
}

} // namespace

void refuseCopy(const Step& step, unsigned lane, FindingKind kind, const char* check, std::string message,
                std::string hint) {
    Finding finding;
    finding.kind = kind;
    finding.check = check;
    finding.message = std::move(message);
    finding.hint = std::move(hint);
    report(step, lane, std::move(finding));
}

ScalarFunction halfReduction(AtomicKind kind, ptx::ScalarType type) {
    if (type != ptx::ScalarType::f16 && type != ptx::ScalarType::bf16) return nullptr;
    if (kind == AtomicKind::add) return halfFunction(FloatOp::add, type, {});
    ExtremeMode mode;
    mode.maximum = kind == AtomicKind::max;
    return extremeFunction(type, mode);
}

bool readGlobal(const Step& step, unsigned lane, std::uint64_t address, std::span<std::uint8_t> data) {
    Engine& engine = step.engine;
    const auto bytes = static_cast<std::uint32_t>(data.size());
    if (!bytes) return true;
    const Allocation* from = allocationOf(engine, address, address, bytes);
    if (!from) {
        reportOutOfBounds(step, lane, Direction::read, Window::global, address, bytes);
        return false;
    }
    engine.counters.globalLoadBytes += bytes;
    if (engine.options.initialisation && !from->initiallyWritten && !wasWritten(*from, address, bytes))
        reportUninitialized(step, lane, Window::global, address, bytes);
    if (engine.global && from->access == Access::readWrite)
        byChunk(address, bytes, [&](std::uint64_t at, std::uint32_t n) { noteCopy(step, lane, *from, at, n); });
    std::memcpy(data.data(), from->bytes.data() + (address - from->address), bytes);
    return true;
}

bool writeGlobal(const Step& step, unsigned lane, std::uint64_t address, std::span<const std::uint8_t> data) {
    Engine& engine = step.engine;
    const auto bytes = static_cast<std::uint32_t>(data.size());
    if (!bytes) return true;
    Allocation* to = writableAt(step, lane, address, bytes, Direction::write);
    if (!to) return false;
    engine.counters.globalStoreBytes += bytes;
    noteLastWriter(step, lane, address, bytes);
    if (engine.global)
        byChunk(address, bytes, [&](std::uint64_t at, std::uint32_t n) { noteCopyTo(step, lane, *to, at, n); });
    std::memcpy(to->bytes.data() + (address - to->address), data.data(), bytes);
    setWritten(*to, address, bytes);
    return true;
}

bool reduceGlobal(const Step& step, unsigned lane, const AtomicOp& op, std::uint64_t address,
                  std::span<const std::uint8_t> data) {
    Engine& engine = step.engine;
    const auto bytes = static_cast<std::uint32_t>(data.size());
    if (!bytes) return true;
    Allocation* to = writableAt(step, lane, address, bytes, Direction::atomic);
    if (!to) return false;
    engine.counters.globalLoadBytes += bytes;
    engine.counters.globalStoreBytes += bytes;
    noteLastWriter(step, lane, address, bytes);
    if (engine.options.initialisation && !to->initiallyWritten && !wasWritten(*to, address, bytes))
        reportUninitialized(step, lane, Window::global, address, bytes);
    const std::uint32_t size = ptx::sizeBytes(op.type);
    Addresses a{};
    for (std::uint32_t i = 0; i < bytes; i += size) {
        a.at[lane] = address + i;
        if (engine.global) noteAtomic(step, op, *to, a, lane);
        std::uint8_t* place = to->bytes.data() + (address + i - to->address);
        std::uint64_t old = 0, with = 0;
        std::memcpy(&old, place, size);
        std::memcpy(&with, data.data() + i, size);
        const std::uint64_t now = updatedBits(op, old, with, 0);
        std::memcpy(place, &now, size);
    }
    setWritten(*to, address, bytes);
    return true;
}

void bulkCopy(const Step& step) {
    if (!step.mask) return;
    const BulkOp& op = step.function().bulkCopies[step.op.extra];
    ++step.engine.counters.sharedAccesses;
    const Addresses shared = addressesOf(step, op.shared, 1), global = addressesOf(step, op.global, 1);
    forLanes(step.mask, [&](unsigned lane) {
        if (step.engine.stopped) return;
        const std::uint64_t at = shared.at[lane];
        if (op.rank) return tensorCopy(step, op, lane, static_cast<std::uint32_t>(at), global.at[lane]);
        const std::uint32_t bytes = step.word32(op.bytes, lane);
        const Direction direction = op.toGlobal ? Direction::read : Direction::write;
        if (!isAligned(step, lane, static_cast<std::uint32_t>(at), global.at[lane], bytes, op.toGlobal)) return;
        if (at > step.block.shared.size() || bytes > step.block.shared.size() - at)
            return reportOutOfBounds(step, lane, direction, Window::shared, at, bytes);
        if (bytes) plainCopy(step, op, lane, static_cast<std::uint32_t>(at), global.at[lane], bytes);
    });
}

void bulkCommit(const Step& step) {
    forLanes(step.mask, [&](unsigned lane) { ++groupOf(step, lane); });
}

/// With .read and without: the bytes in global memory are there for whoever may see them in either case.
void bulkWait(const Step& step) {
    forLanes(step.mask, [&](unsigned lane) {
        const std::int64_t committed = groupOf(step, lane);
        landTransfers(step.block, [&](const AsyncProxy::Transfer& t) {
            return t.mbarrier == AsyncProxy::none && t.warp == step.warp.index && t.lane == lane &&
                   std::int64_t{t.group} < committed - step.op.immediate;
        });
    });
}

} // namespace ptxwb::emulator
