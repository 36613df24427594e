// cp.async.bulk, cp.reduce.async.bulk and their tensor forms. im2col and gather are `unsupported`. Source: PTX
// ISA 9.0, 9.7.9.25.4 and 9.7.9.25.5.
#include "emulator/emitter.h"
#include "emulator/half_functions.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using S = ptx::StateSpace;
using T = ptx::ScalarType;
using ptx::Operand;
using ptx::OperandKind;

constexpr std::pair<M, AtomicKind> reductions[] = {{M::add, AtomicKind::add},   {M::min, AtomicKind::min},
                                                   {M::max, AtomicKind::max},   {M::inc, AtomicKind::inc},
                                                   {M::dec, AtomicKind::dec},   {M::and_, AtomicKind::bitAnd},
                                                   {M::or_, AtomicKind::bitOr}, {M::xor_, AtomicKind::bitXor}};
constexpr std::pair<M, unsigned> ranks[] = {{M::d1d, 1}, {M::d2d, 2}, {M::d3d, 3}, {M::d4d, 4}, {M::d5d, 5}};

bool isAllowed(const Emitter& e) {
    return e.onlyModifiers({M::async,
                            M::bulk,
                            M::tensor,
                            M::reduce,
                            M::shared_cta,
                            M::shared_cluster,
                            M::tile,
                            M::d1d,
                            M::d2d,
                            M::d3d,
                            M::d4d,
                            M::d5d,
                            M::mbarrier_complete_tx_bytes,
                            M::bulk_group,
                            M::cp_mask,
                            M::multicast_cluster,
                            M::L2_cache_hint,
                            M::add,
                            M::min,
                            M::max,
                            M::inc,
                            M::dec,
                            M::and_,
                            M::or_,
                            M::xor_,
                            M::noftz});
}

/// Source: PTX ISA 9.0, 9.7.9.25.4.2.
bool canReduce(AtomicKind kind, T type) {
    switch (kind) {
    case AtomicKind::add:
        return type == T::f16 || type == T::bf16 || type == T::u32 || type == T::s32 || type == T::u64 ||
               type == T::f32 || type == T::f64;
    case AtomicKind::min:
    case AtomicKind::max:
        return type == T::f16 || type == T::bf16 || type == T::u32 || type == T::s32 || type == T::u64 ||
               type == T::s64;
    case AtomicKind::inc:
    case AtomicKind::dec: return type == T::u32;
    default: return type == T::b32 || type == T::b64;
    }
}

bool takeReduction(Emitter& e, BulkOp& op) {
    const auto row = std::ranges::find_if(reductions, [&](const auto& r) { return e.has(r.first); });
    if (row == std::end(reductions) || !(op.toGlobal || op.between)) return false;
    op.reduces = true;
    op.reduce.kind = row->second;
    op.reduce.space = S::global;
    op.reduce.b = {0, 8};
    if (op.rank) return true; // the map tells the type
    op.reduce.type = e.type();
    if (!canReduce(op.reduce.kind, op.reduce.type)) return false;
    if (op.between) {
        op.reduce.space = S::shared;
        return !ptx::isFloat(op.reduce.type);
    }
    if (op.reduce.type == T::f16 || op.reduce.type == T::bf16) {
        ExtremeMode mode;
        mode.maximum = op.reduce.kind == AtomicKind::max;
        op.reduce.halfAdd = op.reduce.kind == AtomicKind::add ? halfFunction(FloatOp::add, op.reduce.type, {})
                                                              : extremeFunction(op.reduce.type, mode);
    }
    return true;
}

/// `[map, {x, y}]`; a single coordinate may stand without braces.
bool takeTensor(Emitter& e, const Operand& operand, BulkOp& op) {
    const auto address = e.address(operand, 2);
    if (!address) return false;
    op.global = *address;
    const Operand& coordinates = e.source().childrenOf(operand)[1];
    std::span<const Operand> elements(&coordinates, 1);
    if (coordinates.kind == OperandKind::vector) elements = e.source().childrenOf(coordinates);
    if (elements.size() != op.rank) return false;
    for (unsigned d = 0; d < op.rank; ++d) {
        const auto at = e.source(elements[d], T::s32, 4);
        if (!at) return false;
        op.at[d] = *at;
    }
    return true;
}

bool decodeGroups(Emitter& e) {
    const auto operands = e.operands();
    if (e.has(M::commit_group)) {
        if (!operands.empty() || !e.onlyModifiers({M::async, M::bulk, M::commit_group})) return false;
        e.emit(Kind::bulkCommit);
        return true;
    }
    if (operands.size() != 1 || operands[0].kind != OperandKind::integer ||
        !e.onlyModifiers({M::async, M::bulk, M::wait_group, M::read}))
        return false;
    e.emit(Kind::bulkWait).immediate = operands[0].value;
    return true;
}

} // namespace

bool decodeBulk(Emitter& e) {
    if (e.has(M::commit_group) || e.has(M::wait_group)) return decodeGroups(e);
    if (e.has(M::prefetch)) return true; // no effect on results: `finish` leaves an empty micro-operation
    if (!isAllowed(e)) return false;
    std::vector<S> spaces;
    for (const ptx::ModifierUse& use : e.source().modifiersOf(e.instruction()))
        if (use.space != S::none) spaces.push_back(use.space);
    if (spaces.size() != 2 || (spaces[0] == S::global && spaces[1] == S::global)) return false;
    BulkOp op;
    op.toGlobal = spaces[0] == S::global;
    op.between = spaces[0] == spaces[1];
    if (e.has(M::tensor)) {
        const auto rank = std::ranges::find_if(ranks, [&](const auto& r) { return e.has(r.first); });
        if (rank == std::end(ranks)) return false;
        op.rank = rank->second;
    }
    if (e.has(M::reduce) && !takeReduction(e, op)) return false;

    // Tensor: [shared], [map, {x}], [mbarrier] or [map, {x}], [shared]; else [to], [from], bytes and [mbarrier].
    // Behind them the blocks of a multicast, a cache policy, which only hints, and a mask.
    const auto operands = e.operands();
    std::size_t expected = op.rank ? 2 : 3;
    expected += (op.toGlobal ? 0U : 1U) + (e.has(M::L2_cache_hint) ? 1U : 0U) + (e.has(M::cp_mask) ? 1U : 0U) +
                (e.has(M::multicast_cluster) ? 1U : 0U);
    if (operands.size() != expected) return false;
    const Operand& shared = operands[op.toGlobal ? 1 : 0];
    const Operand& global = operands[op.toGlobal ? 0 : 1];
    const auto sharedAddress = e.address(shared);
    if (!sharedAddress) return false;
    op.shared = *sharedAddress;
    if (op.rank) {
        if (!takeTensor(e, global, op)) return false;
    } else {
        const auto address = e.address(global);
        const auto bytes = e.source(operands[2], T::u32, 4);
        if (!address || !bytes) return false;
        op.global = *address;
        op.bytes = *bytes;
    }
    if (!op.toGlobal) {
        const auto mbarrier = e.address(operands[op.rank ? 2 : 3]);
        if (!mbarrier) return false;
        op.mbarrier = *mbarrier;
    }
    if (e.has(M::multicast_cluster)) {
        const auto blocks = op.toGlobal || op.between ? std::nullopt : e.source(operands[op.rank ? 3 : 4], T::u16, 4);
        if (!blocks) return false;
        op.blocks = *blocks;
        e.program().usesClusters = e.program().ordersBlocks = true;
    }
    if (e.has(M::cp_mask)) {
        const auto mask = e.source(operands.back(), T::u16, 4);
        if (!mask) return false;
        op.byteMask = *mask;
    }
    e.emit(Kind::bulkCopy).extra = static_cast<std::uint32_t>(e.function().bulkCopies.size());
    e.function().bulkCopies.push_back(op);
    return true;
}

} // namespace ptxwb::emulator
