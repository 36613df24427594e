// cp.async and its groups. The bytes are copied at once, and each word of the destination is marked as in flight until
// its thread has waited for the group: whoever touches a marked word is reported, though a simple emulator would give
// the right numbers. The wait counts as the thread's write, so other threads still need a barrier to see it.
// Source: PTX ISA 9.0, 9.7.9.25.3 cp.async, commit_group, wait_group.
#include "emulator/bulk_copy.h"
#include "emulator/observer.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <ranges>
#include <set>

namespace ptxwb::emulator {

namespace {

std::uint32_t markOf(std::uint32_t place, std::uint32_t warp, std::uint32_t lane) {
    return (place << 10 | warp << 5 | lane) + 1;
}

/// The source bytes of one lane; false (and a finding) where they cannot be read.
bool readSource(const Step& step, unsigned lane, std::uint64_t address, std::uint32_t bytes, std::uint32_t align,
                std::uint8_t* to) {
    if (!bytes) return true;
    Engine& engine = step.engine;
    if (address & (align - 1)) {
        reportMisaligned(step, lane, Direction::read, Window::global, address, align);
        return false;
    }
    const Allocation* from = allocationOf(engine, address, address, bytes);
    if (!from) {
        reportOutOfBounds(step, lane, Direction::read, Window::global, address, bytes);
        return false;
    }
    if (engine.options.initialisation && !from->initiallyWritten && !wasWritten(*from, address, bytes))
        reportUninitialized(step, lane, Window::global, address, bytes);
    if (engine.global && from->access == Access::readWrite) noteCopy(step, lane, *from, address, bytes);
    std::memcpy(to, from->bytes.data() + (address - from->address), bytes);
    return true;
}

/// Of copies that nobody waits for, those to places into which the thread has begun another copy since. Keeps the list
/// as short as shared memory allows.
void forgetOverwritten(Warp& warp) {
    constexpr std::size_t many = 1 << 16;
    if (warp.copies.size() < std::max(many, warp.copiesKept * 2)) return;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::vector<AsyncCopy> newest;
    for (const AsyncCopy& copy : warp.copies | std::views::reverse)
        if (seen.emplace(copy.lane, copy.offset).second) newest.push_back(copy);
    warp.copies.assign(newest.rbegin(), newest.rend());
    warp.copiesKept = warp.copies.size();
}

void reportInFlight(const Step& step, unsigned lane, Direction direction, std::uint32_t offset, std::uint32_t bytes,
                    std::uint32_t mark) {
    const bool isRead = mark & AsyncProxy::readMark;
    const std::uint32_t thread = ((mark & ~AsyncProxy::readMark) - 1) & 1023;
    const CodePlace other = codePlace(step.engine.program, ((mark & ~AsyncProxy::readMark) - 1) >> 10);
    if (step.engine.findings.known(FindingKind::race, step.place(), other, step.block.linear)) return;
    const Place there =
        step.engine.program.module->placeOf(other.function->source->instructions[other.op->instruction].span);
    Finding finding;
    finding.kind = FindingKind::race;
    finding.check = "async_copy";
    finding.address = offset;
    finding.bytes = bytes;
    const AsyncUse use = asyncUseOf(*other.op);
    finding.message = fmt::format("{} {} bytes of shared memory at offset {} that the {} at line {} may still be {}",
                                  direction == Direction::read    ? "reads"
                                  : direction == Direction::write ? "writes"
                                                                  : "updates",
                                  bytes, offset, use.name, there.line, isRead ? "reading" : "copying");
    finding.hint = isRead ? use.waitForReads : use.waitForWrites;
    RelatedFinding related;
    related.line = there.line;
    related.column = there.column;
    related.block = step.block.index;
    related.thread = threadIndex(step.engine.launch, thread >> 5, thread & 31);
    related.access = name(isRead ? Direction::read : Direction::write);
    related.message = fmt::format("the {} in flight", use.noun);
    finding.related.push_back(std::move(related));
    report(step, lane, std::move(finding), other);
}

} // namespace

void checkInFlight(const Step& step, const Addresses& a, std::uint32_t mask, std::uint64_t base, std::uint32_t bytes,
                   Direction direction) {
    const Block& block = step.block;
    if (!step.engine.options.races || !step.engine.options.asyncCopies) return;
    forLanes(mask, [&](unsigned lane) {
        const auto offset = static_cast<std::uint32_t>(a.at[lane] - base);
        for (std::uint32_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word)
            if (const std::uint32_t mark = block.inFlight[word];
                mark && !(mark & AsyncProxy::readMark && direction == Direction::read))
                return reportInFlight(step, lane, direction, offset, bytes, mark);
    });
}

void asyncCopy(const Step& step) {
    const AsyncCopyOp& op = step.function().asyncCopies[step.op.extra];
    Block& block = step.block;
    const std::uint32_t place = placeNumber(step);
    const Addresses to = addressesOf(step, op.to, op.bytes), from = addressesOf(step, op.from, op.bytes);
    if (step.engine.observer) [[unlikely]] {
        step.engine.observer->access(step, ptx::StateSpace::global, from, op.bytes, AccessKind::load);
        step.engine.observer->access(step, ptx::StateSpace::shared, to, op.bytes, AccessKind::store);
    }
    if (block.inFlight.empty()) block.inFlight.assign(block.shared.size() / 4 + 1, 0);
    ++step.engine.counters.sharedAccesses;
    const std::uint32_t aligned = alignedLanes(step, to, step.mask, Direction::write, Window::shared, 0, op.bytes);
    forLanes(aligned, [&](unsigned lane) {
        if (to.at[lane] > block.shared.size() || op.bytes > block.shared.size() - to.at[lane])
            return reportOutOfBounds(step, lane, Direction::write, Window::shared, to.at[lane], op.bytes);
        std::uint32_t wanted = op.bytes;
        if (op.sourceBytes != noSlot) wanted = std::min(wanted, step.word32(op.sourceBytes, lane));
        if (op.ignoreSource != noSlot && step.predicate(op.ignoreSource) >> lane & 1) wanted = 0;
        step.engine.counters.globalLoadBytes += wanted;
        std::uint8_t bytes[16] = {}; // what the source does not give is 0
        if (!readSource(step, lane, from.at[lane], wanted, op.bytes, bytes)) return;
        const auto offset = static_cast<std::uint32_t>(to.at[lane]);
        checkInFlight(step, to, 1U << lane, 0, op.bytes, Direction::write);
        const EarlierAccess earlier =
            block.shadow.write(step.warp.index, lane, offset, op.bytes, place, RaceShadow::Kind::plain);
        if (earlier.isRace && step.engine.options.races)
            reportRace(step, lane, Direction::write, offset, op.bytes, earlier);
        std::memcpy(block.shared.data() + offset, bytes, op.bytes);
        for (std::uint32_t word = offset / 4; word < (offset + op.bytes) / 4; ++word)
            block.inFlight[word] = markOf(place, step.warp.index, lane);
        forgetOverwritten(step.warp);
        step.warp.copies.push_back({lane, step.warp.copyGroups[lane], offset, op.bytes, place});
    });
}

void asyncCommit(const Step& step) {
    forLanes(step.mask, [&](unsigned lane) { ++step.warp.copyGroups[lane]; });
}

void clearInFlight(Block& block, const AsyncCopy& copy, std::uint32_t warp) {
    const std::uint32_t mark = markOf(copy.place, warp, copy.lane);
    for (std::uint32_t word = copy.offset / 4; word < (copy.offset + copy.bytes) / 4; ++word)
        if (block.inFlight[word] == mark) block.inFlight[word] = 0;
}

void asyncWait(const Step& step) {
    Warp& warp = step.warp;
    Block& block = step.block;
    const std::int64_t left = step.op.immediate;
    std::erase_if(warp.copies, [&](const AsyncCopy& copy) {
        if (!(step.mask >> copy.lane & 1)) return false;
        // Groups are numbered by thread; the current one is not committed yet.
        if (left >= 0 && std::int64_t{copy.group} >= std::int64_t{warp.copyGroups[copy.lane]} - left) return false;
        clearInFlight(block, copy, warp.index);
        // One that arrives at an mbarrier was written when it did.
        if (copy.mbarrier == AsyncCopy::none)
            block.shadow.write(warp.index, copy.lane, copy.offset, copy.bytes, copy.place, RaceShadow::Kind::plain);
        return true;
    });
}

} // namespace ptxwb::emulator
