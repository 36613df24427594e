// mbarrier objects of the thread block, and cp.async.mbarrier.arrive. Source: PTX ISA 9.0, 9.7.13.15 and 9.7.9.25.
// `.shared::cluster` means this block's own memory: an address in another block comes from mapa alone, which is
// `unsupported`.
#include "emulator/emitter.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using T = ptx::ScalarType;

struct KindRow {
    M modifier;
    MbarrierKind kind;
};
constexpr KindRow kinds[] = {
    {M::init, MbarrierKind::init},
    {M::inval, MbarrierKind::inval},
    {M::test_wait, MbarrierKind::testWait},
    {M::try_wait, MbarrierKind::tryWait},
    {M::pending_count, MbarrierKind::pendingCount},
    {M::arrive_drop, MbarrierKind::arriveDrop},
    {M::arrive, MbarrierKind::arrive}, // before expect_tx, which stands behind it too
    {M::expect_tx, MbarrierKind::expectBytes},
    {M::complete_tx, MbarrierKind::completeBytes},
};

bool emitMbarrier(Emitter& e, const MbarrierOp& op) {
    e.emit(Kind::mbarrier).extra = static_cast<std::uint32_t>(e.function().mbarriers.size());
    e.function().mbarriers.push_back(op);
    return true;
}

bool takeAddress(Emitter& e, const ptx::Operand& operand, MbarrierOp& op) {
    const auto address = e.address(operand);
    if (!address) return false;
    op.address = *address;
    op.isGeneric = e.source().spaceOf(e.instruction()) == ptx::StateSpace::none;
    return true;
}

bool decodeWait(Emitter& e, MbarrierOp& op) {
    const auto operands = e.operands(); // a fourth one is the longest time to wait
    if (operands.size() < 3) return false;
    const auto p = e.predicateDestination(operands[0]);
    op.isParity = e.has(M::parity);
    const auto state = op.isParity ? e.source(operands[2], T::u32, 4) : e.source(operands[2], T::b64, 8);
    if (!p || !state || !takeAddress(e, operands[1], op)) return false;
    op.d = *p;
    op.state = *state;
    return emitMbarrier(e, op);
}

bool decodePendingCount(Emitter& e, MbarrierOp& op) {
    const auto operands = e.operands();
    if (operands.size() != 2) return false;
    const auto d = e.destination(operands[0], T::b32, 4);
    const auto state = e.source(operands[1], T::b64, 8);
    if (!d || !state) return false;
    op.d = *d;
    op.state = *state;
    return emitMbarrier(e, op);
}

/// Arrivals: `state, [address], count`, the state and the count optional. The others: `[address], count`.
bool decodeUpdate(Emitter& e, MbarrierOp& op) {
    const auto operands = e.operands();
    const bool isArrival = op.kind == MbarrierKind::arrive || op.kind == MbarrierKind::arriveDrop;
    std::size_t next = 0;
    if (isArrival) {
        if (operands.size() < 2) return false;
        if (operands[0].kind != ptx::OperandKind::sink) {
            const auto d = e.destination(operands[0], T::b64, 8);
            if (!d) return false;
            op.d = *d;
        }
        next = 1;
        op.expectsBytes = e.has(M::expect_tx);
        op.staysOpen = e.has(M::noComplete);
    }
    if (!takeAddress(e, operands[next], op)) return false;
    if (operands.size() > next + 1) {
        const auto count = e.source(operands[next + 1], T::u32, 4);
        if (!count) return false;
        op.count = *count;
    } else if (!isArrival && op.kind != MbarrierKind::inval) {
        return false;
    }
    return emitMbarrier(e, op);
}

} // namespace

bool decodeMbarrier(Emitter& e) {
    if (!e.onlyModifiers({M::init, M::inval, M::test_wait, M::try_wait, M::pending_count, M::arrive_drop, M::arrive,
                          M::expect_tx, M::complete_tx, M::parity, M::noComplete, M::acquire, M::release, M::relaxed,
                          M::cta, M::cluster, M::shared_cta, M::shared_cluster}))
        return false;
    const auto row = std::ranges::find_if(kinds, [&](const KindRow& r) { return e.has(r.modifier); });
    if (row == std::end(kinds)) return false;
    MbarrierOp op;
    op.kind = row->kind;
    op.orders = !e.has(M::relaxed);
    switch (op.kind) {
    case MbarrierKind::testWait:
    case MbarrierKind::tryWait: return decodeWait(e, op);
    case MbarrierKind::pendingCount: return decodePendingCount(e, op);
    default: return decodeUpdate(e, op);
    }
}

bool decodeCopyArrival(Emitter& e) {
    if (!e.onlyModifiers({M::async, M::mbarrier, M::arrive, M::noinc, M::shared_cta})) return false;
    MbarrierOp op;
    op.kind = MbarrierKind::arriveCopies;
    op.staysOpen = !e.has(M::noinc);
    return e.operands().size() == 1 && takeAddress(e, e.operands()[0], op) && emitMbarrier(e, op);
}

} // namespace ptxwb::emulator
