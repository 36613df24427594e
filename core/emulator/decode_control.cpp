// Branches, barriers and the collectives of a warp.
#include "emulator/emitter.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;
using ptx::Operand;
using ptx::OperandKind;

bool decodeBranch(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 1 || operands[0].kind != OperandKind::label || !e.onlyModifiers({M::uni})) return false;
    // The index of an instruction for now; `decode` turns it into a place in the code.
    e.emit(Kind::branch).immediate = e.source().labels[operands[0].symbol].target;
    return true;
}

/// brx.idx index, tlist: the list is a `.branchtargets` directive that stands under the label's name.
bool decodeIndexedBranch(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 2 || !e.onlyModifiers({M::idx, M::uni})) return false;
    const auto index = e.source(operands[0], T::u32, 4);
    const std::string_view name = e.program().module->textOf(operands[1].span);
    const auto& lists = e.source().labelled;
    const auto list = std::ranges::find(lists, name, &ptx::LabelledDirective::label);
    if (!index || list == lists.end()) return false;
    std::vector<std::uint32_t> targets;
    for (const std::string_view target : list->targets) {
        const auto label = std::ranges::find(e.source().labels, target, &ptx::Label::name);
        if (label == e.source().labels.end()) return false;
        targets.push_back(label->target);
    }
    MicroOp& op = e.emit(Kind::branchIndexed);
    op.a = *index;
    op.extra = static_cast<std::uint32_t>(e.function().targetLists.size());
    e.function().targetLists.push_back(std::move(targets));
    return true;
}

/// Source: PTX ISA 9.0, 9.7.13.1 bar, barrier.
bool decodeBarrier(Emitter& e) {
    const auto operands = e.operands();
    if (!e.onlyModifiers({M::sync, M::arrive, M::red, M::popc, M::and_, M::or_, M::aligned, M::cta})) return false;
    BarrierOp barrier;
    barrier.aligned = e.instruction().opcode == O::bar || e.has(M::aligned);
    std::size_t next = 0;
    if (e.has(M::red)) {
        barrier.kind = e.has(M::popc)   ? BarrierKind::reducePopc
                       : e.has(M::and_) ? BarrierKind::reduceAnd
                                        : BarrierKind::reduceOr;
        if (operands.size() < 3) return false;
        if (barrier.kind == BarrierKind::reducePopc) {
            const auto d = e.destination(operands[0], T::u32, 4);
            if (!d) return false;
            barrier.d = *d;
        } else {
            const auto p = e.predicateDestination(operands[0]);
            if (!p) return false;
            barrier.p = *p;
        }
        const Operand& predicate = operands.back();
        if (predicate.kind != OperandKind::reg || e.reg(predicate.symbol).bytes != 0) return false;
        barrier.c = e.reg(predicate.symbol).slot;
        barrier.negated = predicate.negated;
        next = 1;
    } else if (e.has(M::arrive)) {
        barrier.kind = BarrierKind::arrive;
    } else if (!e.has(M::sync)) {
        return false;
    }
    const std::size_t last = operands.size() - (e.has(M::red) ? 1 : 0);
    if (last <= next || last - next > 2) return false;
    const auto id = e.source(operands[next], T::u32, 4);
    if (!id) return false;
    barrier.id = *id;
    if (last - next == 2) {
        const auto count = e.source(operands[next + 1], T::u32, 4);
        if (!count) return false;
        barrier.count = *count;
    } else if (barrier.kind == BarrierKind::arrive) {
        return false;
    }
    MicroOp& op = e.emit(Kind::barrier);
    op.extra = static_cast<std::uint32_t>(e.function().barriers.size());
    e.function().barriers.push_back(barrier);
    return true;
}

bool emitCollective(Emitter& e, const CollectiveOp& collective) {
    MicroOp& op = e.emit(Kind::collective);
    op.extra = static_cast<std::uint32_t>(e.function().collectives.size());
    e.function().collectives.push_back(collective);
    return true;
}

bool takeMembers(Emitter& e, const Operand& operand, CollectiveOp& c) {
    const auto members = e.source(operand, T::b32, 4);
    if (members) c.members = *members;
    return members.has_value();
}

/// The first of `d|p`, whose p becomes the collective's predicate; a single operand itself; nullptr where p is no
/// predicate.
const Operand* valueOfPair(Emitter& e, const Operand& operand, CollectiveOp& c) {
    if (operand.kind != OperandKind::pair) return &operand;
    const auto both = e.source().childrenOf(operand);
    const auto p = e.predicateDestination(both[1]);
    if (!p) return nullptr;
    c.p = *p;
    return &both[0];
}

bool decodeShuffle(Emitter& e) {
    const auto operands = e.operands();
    const bool sync = e.has(M::sync);
    if (operands.size() != (sync ? 5U : 4U) || e.type() != T::b32 ||
        !e.onlyModifiers({M::sync, M::up, M::down, M::bfly, M::idx}))
        return false;
    CollectiveOp c;
    c.kind = e.has(M::up)     ? CollectiveKind::shflUp
             : e.has(M::down) ? CollectiveKind::shflDown
             : e.has(M::bfly) ? CollectiveKind::shflBfly
                              : CollectiveKind::shflIdx;
    const Operand* d = valueOfPair(e, operands[0], c);
    if (!d) return false;
    const auto a = e.source(operands[1], T::b32, 4), b = e.source(operands[2], T::b32, 4),
               clamp = e.source(operands[3], T::b32, 4);
    const auto to = e.destination(*d, T::b32, 4);
    if (!a || !b || !clamp || !to) return false;
    c.d = *to;
    c.a = *a;
    c.b = *b;
    c.c = *clamp;
    if (sync && !takeMembers(e, operands[4], c)) return false;
    return emitCollective(e, c);
}

bool decodeVote(Emitter& e) {
    const auto operands = e.operands();
    const bool sync = e.has(M::sync);
    if (operands.size() != (sync ? 3U : 2U) || !e.onlyModifiers({M::sync, M::all, M::any, M::uni, M::ballot}))
        return false;
    CollectiveOp c;
    c.kind = e.has(M::ballot) ? CollectiveKind::voteBallot
             : e.has(M::all)  ? CollectiveKind::voteAll
             : e.has(M::any)  ? CollectiveKind::voteAny
                              : CollectiveKind::voteUni;
    const auto a = e.predicate(operands[1]); // negation is done there
    if (!a) return false;
    c.a = *a;
    if (c.kind == CollectiveKind::voteBallot) {
        const auto d = e.destination(operands[0], T::b32, 4);
        if (!d) return false;
        c.d = *d;
    } else {
        const auto p = e.predicateDestination(operands[0]);
        if (!p) return false;
        c.p = *p;
    }
    if (sync && !takeMembers(e, operands[2], c)) return false;
    return emitCollective(e, c);
}

bool decodeMatch(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 3 || !e.has(M::sync) || !e.onlyModifiers({M::sync, M::any, M::all})) return false;
    CollectiveOp c;
    c.kind = e.has(M::all) ? CollectiveKind::matchAll : CollectiveKind::matchAny;
    const Operand* d = valueOfPair(e, operands[0], c);
    if (!d) return false;
    c.bytes = wordBytes(e.type());
    const auto a = e.source(operands[1], e.type(), c.bytes), members = e.source(operands[2], T::b32, 4);
    const auto to = e.destination(*d, T::b32, 4);
    if (!a || !members || !to) return false;
    c.a = *a;
    c.d = *to;
    c.members = *members;
    return emitCollective(e, c);
}

bool decodeRedux(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    if (operands.size() != 3 || ptx::sizeBytes(type) != 4 || ptx::isFloat(type) ||
        !e.onlyModifiers({M::sync, M::add, M::min, M::max, M::and_, M::or_, M::xor_}))
        return false;
    const bool isSigned = type == T::s32;
    CollectiveOp c;
    c.kind = e.has(M::add)    ? CollectiveKind::reduceAddU32
             : e.has(M::min)  ? (isSigned ? CollectiveKind::reduceMinS32 : CollectiveKind::reduceMinU32)
             : e.has(M::max)  ? (isSigned ? CollectiveKind::reduceMaxS32 : CollectiveKind::reduceMaxU32)
             : e.has(M::and_) ? CollectiveKind::reduceAnd
             : e.has(M::or_)  ? CollectiveKind::reduceOr
                              : CollectiveKind::reduceXor;
    const auto a = e.source(operands[1], type, 4), members = e.source(operands[2], T::b32, 4);
    const auto d = e.destination(operands[0], type, 4);
    if (!a || !members || !d) return false;
    c.a = *a;
    c.d = *d;
    c.members = *members;
    return emitCollective(e, c);
}

bool decodeWarpBarrier(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 1 || !e.onlyModifiers({M::warp, M::sync})) return false;
    const auto members = e.source(operands[0], T::b32, 4);
    if (!members) return false;
    CollectiveOp c;
    c.members = *members;
    return emitCollective(e, c);
}

/// elect.sync d|p, membermask.
bool decodeElect(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 2 || operands[0].kind != OperandKind::pair || !e.onlyModifiers({M::sync})) return false;
    const auto both = e.source().childrenOf(operands[0]);
    CollectiveOp c;
    c.kind = CollectiveKind::elect;
    const auto d = e.destination(both[0], T::b32, 4);
    const auto p = e.predicateDestination(both[1]);
    const auto members = e.source(operands[1], T::b32, 4);
    if (!d || !p || !members) return false;
    c.d = *d;
    c.p = *p;
    c.members = *members;
    return emitCollective(e, c);
}

/// Memory is coherent here, and asynchronous copies are not made by another proxy: only the race check has use for it.
bool decodeFence(Emitter& e) {
    const bool orders = !e.has(M::proxy);
    if (e.has(M::tensormap_generic)) { // a tensor map in memory is read when the copy is executed
        if (!e.onlyModifiers(
                {M::proxy, M::tensormap_generic, M::acquire, M::release, M::cta, M::cluster, M::gpu, M::sys}))
            return false;
        e.emit(Kind::fence).immediate = e.has(M::cta) ? 1 : 2;
        return true;
    }
    if (e.has(M::proxy) && e.has(M::async)) {
        // .global orders accesses to global memory only, where no check asks for it.
        const bool shared = e.source().spaceOf(e.instruction()) != ptx::StateSpace::global;
        if (!e.onlyModifiers({M::proxy, M::async, M::shared_cta, M::shared_cluster})) return false;
        e.emit(shared ? Kind::proxyFence : Kind::nothing);
        return true;
    }
    if (orders ? !e.onlyModifiers(
                     {M::sc, M::acq_rel, M::acquire, M::release, M::cta, M::cluster, M::gpu, M::sys, M::mbarrier_init})
               : !e.onlyModifiers({M::proxy, M::async, M::alias, M::shared_cta}))
        return false;
    e.emit(Kind::fence).immediate = !orders ? 0 : e.has(M::cta) ? 1 : 2;
    return true;
}

/// membar.cta, .gl, .sys.
bool decodeMembar(Emitter& e) {
    e.emit(Kind::fence).immediate = e.has(M::cta) ? 1 : 2;
    return true;
}

} // namespace

bool decodeControl(Emitter& e) {
    const auto plain = [&](Kind kind) {
        e.emit(kind);
        return true;
    };
    switch (e.instruction().opcode) {
    case O::bra: return decodeBranch(e);
    case O::brx: return decodeIndexedBranch(e);
    case O::call: return decodeCall(e);
    case O::ret: return e.onlyModifiers({M::uni}) && plain(Kind::ret);
    case O::exit: return plain(Kind::exit);
    case O::trap: return plain(Kind::trap);
    case O::bar: return e.has(M::warp) ? decodeWarpBarrier(e) : decodeBarrier(e);
    case O::barrier: return !e.has(M::cluster) && decodeBarrier(e);
    case O::membar: return decodeMembar(e);
    case O::fence: return decodeFence(e);
    case O::mbarrier: return decodeMbarrier(e);
    case O::shfl: return decodeShuffle(e);
    case O::vote: return decodeVote(e);
    case O::match: return decodeMatch(e);
    case O::redux: return decodeRedux(e);
    case O::elect: return decodeElect(e);
    case O::activemask: {
        const auto d = e.destination(e.operands()[0], T::b32, 4);
        if (!d) return false;
        e.emit(Kind::activeMask).d = *d;
        return true;
    }
    case O::nanosleep:
    case O::pmevent:
    case O::brkpt:          // no debugger listens
    case O::griddepcontrol: // a launch is always alone: what it would wait for has ended
    case O::setmaxnreg: return plain(Kind::nothing);
    default: return false;
    }
}

} // namespace ptxwb::emulator
