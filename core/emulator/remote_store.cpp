// st.async and red.async. Source: PTX ISA 9.0, 9.7.9.12 st.async, 9.7.13.8 red.async.
#include "emulator/bulk_copy.h"
#include "emulator/cluster.h"
#include "emulator/mbarrier.h"

#include <cstring>

namespace ptxwb::emulator {

namespace {

void storeValues(const Step& there, const AsyncStoreOp& op, unsigned lane, std::uint8_t* to) {
    for (unsigned i = 0; i < op.count; ++i) {
        std::uint64_t value = there.value(op.values[i], lane);
        if (op.reduces) {
            std::uint64_t old = 0;
            std::memcpy(&old, to, op.bytes);
            value = updatedBits(op.reduce, old, value, 0);
        }
        std::memcpy(to + std::size_t{i} * op.bytes, &value, op.bytes);
    }
}

} // namespace

void asyncStore(const Step& step) {
    if (!step.mask) return;
    const AsyncStoreOp& op = step.function().asyncStores[step.op.extra];
    ++step.engine.counters.sharedAccesses;
    const Addresses to = addressesOf(step, op.to, 1), mbarrier = addressesOf(step, op.mbarrier, 8);
    const std::uint32_t bytes = std::uint32_t{op.bytes} * op.count;
    const Direction direction = op.reduces ? Direction::atomic : Direction::write;
    forLanes(step.mask, [&](unsigned lane) {
        if (step.engine.stopped) return;
        Block* const owner = owningBlock(step, lane, to.at[lane], direction, bytes);
        Block* const counter = owner ? owningBlock(step, lane, mbarrier.at[lane], Direction::atomic, 8) : nullptr;
        if (!counter) return;
        if (owner != counter)
            return refuseCopy(step, lane, FindingKind::launch, "cluster",
                              "stores into shared memory of one block and tells an mbarrier of another",
                              "both lie in the same block: map both addresses with mapa");
        const Step there = turnedTo(step, *owner);
        const auto offset = static_cast<std::uint32_t>(to.at[lane] & offsetMask);
        if (offset % bytes) return reportMisaligned(there, lane, direction, Window::shared, offset, bytes);
        if (offset > owner->shared.size() || bytes > owner->shared.size() - offset)
            return reportOutOfBounds(there, lane, direction, Window::shared, offset, bytes);
        if (op.reduces && step.engine.options.initialisation && !owner->shadow.wasWritten(offset, bytes))
            reportUninitialized(there, lane, Window::shared, offset, bytes);
        AsyncProxy::Transfer t;
        t.warp = step.warp.index;
        t.lane = lane;
        t.place = placeNumber(step);
        t.offset = offset;
        t.bytes = bytes;
        if (op.reduces)
            owner->shadow.writeFromOutside(offset, bytes); // several may add to one place
        else
            checkAsyncWrite(there, lane, {offset, bytes});
        storeValues(there, op, lane, owner->shared.data() + offset);
        if (completeTransfer(there, lane, mbarrier.at[lane] & offsetMask, bytes, t) && !op.reduces)
            beginTransfer(there, t);
    });
}

} // namespace ptxwb::emulator
