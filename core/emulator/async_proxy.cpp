// Source: PTX ISA 9.0, 8.2.2 proxies, 9.7.13.4 fence.proxy. A store of a thread is seen by the asynchronous proxy once
// a fence.proxy.async lies between, on whichever side of the barrier: here, once any warp that knew of the store has
// passed one. That misses fences that nothing orders before the copy, and raises no false alarm.
#include "emulator/bulk_copy.h"
#include "emulator/cluster.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

bool watches(const Step& step) {
    return step.engine.options.races && step.engine.options.asyncCopies;
}

void reportUnfenced(const Step& step, unsigned lane, const SharedPiece& piece, const RaceShadow::LastWrite& write,
                    const CodePlace& other) {
    if (step.engine.findings.known(FindingKind::race, step.place(), other, step.block.linear)) return;
    const Place there =
        step.engine.program.module->placeOf(other.function->source->instructions[other.op->instruction].span);
    Finding finding;
    finding.kind = FindingKind::race;
    finding.check = "async_proxy";
    finding.address = piece.offset;
    finding.bytes = piece.bytes;
    finding.message =
        fmt::format("reads {} bytes of shared memory at offset {} through the asynchronous proxy, with no "
                    "fence.proxy.async since line {} wrote them",
                    piece.bytes, piece.offset, there.line);
    finding.hint = "the threads that store execute fence.proxy.async, then pass the barrier behind which this stands";
    RelatedFinding related;
    related.line = there.line;
    related.column = there.column;
    related.block = step.block.index;
    related.thread = threadIndex(step.engine.launch, write.warp, write.lane);
    related.access = name(Direction::write);
    related.message = "the store that may not be seen";
    finding.related.push_back(std::move(related));
    report(step, lane, std::move(finding), other);
}

/// Stores and atomics of threads; what copies write needs no fence.
bool isGeneric(const MicroOp& op) {
    return op.kind == Kind::store || op.kind == Kind::atomic;
}

void checkFences(const Step& step, unsigned lane, const SharedPiece& piece) {
    const RaceShadow& shadow = step.block.shadow;
    std::uint32_t place = ~0U;
    bool generic = false;
    CodePlace other;
    for (std::uint32_t at = piece.offset; at < piece.offset + piece.bytes; at += shadow.granule()) {
        const RaceShadow::LastWrite write = shadow.lastWrite(at);
        if (!write.isThere || write.clock <= step.block.async.fenced[write.warp]) continue;
        if (write.place != place) {
            place = write.place;
            other = codePlace(step.engine.program, place);
            generic = other.op && isGeneric(*other.op);
        }
        if (generic) return reportUnfenced(step, lane, piece, write, other);
    }
}

void checkMarks(const Step& step, unsigned lane, const SharedPiece& piece, Direction direction) {
    const auto& marks = step.block.inFlight;
    if (marks.empty()) return;
    const auto first = marks.begin() + piece.offset / 4, last = marks.begin() + (piece.offset + piece.bytes + 3) / 4;
    const std::uint32_t harmless = direction == Direction::read ? AsyncProxy::readMark : 0;
    if (std::all_of(first, last, [&](std::uint32_t mark) { return !mark || mark & harmless; })) return;
    Addresses a{};
    a.at[lane] = piece.offset;
    checkInFlight(step, a, 1U << lane, 0, piece.bytes, direction);
}

} // namespace

AsyncUse asyncUseOf(const MicroOp& op) {
    switch (op.kind) {
    case Kind::bulkCopy:
        return {
            "cp.async.bulk", "copy",
            "commit the copy and wait for its group first (cp.async.bulk.wait_group.read), in the thread that made it",
            "wait first for the phase of its mbarrier that counts the copy's bytes"};
    case Kind::collective:
        return {"wgmma.mma_async", "product",
                "commit the product and wait for its group first (wgmma.wait_group), then pass a barrier", ""};
    default:
        return {"cp.async", "copy", "",
                "wait for the copy's group first (cp.async.wait_group with few enough groups left), then pass a "
                "barrier if another thread made the copy"};
    }
}

void proxyFence(const Step& step) {
    if (!step.mask) return;
    RaceShadow::Clocks known{};
    step.block.shadow.release(step.warp.index, known);
    RaceShadow::Clocks& fenced = step.block.async.fenced;
    for (std::size_t i = 0; i < fenced.size(); ++i) fenced[i] = std::max(fenced[i], known[i]);
}

void checkAsyncRead(const Step& step, unsigned lane, SharedPiece piece) {
    const Options& options = step.engine.options;
    RaceShadow& shadow = step.block.shadow;
    checkMarks(step, lane, piece, Direction::read);
    if (options.initialisation && !shadow.wasWritten(piece.offset, piece.bytes))
        reportUninitialized(step, lane, Window::shared, piece.offset, piece.bytes);
    if (!options.races && !options.initialisation) return;
    const EarlierAccess earlier =
        shadow.read(step.warp.index, lane, piece.offset, piece.bytes, placeNumber(step), RaceShadow::Kind::plain);
    if (earlier.isRace && options.races)
        return reportRace(step, lane, Direction::read, piece.offset, piece.bytes, earlier);
    if (watches(step)) checkFences(step, lane, piece);
}

void checkAsyncWrite(const Step& step, unsigned lane, SharedPiece piece) {
    const Options& options = step.engine.options;
    checkMarks(step, lane, piece, Direction::write);
    if (isForeign(step)) return step.block.shadow.writeFromOutside(piece.offset, piece.bytes);
    if (!options.races && !options.initialisation) return;
    const EarlierAccess earlier = step.block.shadow.write(step.warp.index, lane, piece.offset, piece.bytes,
                                                          placeNumber(step), RaceShadow::Kind::plain);
    if (earlier.isRace && options.races) reportRace(step, lane, Direction::write, piece.offset, piece.bytes, earlier);
}

std::uint32_t markOf(std::uint32_t place, std::uint32_t warp, std::uint32_t lane, bool reads) {
    return ((place << 10 | warp << 5 | lane) + 1) | (reads ? AsyncProxy::readMark : 0);
}

void setMark(Block& block, SharedPiece piece, std::uint32_t mark) {
    if (block.inFlight.empty()) block.inFlight.assign(block.shared.size() / 4 + 1, 0);
    for (std::uint32_t word = piece.offset / 4; word < (piece.offset + piece.bytes) / 4; ++word)
        block.inFlight[word] = mark;
}

void clearMark(Block& block, SharedPiece piece, std::uint32_t mark) {
    for (std::uint32_t word = piece.offset / 4; word < (piece.offset + piece.bytes) / 4; ++word)
        if (block.inFlight[word] == mark) block.inFlight[word] = 0;
}

void beginTransfer(const Step& step, const AsyncProxy::Transfer& t) {
    if (!watches(step)) return;
    setMark(step.block, {t.offset, t.bytes}, markOf(t.place, t.warp, t.lane, t.reads));
    step.block.async.transfers.push_back(t);
}

void endTransfer(Block& block, const AsyncProxy::Transfer& t) {
    clearMark(block, {t.offset, t.bytes}, markOf(t.place, t.warp, t.lane, t.reads));
    // To whoever stores there next, it reads until now.
    if (t.reads && t.bytes) block.shadow.read(t.warp, t.lane, t.offset, t.bytes, t.place, RaceShadow::Kind::plain);
}

} // namespace ptxwb::emulator
