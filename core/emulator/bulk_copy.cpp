// cp.async.bulk, cp.reduce.async.bulk and their groups. The bytes are copied at once; async_proxy.h tells how it is
// noticed that somebody does not wait for them. Source: PTX ISA 9.0, 9.7.9.25.4 and 9.7.9.25.5.
#include "emulator/bulk_copy.h"
#include "emulator/cluster.h"
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

AsyncProxy::Transfer transferOf(const Step& step, unsigned lane, SharedPiece piece, bool reads) {
    AsyncProxy::Transfer t;
    t.reads = reads;
    t.warp = step.warp.index;
    t.lane = lane;
    t.place = placeNumber(step);
    t.offset = piece.offset;
    t.bytes = piece.bytes;
    return t;
}

void copyToGlobal(const Step& step, const BulkOp& op, unsigned lane, SharedPiece piece, std::uint64_t global) {
    const std::span memory(step.block.shared.data() + piece.offset, piece.bytes);
    byChunk(piece.offset, piece.bytes, [&](std::uint64_t at, std::uint32_t n) {
        checkAsyncRead(step, lane, {static_cast<std::uint32_t>(at), n});
    });
    if (op.reduces)
        reduceGlobal(step, lane, op.reduce, global, memory);
    else if (op.byteMask != noSlot)
        writeMasked(step, lane, global, memory, step.word32(op.byteMask, lane));
    else
        writeGlobal(step, lane, global, memory);
    AsyncProxy::Transfer t = transferOf(step, lane, piece, true);
    t.group = groupOf(step, lane);
    beginTransfer(step, t);
}

/// `there`: the step turned to the block that gets the bytes.
void copyToShared(const Step& there, const BulkOp& op, unsigned lane, SharedPiece piece,
                  std::span<const std::uint8_t> data, std::uint64_t mbarrier) {
    std::uint8_t* const to = there.block.shared.data() + piece.offset;
    AsyncProxy::Transfer t = transferOf(there, lane, piece, false);
    if (op.reduces) {
        if (there.engine.options.initialisation && !there.block.shadow.wasWritten(piece.offset, piece.bytes))
            reportUninitialized(there, lane, Window::shared, piece.offset, piece.bytes);
        there.block.shadow.writeFromOutside(piece.offset, piece.bytes); // others may be adding to it too
        const std::uint32_t size = ptx::sizeBytes(op.reduce.type);
        for (std::size_t i = 0; i < data.size(); i += size) {
            std::uint64_t old = 0, with = 0;
            std::memcpy(&old, to + i, size);
            std::memcpy(&with, data.data() + i, size);
            const std::uint64_t now = updatedBits(op.reduce, old, with, 0);
            std::memcpy(to + i, &now, size);
        }
        completeTransfer(there, lane, mbarrier, piece.bytes, t);
        return;
    }
    checkAsyncWrite(there, lane, piece);
    std::ranges::copy(data, to);
    if (completeTransfer(there, lane, mbarrier, piece.bytes, t)) beginTransfer(there, t);
}

/// Sizes and addresses that the hardware refuses.
bool isAligned(const Step& step, unsigned lane, std::uint64_t shared, std::uint64_t global, std::uint32_t bytes,
               const BulkOp& op) {
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
    return fits(shared, op.toGlobal ? Direction::read : Direction::write, Window::shared) &&
           fits(global, op.toGlobal ? Direction::write : Direction::read, op.between ? Window::shared : Window::global);
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

namespace {

bool isInside(const Step& step, unsigned lane, Direction direction, std::uint64_t offset, std::uint32_t bytes) {
    const std::uint64_t size = step.block.shared.size();
    if (offset <= size && bytes <= size - offset) return true;
    reportOutOfBounds(step, lane, direction, Window::shared, offset, bytes);
    return false;
}

/// The offset in the block's own memory; the address itself (which lies outside) where it is another block's.
std::uint64_t ownOffset(const Step& step, std::uint64_t address) {
    return address >> rankShift == step.block.rank + 1 && step.engine.program.usesClusters ? address & offsetMask
                                                                                           : address;
}

/// The blocks that get a copy's bytes, in order of rank, each with the step turned to it: f(there). `shared` and
/// `mbarrier` are addresses of the lane.
template <class F>
void forReceivers(const Step& step, const BulkOp& op, unsigned lane, std::uint64_t shared, std::uint64_t mbarrier,
                  F f) {
    const auto refuseHere = [&](std::string message, std::string hint) {
        refuseCopy(step, lane, FindingKind::launch, "cluster", std::move(message), std::move(hint));
    };
    const bool clusters = step.engine.program.usesClusters;
    Block* owner = &step.block;
    if (isMapped(shared) && clusters) owner = owningBlock(step, lane, shared, Direction::write, chunk);
    if (!owner) return;
    Block* counter = &step.block;
    if (isMapped(mbarrier) && clusters) counter = owningBlock(step, lane, mbarrier, Direction::atomic, chunk);
    if (!counter) return;
    if (op.blocks == noSlot) {
        if (owner != counter)
            return refuseHere("copies to shared memory of one block and tells an mbarrier of another",
                              "both lie in the same block: map both addresses with mapa");
        return f(turnedTo(step, *owner));
    }
    const std::uint32_t ranks = step.word32(op.blocks, lane) & 0xFFFF;
    if (!ranks)
        return refuseHere("is a multicast to no block", "each bit of the mask stands for a rank in the cluster");
    forLanes(ranks, [&](unsigned rank) {
        if (Block* block = blockOfRank(step, lane, rank, Direction::write); block && !step.engine.stopped)
            f(turnedTo(step, *block));
    });
}

void plainCopy(const Step& step, const BulkOp& op, unsigned lane, std::uint64_t shared, std::uint64_t from,
               std::uint64_t mbarrier) {
    const std::uint32_t bytes = step.word32(op.bytes, lane);
    const Direction direction = op.toGlobal ? Direction::read : Direction::write;
    const std::uint64_t source = op.between ? ownOffset(step, from) : from;
    if (!isAligned(step, lane, shared, source, bytes, op)) return;
    if (op.toGlobal) {
        const std::uint64_t at = ownOffset(step, shared);
        if (isInside(step, lane, direction, at, bytes) && bytes)
            copyToGlobal(step, op, lane, {static_cast<std::uint32_t>(at), bytes}, from);
        return;
    }
    if (op.between && !isInside(step, lane, Direction::read, source, bytes)) return;
    if (!bytes) return;
    std::vector<std::uint8_t> data(bytes);
    if (op.between) {
        byChunk(source, bytes, [&](std::uint64_t at, std::uint32_t n) {
            checkAsyncRead(step, lane, {static_cast<std::uint32_t>(at), n});
        });
        std::copy_n(step.block.shared.begin() + static_cast<std::ptrdiff_t>(source), bytes, data.begin());
    } else {
        readGlobal(step, lane, from, data);
    }
    const std::uint64_t offset = isMapped(shared) && step.engine.program.usesClusters ? shared & offsetMask : shared;
    const std::uint64_t barrier =
        isMapped(mbarrier) && step.engine.program.usesClusters ? mbarrier & offsetMask : mbarrier;
    forReceivers(step, op, lane, shared, mbarrier, [&](const Step& there) {
        if (isInside(there, lane, direction, offset, bytes))
            copyToShared(there, op, lane, {static_cast<std::uint32_t>(offset), bytes}, data, barrier);
    });
}

} // namespace

void bulkCopy(const Step& step) {
    if (!step.mask) return;
    const BulkOp& op = step.function().bulkCopies[step.op.extra];
    ++step.engine.counters.sharedAccesses;
    const Addresses shared = addressesOf(step, op.shared, 1), global = addressesOf(step, op.global, 1);
    const Addresses mbarrier = op.toGlobal ? Addresses{} : addressesOf(step, op.mbarrier, 8);
    const bool clusters = step.engine.program.usesClusters;
    forLanes(step.mask, [&](unsigned lane) {
        if (step.engine.stopped) return;
        const std::uint64_t at = shared.at[lane], barrier = mbarrier.at[lane];
        if (!op.rank) return plainCopy(step, op, lane, at, global.at[lane], barrier);
        if (op.toGlobal) return tensorCopy(step, op, lane, ownOffset(step, at), global.at[lane], 0);
        const std::uint64_t mask = clusters ? offsetMask : ~std::uint64_t{0};
        forReceivers(step, op, lane, at, barrier, [&](const Step& there) {
            tensorCopy(there, op, lane, at & mask, global.at[lane], barrier & mask);
        });
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
