// Source: PTX ISA 9.0, 9.7.13.15. A phase is complete when no arrival and no byte is missing; the next one then begins
// with the expected count. The object's 8 bytes are opaque: here they hold a number that only tells whether somebody
// has overwritten it, and the state lies beside the block.
#include "emulator/mbarrier.h"

#include "emulator/bulk_copy.h"
#include "emulator/cluster.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t greatestCount = (1U << 20) - 1;
constexpr std::uint32_t objectBytes = 8;
constexpr unsigned quietRounds = 8; ///< of answers "not yet" before waiting counts as a deadlock

/// What the object's bytes hold.
std::uint64_t imprint(const Mbarrier& m) {
    return (m.phase << 40 ^ std::uint64_t{m.pending} << 20 ^ m.expected) + 0x6D62'6172'0000'0000;
}

/// The answer of an arrival: the phase in which it was made, and the arrivals that were missing.
std::uint64_t tokenOf(const Mbarrier& m) {
    return m.phase << 20 | m.pending;
}

Next refuse(const Step& step, unsigned lane, FindingKind kind, std::string message, std::string hint) {
    Finding finding;
    finding.kind = kind;
    finding.check = "mbarrier";
    finding.message = std::move(message);
    finding.hint = std::move(hint);
    report(step, lane, std::move(finding));
    step.engine.stopped = true;
    return Next::waits;
}

void imprintOn(const Step& step, std::uint32_t offset, const Mbarrier& m) {
    const std::uint64_t word = imprint(m);
    std::memcpy(step.block.shared.data() + offset, &word, objectBytes);
}

/// The object's bytes are touched: a race where other threads use them otherwise with nothing between.
void touch(const Step& step, unsigned lane, std::uint32_t offset, RaceShadow::Kind kind) {
    const EarlierAccess earlier =
        step.block.shadow.write(step.warp.index, lane, offset, objectBytes, placeNumber(step), kind);
    if (!earlier.isRace || !step.engine.options.races) return;
    reportRace(step, lane, kind == RaceShadow::Kind::plain ? Direction::write : Direction::atomic, offset, objectBytes,
               earlier);
}

/// An arrival or a wait: a race with the init where nothing orders the two.
void use(const Step& step, unsigned lane, std::uint32_t offset, const Mbarrier& m) {
    if (isForeign(step)) return;
    const bool byOther = m.made.warp != step.warp.index || m.made.lane != lane;
    if (byOther && step.engine.options.races && !step.block.shadow.isKnown(step.warp.index, m.made.warp, m.madeAt))
        reportRace(step, lane, Direction::atomic, offset, objectBytes, m.made);
    touch(step, lane, offset, RaceShadow::Kind::strong);
}

/// Whether an object can lie at the offset of the step's block; a finding where not.
bool canLieAt(const Step& step, unsigned lane, std::uint64_t offset) {
    if (offset > step.block.shared.size() || objectBytes > step.block.shared.size() - offset) {
        reportOutOfBounds(step, lane, Direction::atomic, Window::shared, offset, objectBytes);
        return false;
    }
    if (offset & (objectBytes - 1)) {
        reportMisaligned(step, lane, Direction::atomic, Window::shared, offset, objectBytes);
        return false;
    }
    return true;
}

/// Where one lane's object lies.
struct ObjectPlace {
    Block* block = nullptr; ///< nullptr (and a finding) where it cannot lie there
    std::uint32_t offset = 0;
};
ObjectPlace placeOf(const Step& step, const MbarrierOp& op, const Addresses& a, unsigned lane) {
    std::uint64_t offset = a.at[lane] - (op.isGeneric ? sharedWindow : 0);
    Block* block = &step.block;
    if (isMapped(offset) && step.engine.program.usesClusters) {
        block = owningBlock(step, lane, offset, Direction::atomic, objectBytes);
        offset &= offsetMask;
    }
    if (!block || !canLieAt(turnedTo(step, *block), lane, offset)) return {};
    return {block, static_cast<std::uint32_t>(offset)};
}

/// The object at the offset; nullptr (and a finding that ends the run) where none was made there.
Mbarrier* objectAt(const Step& step, unsigned lane, std::uint32_t offset) {
    const auto it = step.block.mbarriers.find(offset);
    if (it == step.block.mbarriers.end()) {
        refuse(step, lane, FindingKind::uninitialized,
               fmt::format("uses the mbarrier at offset {} of shared memory, which no mbarrier.init has made", offset),
               "initialise it in one thread and put a barrier between");
        return nullptr;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, step.block.shared.data() + offset, objectBytes);
    if (word == imprint(it->second)) return &it->second;
    refuse(step, lane, FindingKind::launch,
           fmt::format("uses the mbarrier at offset {} of shared memory, over which a store has written", offset),
           "mbarrier.inval it before its memory serves something else");
    return nullptr;
}

void wake(Block& block) {
    block.quietRounds = 0;
    for (auto& warp : block.warps)
        for (Split& split : warp->splits)
            if (split.state == SplitState::atMbarrier) {
                split.state = SplitState::ready;
                split.barrier = 0;
            }
}

/// Begins the next phase where nothing is missing.
void completeWhereFull(const Step& step, Mbarrier& m) {
    if (m.pending || m.bytes) return;
    ++m.phase;
    m.pending = m.expected;
    for (std::size_t i = 0; i < m.completed.size(); ++i) m.completed[i] = std::max(m.completed[i], m.arriving[i]);
    m.arriving = {};
    wake(step.block);
}

/// Takes `count` of the missing arrivals; false (and a finding that ends the run) where there are not so many.
bool arrive(const Step& step, const MbarrierOp& op, unsigned lane, std::uint32_t offset, Mbarrier& m,
            std::uint32_t count) {
    if (count == 0 || count > m.pending) {
        refuse(step, lane, FindingKind::launch,
               fmt::format("{} arrivals at the mbarrier at offset {}, which lacks {} of {} in this phase", count,
                           offset, m.pending, m.expected),
               "the count of mbarrier.init must be the number of arrivals of each phase");
        return false;
    }
    if (op.staysOpen && op.kind != MbarrierKind::arriveCopies && count == m.pending) {
        refuse(
            step, lane, FindingKind::launch,
            fmt::format("the last arrival at the mbarrier at offset {} is one that may not complete the phase", offset),
            "mbarrier.arrive without .noComplete");
        return false;
    }
    if (op.orders) {
        if (!isForeign(step)) step.block.shadow.release(step.warp.index, m.arriving);
        tellCluster(step, offset);
    }
    m.pending -= count;
    return true;
}

bool addBytes(const Step& step, unsigned lane, std::uint32_t offset, Mbarrier& m, std::int64_t bytes) {
    m.bytes += bytes;
    if (m.bytes <= greatestCount && m.bytes >= -static_cast<std::int64_t>(greatestCount)) return true;
    refuse(step, lane, FindingKind::launch,
           fmt::format("the mbarrier at offset {} is to expect {} bytes", offset, m.bytes),
           "an mbarrier counts at most 1,048,575 bytes in a phase");
    return false;
}

/// The lane's copies that it has not waited for count as written now, and stay marked as in flight until somebody sees
/// the phase complete.
void attachCopies(const Step& step, unsigned lane, std::uint32_t offset, const Mbarrier& m) {
    for (AsyncCopy& copy : step.warp.copies) {
        if (copy.lane != lane || copy.mbarrier != AsyncCopy::none) continue;
        step.block.shadow.write(step.warp.index, lane, copy.offset, copy.bytes, copy.place, RaceShadow::Kind::plain);
        copy.mbarrier = offset;
        copy.phase = m.phase;
    }
}

bool init(const Step& step, unsigned lane, std::uint32_t offset, std::uint32_t count) {
    if (count == 0 || count > greatestCount) {
        refuse(step, lane, FindingKind::launch, fmt::format("an mbarrier for {} arrivals cannot be made", count),
               "an mbarrier expects 1 to 1,048,575 arrivals");
        return false;
    }
    Mbarrier m;
    m.expected = m.pending = count;
    m.made = {true, true, false, step.warp.index, lane, placeNumber(step)};
    m.madeAt = step.block.shadow.now(step.warp.index);
    touch(step, lane, offset, RaceShadow::Kind::plain);
    imprintOn(step, offset, m);
    step.block.mbarriers[offset] = m;
    return true;
}

bool update(const Step& step, const MbarrierOp& op, unsigned lane, std::uint32_t offset) {
    Mbarrier* m = objectAt(step, lane, offset);
    if (!m) return false;
    use(step, lane, offset, *m);
    const std::uint32_t count = op.count == noSlot ? 1 : step.word32(op.count, lane);
    const std::uint64_t token = tokenOf(*m);
    bool good = true;
    switch (op.kind) {
    case MbarrierKind::inval: step.block.mbarriers.erase(offset); return true;
    case MbarrierKind::expectBytes: good = addBytes(step, lane, offset, *m, count); break;
    case MbarrierKind::completeBytes: good = addBytes(step, lane, offset, *m, -std::int64_t{count}); break;
    case MbarrierKind::arriveCopies:
        attachCopies(step, lane, offset, *m);
        if (op.staysOpen) ++m->pending;
        good = arrive(step, op, lane, offset, *m, 1);
        break;
    default:
        if (op.expectsBytes) good = addBytes(step, lane, offset, *m, count);
        good = good && arrive(step, op, lane, offset, *m, op.expectsBytes ? 1 : count);
        if (good && op.kind == MbarrierKind::arriveDrop) m->expected -= op.expectsBytes ? 1 : count;
        if (op.d != noSlot) step.word64(op.d, lane) = token;
        break;
    }
    if (!good) return false;
    completeWhereFull(step, *m);
    imprintOn(step, offset, *m);
    return true;
}

/// A thread has seen the phase complete: what was copied for it is there.
void landCopies(Block& block, std::uint32_t offset, const Mbarrier& m) {
    if (block.inFlight.empty()) return;
    landTransfers(block, [&](const AsyncProxy::Transfer& t) { return t.mbarrier == offset && t.phase < m.phase; });
    for (auto& warp : block.warps)
        std::erase_if(warp->copies, [&](const AsyncCopy& copy) {
            if (copy.mbarrier != offset || copy.phase >= m.phase) return false;
            clearInFlight(block, copy, warp->index);
            return true;
        });
}

/// The lanes not in `waiting` go on behind this instruction, these stay before it.
Next stay(const Step& step, std::size_t running, std::uint32_t waiting, std::uint32_t offset) {
    Split& split = step.split;
    Split going = split;
    going.mask = split.mask & ~waiting;
    ++going.pc;
    split.mask = waiting;
    split.state = SplitState::atMbarrier;
    split.barrier = offset;
    if (!going.mask) return Next::waits;
    step.warp.splits[running] = split;
    step.warp.splits.push_back(going);
    return Next::reloaded;
}

/// What a thread of another block of the cluster may do. Source: PTX ISA 9.0, 9.7.13.15.
bool reachesFar(const MbarrierOp& op) {
    switch (op.kind) {
    case MbarrierKind::arrive:
    case MbarrierKind::arriveDrop: return op.d == noSlot && !op.staysOpen;
    case MbarrierKind::expectBytes:
    case MbarrierKind::completeBytes: return true;
    default: return false;
    }
}

Next wait(const Step& step, const MbarrierOp& op, std::size_t running) {
    const Addresses a = addressesOf(step, op.address, objectBytes);
    std::uint32_t done = 0;
    std::optional<std::uint32_t> missing;
    for (std::uint32_t left = step.mask; left; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const ObjectPlace place = placeOf(step, op, a, lane);
        if (place.block && place.block != &step.block)
            return refuse(step, lane, FindingKind::launch, "waits for an mbarrier of another block of the cluster",
                          "a thread waits for mbarriers of its own block; others arrive at them from afar");
        const std::uint32_t offset = place.offset;
        const Mbarrier* m = place.block ? objectAt(step, lane, offset) : nullptr;
        if (!m) {
            step.engine.stopped = true;
            return Next::waits;
        }
        use(step, lane, offset, *m);
        const bool complete = op.isParity ? (m->phase & 1) != (step.word32(op.state, lane) & 1)
                                          : m->phase > step.word64(op.state, lane) >> 20;
        if (!complete) {
            if (!missing) missing = offset;
            continue;
        }
        done |= 1U << lane;
        if (op.orders) {
            step.block.shadow.acquire(step.warp.index, m->completed);
            learnFromBlock(step);
            learnFromCluster(step, offset);
        }
        landCopies(step.block, offset, *m);
    }
    std::uint32_t& p = step.predicate(op.d);
    p = (p & ~step.mask) | done;
    if (op.kind == MbarrierKind::testWait || done == step.mask) return Next::advance;
    return stay(step, running, step.mask & ~done, *missing);
}

} // namespace

Next mbarrierStep(const Step& step, std::size_t running) {
    if (!step.mask) return Next::advance;
    const MbarrierOp& op = step.function().mbarriers[step.op.extra];
    if (op.kind == MbarrierKind::tryWait || op.kind == MbarrierKind::testWait) return wait(step, op, running);
    if (op.kind == MbarrierKind::pendingCount) {
        forLanes(step.mask, [&](unsigned lane) {
            step.word32(op.d, lane) = static_cast<std::uint32_t>(step.word64(op.state, lane)) & greatestCount;
        });
        return Next::advance;
    }
    ++step.engine.counters.sharedAccesses;
    const Addresses a = addressesOf(step, op.address, objectBytes);
    for (std::uint32_t left = step.mask; left; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const ObjectPlace place = placeOf(step, op, a, lane);
        const auto operate = [&](const Step& there) {
            if (!isForeign(there))
                return op.kind == MbarrierKind::init ? init(there, lane, place.offset, step.word32(op.count, lane))
                                                     : update(there, op, lane, place.offset);
            if (reachesFar(op)) return update(there, op, lane, place.offset);
            refuse(there, lane, FindingKind::launch, "uses an mbarrier of another block of the cluster",
                   "from afar a thread may arrive at it (mbarrier.arrive.shared::cluster), expect and complete bytes, "
                   "and gets no state");
            return false;
        };
        if (place.block && operate(turnedTo(step, *place.block))) continue;
        step.engine.stopped = true;
        return Next::waits;
    }
    return Next::advance;
}

bool completeTransfer(const Step& step, unsigned lane, std::uint64_t offset, std::uint32_t bytes,
                      AsyncProxy::Transfer& transfer) {
    const auto at = static_cast<std::uint32_t>(offset);
    Mbarrier* m = canLieAt(step, lane, offset) ? objectAt(step, lane, at) : nullptr;
    if (!m) {
        step.engine.stopped = true;
        return false;
    }
    use(step, lane, at, *m);
    transfer.mbarrier = at;
    transfer.phase = m->phase;
    if (!isForeign(step)) step.block.shadow.release(step.warp.index, m->arriving);
    tellCluster(step, at);
    if (!addBytes(step, lane, at, *m, -std::int64_t{bytes})) return false;
    completeWhereFull(step, *m);
    imprintOn(step, at, *m);
    return true;
}

bool timeOutMbarriers(Block& block) {
    if (block.quietRounds >= quietRounds) return false;
    bool any = false;
    for (auto& warp : block.warps)
        for (Split& split : warp->splits) {
            if (split.state != SplitState::atMbarrier) continue;
            // The predicate is false already.
            split.state = SplitState::ready;
            split.barrier = 0;
            ++split.pc;
            any = true;
        }
    if (any) ++block.quietRounds;
    return any;
}

std::string mbarrierLacks(const Block& block, const Split& split) {
    const auto it = block.mbarriers.find(split.barrier);
    if (split.state != SplitState::atMbarrier || it == block.mbarriers.end()) return {};
    const Mbarrier& m = it->second;
    std::string out = fmt::format("; the mbarrier at offset {} ", it->first);
    if (m.pending || !m.bytes) out += fmt::format("lacks {} of {} arrivals", m.pending, m.expected);
    if (m.pending && m.bytes) out += " and ";
    if (m.bytes > 0) out += fmt::format("{}{} of the bytes that it expects", m.pending ? "" : "lacks ", m.bytes);
    if (m.bytes < 0) out += fmt::format("has had {} bytes more than it expects", -m.bytes);
    return out;
}

} // namespace ptxwb::emulator
