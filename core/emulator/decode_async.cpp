// cp.async with groups; bulk and tensor copies are in decode_bulk.cpp. Source: PTX ISA 9.0, 9.7.9.25.3.
#include "emulator/emitter.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using T = ptx::ScalarType;

bool decodeCopy(Emitter& e) {
    const auto operands = e.operands();
    if (!e.onlyModifiers({M::async, M::ca, M::cg, M::shared_cta, M::L2_cache_hint, M::L2_64B, M::L2_128B, M::L2_256B}))
        return false;
    const std::size_t count = operands.size() - (e.has(M::L2_cache_hint) ? 1 : 0); // the last one is the policy
    if (count < 3 || count > 4 || operands[2].kind != ptx::OperandKind::integer) return false;
    AsyncCopyOp op;
    op.bytes = static_cast<std::uint32_t>(operands[2].value);
    if (op.bytes != 16 && (e.has(M::cg) || (op.bytes != 4 && op.bytes != 8))) return false;
    const auto to = e.address(operands[0]), from = e.address(operands[1]);
    if (!to || !from) return false;
    op.to = *to;
    op.from = *from;
    if (count == 4) {
        const bool isPredicate = operands[3].kind == ptx::OperandKind::reg && e.reg(operands[3].symbol).bytes == 0;
        const auto slot = isPredicate ? e.predicate(operands[3]) : e.source(operands[3], T::u32, 4);
        if (!slot) return false;
        (isPredicate ? op.ignoreSource : op.sourceBytes) = *slot;
    }
    MicroOp& micro = e.emit(Kind::asyncCopy);
    micro.extra = static_cast<std::uint32_t>(e.function().asyncCopies.size());
    e.function().asyncCopies.push_back(op);
    return true;
}

} // namespace

bool decodeAsync(Emitter& e) {
    if (e.instruction().opcode != ptx::Opcode::cp || !e.has(M::async)) return false;
    const auto operands = e.operands();
    if (e.has(M::bulk)) return decodeBulk(e);
    if (e.has(M::mbarrier)) return decodeCopyArrival(e);
    if (e.has(M::commit_group)) {
        if (!e.onlyModifiers({M::async, M::commit_group})) return false;
        e.emit(Kind::asyncCommit);
        return true;
    }
    if (e.has(M::wait_all)) {
        if (!e.onlyModifiers({M::async, M::wait_all})) return false;
        e.emit(Kind::asyncWait).immediate = -1;
        return true;
    }
    if (e.has(M::wait_group)) {
        if (operands.size() != 1 || operands[0].kind != ptx::OperandKind::integer ||
            !e.onlyModifiers({M::async, M::wait_group}))
            return false;
        e.emit(Kind::asyncWait).immediate = operands[0].value;
        return true;
    }
    return decodeCopy(e);
}

} // namespace ptxwb::emulator
