// mma.sync, ldmatrix, stmatrix, movmatrix; wmma is in decode_wmma.cpp. A form that is not known here becomes
// `unsupported`.
#include "emulator/decode_matrix.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;
using ptx::Operand;
using ptx::OperandKind;

constexpr std::uint32_t allLanes = ~0U;

} // namespace

std::vector<SlotRef> registersOf(Emitter& e, const Operand& operand, std::size_t count, std::uint8_t bytes,
                                 bool isDestination) {
    std::span<const Operand> elements(&operand, 1);
    if (operand.kind == OperandKind::vector) elements = e.source().childrenOf(operand);
    if (elements.size() != count) return {};
    std::vector<SlotRef> out;
    for (const Operand& element : elements) {
        const T type = bytes == 8 ? T::b64 : T::b32;
        const auto slot = isDestination ? e.destination(element, type, bytes) : e.source(element, type, bytes);
        if (!slot) return {};
        out.push_back({*slot, bytes});
    }
    return out;
}

bool emitMatrix(Emitter& e, CollectiveKind kind, MatrixOp op) {
    CollectiveOp collective;
    collective.kind = kind;
    collective.members = e.constants().word32(allLanes);
    collective.matrix = static_cast<std::uint32_t>(e.function().matrices.size());
    e.function().matrices.push_back(std::move(op));
    MicroOp& micro = e.emit(Kind::collective);
    micro.extra = static_cast<std::uint32_t>(e.function().collectives.size());
    e.function().collectives.push_back(collective);
    return true;
}

namespace {

/// One dense shape: registers of A, B, and of C and D.
struct ShapeRow {
    M shape;
    T typeA, accumulator;
    std::uint16_t k;
    std::uint8_t a, b, c;
};
constexpr ShapeRow shapes[] = {
    {M::m16n8k16, T::f16, T::f32, 16, 4, 2, 4},  {M::m16n8k16, T::bf16, T::f32, 16, 4, 2, 4},
    {M::m16n8k16, T::f16, T::f16, 16, 4, 2, 2},  {M::m16n8k8, T::f16, T::f32, 8, 2, 1, 4},
    {M::m16n8k8, T::bf16, T::f32, 8, 2, 1, 4},   {M::m16n8k8, T::f16, T::f16, 8, 2, 1, 2},
    {M::m16n8k8, T::tf32, T::f32, 8, 4, 2, 4},   {M::m16n8k4, T::tf32, T::f32, 4, 2, 1, 4},
    {M::m16n8k32, T::s8, T::s32, 32, 4, 2, 4},   {M::m16n8k32, T::u8, T::s32, 32, 4, 2, 4},
    {M::m16n8k16, T::s8, T::s32, 16, 2, 1, 4},   {M::m16n8k16, T::u8, T::s32, 16, 2, 1, 4},
    {M::m8n8k4, T::f64, T::f64, 4, 1, 1, 2},     {M::m16n8k4, T::f64, T::f64, 4, 2, 1, 4},
    {M::m16n8k8, T::f64, T::f64, 8, 4, 2, 4},    {M::m16n8k16, T::f64, T::f64, 16, 8, 4, 4},
    {M::m8n8k16, T::s8, T::s32, 16, 1, 1, 2},    {M::m8n8k16, T::u8, T::s32, 16, 1, 1, 2},
    {M::m8n8k32, T::s4, T::s32, 32, 1, 1, 2},    {M::m8n8k32, T::u4, T::s32, 32, 1, 1, 2},
    {M::m16n8k32, T::s4, T::s32, 32, 2, 1, 4},   {M::m16n8k32, T::u4, T::s32, 32, 2, 1, 4},
    {M::m16n8k64, T::s4, T::s32, 64, 4, 2, 4},   {M::m16n8k64, T::u4, T::s32, 64, 4, 2, 4},
    {M::m8n8k128, T::b1, T::s32, 128, 1, 1, 2},  {M::m16n8k128, T::b1, T::s32, 128, 2, 1, 4},
    {M::m16n8k256, T::b1, T::s32, 256, 4, 2, 4},
};

bool isInteger(T type) {
    return type == T::s8 || type == T::u8 || type == T::s4 || type == T::u4 || type == T::b1;
}
/// Both signed or not, of one width.
bool arePair(T a, T b) {
    const auto unsignedOf = [](T t) { return t == T::s8 ? T::u8 : t == T::s4 ? T::u4 : t; };
    return unsignedOf(a) == unsignedOf(b);
}

/// m8n8k4 of f16: four products of 8 x 8 x 4, each in two groups of four lanes.
bool decodeQuads(Emitter& e) {
    const auto operands = e.operands();
    const T d = e.type(0), c = e.type(3);
    const auto registers = [](T type) -> std::size_t { return type == T::f32 ? 8 : 4; };
    if (operands.size() != 4 || e.type(1) != T::f16 || e.type(2) != T::f16 || (d != T::f16 && d != T::f32) ||
        (c != T::f16 && c != T::f32) || !e.onlyModifiers({M::sync, M::aligned, M::m8n8k4, M::row, M::col}))
        return false;
    // The two words stand in the order of A and B.
    std::vector<M> orders;
    for (const ptx::ModifierUse& use : e.source().modifiersOf(e.instruction()))
        if (use.id == M::row || use.id == M::col) orders.push_back(use.id);
    if (orders.size() != 2) return false;
    MatrixOp op;
    op.k = 4;
    op.typeA = op.typeB = T::f16;
    op.accumulator = d;
    op.accumulatorC = c;
    op.columnsA = orders[0] == M::col;
    op.rowsB = orders[1] == M::row;
    op.a = registersOf(e, operands[1], 2, 4, false);
    op.b = registersOf(e, operands[2], 2, 4, false);
    op.c = registersOf(e, operands[3], registers(c), 4, false);
    op.d = registersOf(e, operands[0], registers(d), 4, true);
    return !op.a.empty() && !op.b.empty() && !op.c.empty() && !op.d.empty() &&
           emitMatrix(e, CollectiveKind::matrixQuads, std::move(op));
}

bool decodeProduct(Emitter& e) {
    const auto operands = e.operands();
    const T d = e.type(0), a = e.type(1), b = e.type(2), c = e.type(3);
    if (e.has(M::m8n8k4) && a == T::f16) return decodeQuads(e);
    if (operands.size() != 4 || d != c || !e.has(M::row) || !e.has(M::col) ||
        !e.onlyModifiers({M::sync,    M::aligned,   M::m16n8k16, M::m16n8k8,  M::m16n8k4,   M::m16n8k32,  M::m8n8k4,
                          M::m8n8k16, M::m8n8k32,   M::m16n8k64, M::m8n8k128, M::m16n8k128, M::m16n8k256, M::row,
                          M::col,     M::satfinite, M::rn,       M::popc,     M::and_,      M::xor_}))
        return false;
    if (!arePair(a, b) || (e.has(M::satfinite) && (!isInteger(a) || a == T::b1)) || e.has(M::popc) != (a == T::b1))
        return false;
    for (const ShapeRow& row : shapes) {
        if (!e.has(row.shape) || row.typeA != a || row.accumulator != d) continue;
        const std::uint8_t bytes = a == T::f64 ? 8 : 4;
        MatrixOp op;
        op.k = row.k;
        op.typeA = a;
        op.typeB = b;
        op.accumulator = d;
        op.saturate = e.has(M::satfinite);
        op.bitsAnd = e.has(M::and_);
        op.a = registersOf(e, operands[1], row.a, bytes, false);
        op.b = registersOf(e, operands[2], row.b, bytes, false);
        op.c = registersOf(e, operands[3], row.c, bytes, false);
        op.d = registersOf(e, operands[0], row.c, bytes, true);
        return !op.a.empty() && !op.b.empty() && !op.c.empty() && !op.d.empty() &&
               emitMatrix(e, CollectiveKind::matrixProduct, std::move(op));
    }
    return false;
}

std::size_t matrixCount(const Emitter& e) {
    return e.has(M::x4) ? 4 : e.has(M::x2) ? 2 : e.has(M::x1) ? 1 : 0;
}

/// The load or store of whole rows, 16 bytes each, by the first 8 lanes of each matrix.
bool emitRows(Emitter& e, bool isLoad, const Operand& addressed, std::size_t count, const std::vector<SlotRef>& words) {
    MemoryOp m;
    m.space = e.source().spaceOf(e.instruction());
    m.bytes = 4;
    m.count = 4;
    for (std::size_t i = 0; i < 4; ++i) m.values[i] = words[i];
    const auto address = e.address(addressed);
    if (!address || (m.space != ptx::StateSpace::shared && m.space != ptx::StateSpace::none)) return false;
    m.address = *address;
    const Slot lanes = e.temporary(0).slot;
    const Slot first = e.constants().word32(count == 4 ? allLanes : (1U << (8 * count)) - 1);
    const ptx::Instruction& i = e.instruction();
    // The lanes that hold rows, of those whose guard holds; made for all lanes, so that none keeps an older value.
    MicroOp& who = e.emit(Lane::predicate, lanes, i.guard == ptx::noIndex ? first : e.reg(i.guard).slot, first);
    who.immediate = i.guard != ptx::noIndex && i.guardNegated ? 0b0100 : 0b1000;
    who.guard = noSlot;
    MicroOp& op = e.emit(isLoad ? Kind::load : Kind::store);
    op.guard = lanes;
    op.guardNegated = false;
    op.extra = static_cast<std::uint32_t>(e.function().memory.size());
    e.function().memory.push_back(m);
    return true;
}

bool decodeRows(Emitter& e, bool isLoad) {
    const auto operands = e.operands();
    const std::size_t count = matrixCount(e);
    if (operands.size() != 2 || !count || e.type() != T::b16 || !e.has(M::m8n8) ||
        !e.onlyModifiers({M::sync, M::aligned, M::m8n8, M::x1, M::x2, M::x4, M::trans, M::shared_cta}))
        return false;
    std::vector<SlotRef> rows;
    for (int i = 0; i < 4; ++i) rows.push_back(e.temporary(4));
    MatrixOp op;
    op.transposed = e.has(M::trans);
    const auto fragments = registersOf(e, operands[isLoad ? 0 : 1], count, 4, isLoad);
    if (fragments.empty()) return false;
    if (isLoad) {
        op.a = rows;
        op.d = fragments;
        return emitRows(e, true, operands[1], count, rows) && emitMatrix(e, CollectiveKind::matrixLoad, std::move(op));
    }
    op.a = fragments;
    op.d = rows;
    return emitMatrix(e, CollectiveKind::matrixStore, std::move(op)) && emitRows(e, false, operands[0], count, rows);
}

bool decodeTranspose(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 2 || e.type() != T::b16 || !e.has(M::trans) ||
        !e.onlyModifiers({M::sync, M::aligned, M::m8n8, M::trans}))
        return false;
    MatrixOp op;
    op.a = registersOf(e, operands[1], 1, 4, false);
    op.d = registersOf(e, operands[0], 1, 4, true);
    return !op.a.empty() && !op.d.empty() && emitMatrix(e, CollectiveKind::matrixTranspose, std::move(op));
}

} // namespace

bool decodeMatrix(Emitter& e) {
    switch (e.instruction().opcode) {
    case O::mma: return decodeProduct(e);
    case O::wmma: return decodeWmma(e);
    case O::ldmatrix: return decodeRows(e, true);
    case O::stmatrix: return decodeRows(e, false);
    case O::movmatrix: return decodeTranspose(e);
    default: return false;
    }
}

} // namespace ptxwb::emulator
