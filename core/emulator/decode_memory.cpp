// Moves, address conversions, loads, stores and atomics.
#include "emulator/cluster.h"
#include "emulator/emitter.h"
#include "emulator/half_functions.h"
#include "emulator/scalar_functions.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using S = ptx::StateSpace;
using T = ptx::ScalarType;
using ptx::Operand;
using ptx::OperandKind;

// Hints that change no result, and scopes: the emulator's memory is coherent.
constexpr std::initializer_list<M> memoryModifiers = {M::nc,
                                                      M::ca,
                                                      M::cg,
                                                      M::cs,
                                                      M::lu,
                                                      M::cv,
                                                      M::wb,
                                                      M::wt,
                                                      M::volatile_,
                                                      M::relaxed,
                                                      M::weak,
                                                      M::acquire,
                                                      M::release,
                                                      M::mmio,
                                                      M::cta,
                                                      M::cluster,
                                                      M::gpu,
                                                      M::sys,
                                                      M::shared_cta,
                                                      M::shared_cluster,
                                                      M::unified,
                                                      M::L1_evict_normal,
                                                      M::L1_evict_unchanged,
                                                      M::L1_evict_first,
                                                      M::L1_evict_last,
                                                      M::L1_no_allocate,
                                                      M::L2_64B,
                                                      M::L2_128B,
                                                      M::L2_256B,
                                                      M::L2_evict_normal,
                                                      M::L2_evict_first,
                                                      M::L2_evict_last,
                                                      M::L2_cache_hint,
                                                      M::param_entry,
                                                      M::param_func};

bool isStrong(const Emitter& e) {
    for (const M m : {M::volatile_, M::relaxed, M::acquire, M::release, M::mmio})
        if (e.has(m)) return true;
    return false;
}

/// The registers (or constants) of `a` or `{a, b, ...}`, `count` of them. Empty where one is no register of the
/// function.
std::optional<std::array<SlotRef, 8>> values(Emitter& e, const Operand& operand, unsigned count, T type,
                                             bool isDestination) {
    std::array<SlotRef, 8> out;
    std::span<const Operand> elements(&operand, 1);
    if (operand.kind == OperandKind::vector) elements = e.source().childrenOf(operand);
    if (elements.size() != count) return std::nullopt;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (isDestination && elements[i].kind == OperandKind::sink) continue;
        const auto slot = isDestination ? e.destinationAsIs(elements[i]) : e.sourceAsIs(elements[i], type);
        if (!slot) return std::nullopt;
        out[i] = *slot;
    }
    return out;
}

/// The variable that an address names, nullptr where its base is a register or a number.
const Operand* namedBase(const Emitter& e, const Operand& address) {
    if (address.kind != OperandKind::address || address.childCount == 0) return nullptr;
    const Operand& base = e.source().childrenOf(address).front();
    return base.kind == OperandKind::variable ? &base : nullptr;
}

bool decodeLoadOrStore(Emitter& e, bool isLoad) {
    const auto operands = e.operands();
    // A third operand is the cache policy of .L2::cache_hint.
    if (operands.size() != 2 && !(operands.size() == 3 && e.has(M::L2_cache_hint))) return false;
    if (!e.onlyModifiers(memoryModifiers)) return false;
    const T type = e.type();
    MemoryOp m;
    m.space = e.source().spaceOf(e.instruction());
    m.bytes = static_cast<std::uint8_t>(ptx::sizeBytes(type));
    m.count = static_cast<std::uint8_t>(e.source().vectorOf(e.instruction()));
    m.isSigned = ptx::isSigned(type);
    m.strong = isStrong(e);
    m.acquires = e.has(M::acquire);
    m.releases = e.has(M::release);
    m.blockScope = e.has(M::cta);
    m.readOnlyPath = e.has(M::nc);
    if (m.bytes == 0 || m.bytes > 8) return false;
    const Operand& addressed = operands[isLoad ? 0 + 1 : 0];
    const auto registers = values(e, operands[isLoad ? 0 : 1], m.count, type, isLoad);
    if (!registers) return false;
    m.values = *registers;

    if (m.space == S::param) {
        const Operand* base = namedBase(e, addressed);
        if (base) {
            const auto place = e.placeOf(*base);
            if (!place) return false;
            m.address.offset = static_cast<std::int64_t>(place->offset) + addressed.value;
            m.frameLocal = place->inFrame;
            if (!place->inFrame && !isLoad) return false; // an entry's parameters cannot be written
            MicroOp& op = e.emit(m.frameLocal ? (isLoad ? Kind::load : Kind::store) : Kind::loadParameter);
            op.extra = static_cast<std::uint32_t>(e.function().memory.size());
            e.function().memory.push_back(m);
            return true;
        }
        if (!isLoad || !e.source().isEntry) return false;
    }
    const auto address = e.address(addressed);
    if (!address) return false;
    m.address = *address;
    MicroOp& op = e.emit(isLoad ? Kind::load : Kind::store);
    op.extra = static_cast<std::uint32_t>(e.function().memory.size());
    e.function().memory.push_back(m);
    return true;
}

/// mov.b64 d, {a, b} and the like: the first element is the lowest part.
bool decodePack(Emitter& e, const Operand& to, std::span<const Operand> parts, T type) {
    const unsigned bytes = ptx::sizeBytes(type);
    if (parts.size() < 2 || bytes % parts.size() != 0 || bytes > 8) return false;
    const auto partBits = static_cast<std::uint32_t>(bytes * 8 / parts.size());
    const auto d = e.destination(to, type, wordBytes(type));
    if (!d) return false;
    const std::uint8_t word = wordBytes(type);
    const T partType = partBits == 32 ? T::b32 : T::b16;
    if (partBits != 32 && partBits != 16 && partBits != 8) return false;
    const std::uint64_t partMask = (std::uint64_t{1} << partBits) - 1;
    auto constant = [&](std::uint64_t v) {
        return word == 8 ? e.constants().word64(v) : e.constants().word32(static_cast<std::uint32_t>(v));
    };
    Slot sum = constant(0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto part = e.source(parts[i], partType, word);
        if (!part) return false;
        const Slot masked = e.temporary(word).slot, shifted = e.temporary(word).slot, next = e.temporary(word).slot;
        e.emit(word == 8 ? Lane::and_b64 : Lane::and_b32, masked, *part, constant(partMask));
        e.emit(word == 8 ? Lane::shl_b64 : Lane::shl_b32, shifted, masked,
               e.constants().word32(static_cast<std::uint32_t>(i) * partBits));
        e.emit(word == 8 ? Lane::or_b64 : Lane::or_b32, next, sum, shifted);
        sum = next;
    }
    e.emit(word == 8 ? Lane::copy64 : Lane::copy32, *d, sum);
    return true;
}

bool decodeUnpack(Emitter& e, std::span<const Operand> parts, const Operand& from, T type) {
    const unsigned bytes = ptx::sizeBytes(type);
    if (parts.size() < 2 || bytes % parts.size() != 0 || bytes > 8) return false;
    const auto partBits = static_cast<std::uint32_t>(bytes * 8 / parts.size());
    if (partBits != 32 && partBits != 16 && partBits != 8) return false;
    const std::uint8_t word = wordBytes(type);
    const auto a = e.source(from, type, word);
    if (!a) return false;
    // All parts are taken from a copy: the source may be one of the destinations.
    const Slot whole = e.temporary(word).slot;
    e.emit(word == 8 ? Lane::copy64 : Lane::copy32, whole, *a);
    const std::uint64_t partMask = (std::uint64_t{1} << partBits) - 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].kind == OperandKind::sink) continue;
        const Slot shifted = e.temporary(word).slot, masked = e.temporary(word).slot;
        e.emit(word == 8 ? Lane::shr_u64 : Lane::shr_u32, shifted, whole,
               e.constants().word32(static_cast<std::uint32_t>(i) * partBits));
        e.emit(word == 8 ? Lane::and_b64 : Lane::and_b32, masked, shifted,
               word == 8 ? e.constants().word64(partMask) : e.constants().word32(static_cast<std::uint32_t>(partMask)));
        const auto d = e.destinationAsIs(parts[i]);
        if (!d) return false;
        if (d->bytes == word)
            e.emit(word == 8 ? Lane::copy64 : Lane::copy32, d->slot, masked);
        else if (d->bytes == 4)
            e.emit(Lane::narrow_32, d->slot, masked);
        else
            return false;
    }
    return true;
}

/// Source: PTX ISA 9.0, 9.7.9.1 and 9.7.9.2 mov.
bool decodeMove(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    if (operands.size() != 2 || !e.onlyModifiers({})) return false;
    if (operands[0].kind == OperandKind::vector) {
        if (operands[1].kind == OperandKind::vector) return false;
        return decodeUnpack(e, e.source().childrenOf(operands[0]), operands[1], type);
    }
    if (operands[1].kind == OperandKind::vector)
        return decodePack(e, operands[0], e.source().childrenOf(operands[1]), type);
    if (type == T::pred) {
        const bool asksCluster = operands[1].kind == OperandKind::special &&
                                 e.program().module->textOf(operands[1].span) == "%is_explicit_cluster";
        if (asksCluster) e.program().usesClusters = true;
        const auto a = asksCluster ? Emitter::special(Special::isExplicitCluster) : e.predicate(operands[1]);
        const auto d = e.predicateDestination(operands[0]);
        if (!a || !d) return false;
        e.emit(Lane::predicate, *d, *a, *a).immediate = 0b1000;
        return true;
    }
    const std::uint8_t bytes = wordBytes(type);
    const auto a = e.source(operands[1], type, bytes);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !d || ptx::sizeBytes(type) > 8) return false;
    e.emit(bytes == 8 ? Lane::copy64 : Lane::copy32, *d, *a);
    return true;
}

std::optional<std::uint64_t> windowBase(S space) {
    switch (space) {
    case S::global:
    case S::constant: return 0;
    case S::shared: return sharedWindow;
    case S::local: return localWindow;
    case S::param: return parameterWindow;
    default: return std::nullopt;
    }
}

/// Source: PTX ISA 9.0, 9.7.9.20 cvta.
bool decodeCvta(Emitter& e) {
    const auto operands = e.operands();
    const auto base = windowBase(e.source().spaceOf(e.instruction()));
    if (operands.size() != 2 || !base || ptx::sizeBytes(e.type()) != 8 ||
        !e.onlyModifiers({M::to, M::shared_cta, M::shared_cluster, M::param_entry}))
        return false;
    const auto a = e.source(operands[1], T::u64, 8);
    const auto d = e.destination(operands[0], T::u64, 8);
    if (!a || !d) return false;
    if (*base == 0)
        e.emit(Lane::copy64, *d, *a);
    else
        e.emit(e.has(M::to) ? Lane::sub_u64 : Lane::add_u64, *d, *a, e.constants().word64(*base));
    return true;
}

/// `own`: the block's rank in its cluster. See cluster.h for the marks.
std::uint64_t isInOwnShared(std::uint64_t a, std::uint64_t own, std::uint64_t /*none*/) {
    const std::uint64_t mark = a >> rankShift & 0xFF;
    return a >= sharedWindow && a < sharedWindow + windowSize && (mark == 0 || mark == own + 1);
}

bool decodeIsSpace(Emitter& e) {
    const auto operands = e.operands();
    const auto base = windowBase(e.source().spaceOf(e.instruction()));
    if (operands.size() != 2 || !base || !e.onlyModifiers({M::shared_cta, M::shared_cluster, M::param_entry}) ||
        e.source().spaceOf(e.instruction()) == S::constant)
        return false;
    const auto a = e.source(operands[1], T::u64, 8);
    const auto d = e.predicateDestination(operands[0]);
    if (!a || !d) return false;
    if (*base == sharedWindow && !e.has(M::shared_cluster))
        e.emit(isInOwnShared, {*d, 0}, {*a, 8}, {Emitter::special(Special::clusterCtarank), 4});
    else
        e.emit(isInWindow(*base), {*d, 0}, {*a, 8});
    return true;
}

std::optional<AtomicKind> atomicKind(const Emitter& e) {
    constexpr std::pair<M, AtomicKind> kinds[] = {{M::add, AtomicKind::add},   {M::min, AtomicKind::min},
                                                  {M::max, AtomicKind::max},   {M::inc, AtomicKind::inc},
                                                  {M::dec, AtomicKind::dec},   {M::cas, AtomicKind::cas},
                                                  {M::exch, AtomicKind::exch}, {M::and_, AtomicKind::bitAnd},
                                                  {M::or_, AtomicKind::bitOr}, {M::xor_, AtomicKind::bitXor}};
    for (const auto& [modifier, kind] : kinds)
        if (e.has(modifier)) return kind;
    return std::nullopt;
}

bool isAtomicType(AtomicKind kind, T type) {
    if (type == T::f32 || type == T::f64 || isHalf(type)) return kind == AtomicKind::add;
    if (type == T::b16) return kind == AtomicKind::cas || kind == AtomicKind::exch;
    const unsigned size = ptx::sizeBytes(type);
    return !ptx::isFloat(type) && (size == 4 || size == 8);
}

bool decodeAtomic(Emitter& e, bool returns) {
    const auto operands = e.operands();
    const auto kind = atomicKind(e);
    const T type = e.type();
    if (!kind || !isAtomicType(*kind, type) || e.source().vectorOf(e.instruction()) != 1) return false;
    if (!e.onlyModifiers({M::add,     M::min,          M::max,     M::inc,        M::dec,
                          M::cas,     M::exch,         M::and_,    M::or_,        M::xor_,
                          M::relaxed, M::acquire,      M::release, M::acq_rel,    M::cta,
                          M::cluster, M::gpu,          M::sys,     M::shared_cta, M::shared_cluster,
                          M::noftz,   M::L2_cache_hint}))
        return false;
    const std::size_t first = returns ? 1 : 0;
    const std::size_t wanted = first + 2 + (*kind == AtomicKind::cas ? 1 : 0);
    if (operands.size() != wanted && !(operands.size() == wanted + 1 && e.has(M::L2_cache_hint))) return false;
    AtomicOp op;
    op.kind = *kind;
    op.type = type;
    op.space = e.source().spaceOf(e.instruction());
    op.acquires = e.has(M::acquire) || e.has(M::acq_rel);
    op.releases = e.has(M::release) || e.has(M::acq_rel);
    op.blockScope = e.has(M::cta);
    if (isHalf(type)) op.halfAdd = halfFunction(FloatOp::add, type, {});
    const auto address = e.address(operands[first]);
    const std::uint8_t bytes = wordBytes(type);
    const auto b = e.source(operands[first + 1], type, bytes);
    if (!address || !b) return false;
    op.address = *address;
    op.b = {*b, bytes};
    if (*kind == AtomicKind::cas) {
        const auto c = e.source(operands[first + 2], type, bytes);
        if (!c) return false;
        op.c = {*c, bytes};
    }
    if (returns && operands[0].kind != OperandKind::sink) {
        const auto d = e.destination(operands[0], type, bytes);
        if (!d) return false;
        op.d = {*d, bytes};
    }
    MicroOp& micro = e.emit(Kind::atomic);
    micro.extra = static_cast<std::uint32_t>(e.function().atomics.size());
    e.function().atomics.push_back(op);
    return true;
}

/// A cache policy is only ever a hint to loads and stores, which pass over it: any value will do.
bool decodePolicy(Emitter& e) {
    const auto operands = e.operands();
    const auto d = operands.empty() ? std::nullopt : e.destination(operands[0], T::b64, 8);
    if (!d) return false;
    e.emit(Lane::copy64, *d, e.constants().word64(0));
    return true;
}

} // namespace

bool decodeMemory(Emitter& e) {
    switch (e.instruction().opcode) {
    case O::ld:
    case O::ldu: return decodeLoadOrStore(e, true);
    case O::st: return decodeLoadOrStore(e, false);
    case O::mov: return decodeMove(e);
    case O::cvta: return decodeCvta(e);
    case O::isspacep: return decodeIsSpace(e);
    case O::atom: return decodeAtomic(e, true);
    case O::red: return !e.has(M::async) && decodeAtomic(e, false);
    case O::prefetch:
    case O::prefetchu: return true; // no effect on results: `finish` leaves an empty micro-operation
    case O::createpolicy: return decodePolicy(e);
    default: return false;
    }
}

} // namespace ptxwb::emulator
