// Clusters: mapa, getctarank, barrier.cluster, st.async and red.async. Source: PTX ISA 9.0, 9.7.9.12, 9.7.9.23,
// 9.7.9.24, 9.7.13.3, 9.7.13.8.
#include "emulator/cluster.h"
#include "emulator/emitter.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using S = ptx::StateSpace;
using T = ptx::ScalarType;
using ptx::OperandKind;

std::uint64_t mapped(std::uint64_t address, std::uint64_t rank, std::uint64_t /*none*/) {
    const std::uint64_t window = address & ~std::uint64_t{0xFFFF'FFFF};
    // A rank that no cluster has stays one: whoever uses the address is told.
    return window | (std::min<std::uint64_t>(rank, maxMapped - 1) + 1) << rankShift | (address & offsetMask);
}
/// `own`: the rank of the block that asks.
std::uint64_t rankOf(std::uint64_t address, std::uint64_t own, std::uint64_t /*none*/) {
    const std::uint64_t mark = address >> rankShift & 0xFF;
    return mark ? mark - 1 : own;
}

bool hasOnlySpace(const Emitter& e) {
    return e.onlyModifiers({M::shared_cluster});
}

/// mapa d, a, b: of a generic address or one of shared memory.
bool decodeMap(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    const std::uint8_t bytes = wordBytes(type);
    if (operands.size() != 3 || !hasOnlySpace(e)) return false;
    const auto a = e.source(operands[1], type, bytes), rank = e.source(operands[2], T::u32, 4);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !rank || !d) return false;
    e.emit(mapped, {*d, bytes}, {*a, bytes}, {*rank, 4});
    return true;
}

bool decodeRank(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    const std::uint8_t bytes = wordBytes(type);
    if (operands.size() != 2 || !hasOnlySpace(e)) return false;
    const auto a = e.source(operands[1], type, bytes);
    const auto d = e.destination(operands[0], T::u32, 4);
    if (!a || !d) return false;
    e.emit(rankOf, {*d, 4}, {*a, bytes}, {e.special(Special::clusterCtarank), 4});
    return true;
}

bool decodeBarrier(Emitter& e) {
    if (!e.operands().empty() ||
        !e.onlyModifiers({M::cluster, M::arrive, M::wait, M::release, M::acquire, M::relaxed, M::aligned}))
        return false;
    e.emit(e.has(M::arrive) ? Kind::clusterArrive : Kind::clusterWait);
    return true;
}

std::optional<AtomicKind> reduction(const Emitter& e) {
    constexpr std::pair<M, AtomicKind> kinds[] = {{M::add, AtomicKind::add},   {M::min, AtomicKind::min},
                                                  {M::max, AtomicKind::max},   {M::inc, AtomicKind::inc},
                                                  {M::dec, AtomicKind::dec},   {M::and_, AtomicKind::bitAnd},
                                                  {M::or_, AtomicKind::bitOr}, {M::xor_, AtomicKind::bitXor}};
    for (const auto& [modifier, kind] : kinds)
        if (e.has(modifier)) return kind;
    return std::nullopt;
}

/// st.async [to], b, [mbarrier] and red.async.op [to], b, [mbarrier].
bool decodeStore(Emitter& e) {
    const auto operands = e.operands();
    const bool reduces = e.instruction().opcode == O::red;
    const T type = e.type();
    if (operands.size() != 3 ||
        !e.onlyModifiers({M::async, M::weak, M::relaxed, M::cluster, M::shared_cluster, M::mbarrier_complete_tx_bytes,
                          M::add, M::min, M::max, M::inc, M::dec, M::and_, M::or_, M::xor_}))
        return false;
    AsyncStoreOp op;
    op.reduces = reduces;
    op.bytes = static_cast<std::uint8_t>(ptx::sizeBytes(type));
    op.count = static_cast<std::uint8_t>(e.source().vectorOf(e.instruction()));
    if ((op.bytes != 4 && op.bytes != 8) || op.count > 4) return false;
    if (reduces) {
        const auto kind = reduction(e);
        if (!kind || ptx::isFloat(type) || op.count != 1) return false;
        op.reduce.kind = *kind;
        op.reduce.type = type;
    }
    const auto to = e.address(operands[0]), mbarrier = e.address(operands[2]);
    if (!to || !mbarrier) return false;
    op.to = *to;
    op.mbarrier = *mbarrier;
    std::span<const ptx::Operand> elements(&operands[1], 1);
    if (operands[1].kind == OperandKind::vector) elements = e.source().childrenOf(operands[1]);
    if (elements.size() != op.count) return false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto value = e.source(elements[i], type, op.bytes);
        if (!value) return false;
        op.values[i] = {*value, op.bytes};
    }
    e.emit(Kind::asyncStore).extra = static_cast<std::uint32_t>(e.function().asyncStores.size());
    e.function().asyncStores.push_back(op);
    return true;
}

} // namespace

bool decodeCluster(Emitter& e) {
    bool known = false;
    switch (e.instruction().opcode) {
    case O::mapa: known = decodeMap(e); break;
    case O::getctarank: known = decodeRank(e); break;
    case O::barrier: known = e.has(M::cluster) && decodeBarrier(e); break;
    case O::st:
    case O::red: known = e.has(M::async) && decodeStore(e); break;
    default: return false;
    }
    if (known) e.program().usesClusters = e.program().ordersBlocks = true;
    return known;
}

} // namespace ptxwb::emulator
