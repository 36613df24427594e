// wmma.load, wmma.mma, wmma.store. Source: PTX ISA 9.0, 9.7.14.4, which leaves open which element lies in which
// register. The layout here is that of mma.sync: m16n16k16 is two products m16n8k16 side by side, m32n8k16 two above
// one another, and m8n32k16 is m32n8k16 transposed. Fragments that have more registers than that needs hold it
// repeatedly.
#include "emulator/decode_matrix.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using T = ptx::ScalarType;
using ptx::Operand;

enum class Part : std::uint8_t { a, b, accumulator };

/// One shape with one type of factors: the registers of a half of the fragment that is halved, of the one that is not,
/// and of half an accumulator.
struct Shape {
    M shape;
    T factors;
    std::uint8_t k;
    std::uint8_t rows, columns; ///< of one of the products: 16 x 8, or 8 x 8
    std::uint8_t left, right;   ///< registers of the product's factors
    std::uint8_t halves;        ///< products
    bool halvesColumns = false, isTransposed = false;
    std::uint8_t registersA = 0, registersB = 0; ///< of the whole fragments
};
constexpr Shape shapes[] = {
    {M::m16n16k16, T::f16, 16, 16, 8, 4, 2, 2, true, false, 8, 8},
    {M::m32n8k16, T::f16, 16, 16, 8, 4, 2, 2, false, false, 8, 8},
    {M::m8n32k16, T::f16, 16, 16, 8, 4, 2, 2, false, true, 8, 8},
    {M::m16n16k16, T::bf16, 16, 16, 8, 4, 2, 2, true, false, 4, 4},
    {M::m32n8k16, T::bf16, 16, 16, 8, 4, 2, 2, false, false, 8, 2},
    {M::m8n32k16, T::bf16, 16, 16, 8, 4, 2, 2, false, true, 2, 8},
    {M::m16n16k16, T::u8, 16, 16, 8, 2, 1, 2, true, false, 2, 2},
    {M::m32n8k16, T::u8, 16, 16, 8, 2, 1, 2, false, false, 4, 1},
    {M::m8n32k16, T::u8, 16, 16, 8, 2, 1, 2, false, true, 1, 4},
    {M::m16n16k8, T::tf32, 8, 16, 8, 4, 2, 2, true, false, 4, 4},
    {M::m8n8k4, T::f64, 4, 8, 8, 1, 1, 1, true, false, 1, 1},
};
const Shape* shapeOf(const Emitter& e, T factors) {
    if (factors == T::s8) factors = T::u8;
    for (const Shape& s : shapes)
        if (e.has(s.shape) && (s.factors == factors || factors == T::none)) return &s;
    return nullptr;
}

unsigned elementsOf(T type) {
    const unsigned bytes = ptx::sizeBytes(type == T::tf32 ? T::f32 : type);
    return bytes >= 4 ? 1 : 4 / bytes;
}

/// Where an element lies in its matrix.
struct Place {
    unsigned row, column;
};

/// Element `e` of register `r` in a lane: for a factor, without its repetitions.
Place placeOf(const Shape& s, Part part, T type, unsigned r, unsigned e, unsigned lane) {
    const unsigned each = elementsOf(type), quad = lane / 4, inQuad = lane % 4;
    const bool isLeft = (part == Part::a) != s.isTransposed && part != Part::accumulator;
    const unsigned perHalf = part == Part::accumulator ? s.rows * s.columns / 32 / each : isLeft ? s.left : s.right;
    const unsigned half = r / perHalf, i = r % perHalf;
    Place at{};
    if (part == Part::accumulator) {
        const unsigned n = i * each + e; // number of the element in the product's fragment
        at = {quad + 8 * (n >> 1), inQuad * 2 + (n & 1)};
        (s.halvesColumns ? at.column : at.row) += half * (s.halvesColumns ? s.columns : s.rows);
    } else if (isLeft) {
        at = {quad + 8 * (i & 1), inQuad * each + (i >> 1) * 4 * each + e};
        at.row += half * s.rows;
    } else {
        at = {inQuad * each + i * 4 * each + e, quad};
        at.column += half * s.columns;
    }
    return s.isTransposed ? Place{at.column, at.row} : at;
}

/// Registers of the fragment that differ: the others repeat them.
unsigned distinct(const Shape& s, Part part) {
    if (part == Part::accumulator) return 0;
    const bool isLeft = (part == Part::a) != s.isTransposed;
    const bool isHalved = isLeft != s.halvesColumns;
    return (isLeft ? s.left : s.right) * (isHalved ? s.halves : 1U);
}

/// Addresses of the elements of one fragment.
class Matrix {
public:
    /// `leading`: elements between rows (columns, by column).
    Matrix(Emitter& e, Slot base, const Operand* stride, unsigned leading, unsigned bytes)
        : m_e(e), m_base(base), m_bytes(bytes), m_leading(leading) {
        if (!stride) return;
        if (stride->kind == ptx::OperandKind::integer)
            m_leading = static_cast<std::uint64_t>(stride->value);
        else
            m_stride = m_e.source(*stride, T::u32, 4);
    }

    /// A slot of 8-byte addresses, one a lane: `major[lane]` rows and `minor[lane]` elements behind the base.
    Slot address(const std::uint64_t (&major)[32], const std::uint64_t (&minor)[32]) {
        std::uint64_t offsets[32];
        const Slot sum = m_e.temporary(8).slot;
        for (unsigned lane = 0; lane < 32; ++lane)
            offsets[lane] = (m_stride ? minor[lane] : major[lane] * m_leading + minor[lane]) * m_bytes;
        m_e.emit(Lane::add_u64, sum, m_base, m_e.constants().lanes(offsets, 8));
        if (!m_stride) return sum;
        std::uint64_t factors[32];
        for (unsigned lane = 0; lane < 32; ++lane) factors[lane] = major[lane] * m_bytes;
        const Slot rows = m_e.temporary(8).slot, whole = m_e.temporary(8).slot;
        m_e.emit(Lane::mul_wide_u32, rows, m_e.constants().lanes(factors, 4), *m_stride);
        m_e.emit(Lane::add_u64, whole, sum, rows);
        return whole;
    }

private:
    Emitter& m_e;
    Slot m_base;
    std::uint64_t m_bytes;
    std::uint64_t m_leading;
    std::optional<Slot> m_stride;
};

void emitAccess(Emitter& e, bool isLoad, Slot address, unsigned bytes, SlotRef value) {
    MemoryOp m;
    m.space = e.source().spaceOf(e.instruction());
    m.bytes = static_cast<std::uint8_t>(bytes);
    m.address.base = address;
    m.values[0] = value;
    e.emit(isLoad ? Kind::load : Kind::store).extra = static_cast<std::uint32_t>(e.function().memory.size());
    e.function().memory.push_back(m);
}

/// The operand of a load or store as 8-byte addresses.
std::optional<Slot> baseOf(Emitter& e, const Operand& operand) {
    const auto address = e.address(operand);
    if (!address) return std::nullopt;
    const Slot sum = e.temporary(8).slot, offset = e.constants().word64(static_cast<std::uint64_t>(address->offset));
    if (address->base == noSlot) return offset;
    Slot wide = address->base;
    if (!address->base64) {
        wide = e.temporary(8).slot;
        e.emit(Lane::widen_u32, wide, address->base);
    }
    e.emit(Lane::add_u64, sum, wide, offset);
    return sum;
}

/// One register of the fragment from or to memory.
void emitRegister(Emitter& e, Matrix& matrix, const Shape& s, Part part, T type, bool byRow, bool isLoad, unsigned r,
                  SlotRef value) {
    const unsigned each = elementsOf(type), bytes = ptx::sizeBytes(type == T::tf32 ? T::f32 : type);
    std::uint64_t major[4][32], minor[4][32];
    bool together = true;
    for (unsigned i = 0; i < each; ++i)
        for (unsigned lane = 0; lane < 32; ++lane) {
            const Place at = placeOf(s, part, type, r, i, lane);
            major[i][lane] = byRow ? at.row : at.column;
            minor[i][lane] = byRow ? at.column : at.row;
            together &= major[i][lane] == major[0][lane] && minor[i][lane] == minor[0][lane] + i;
        }
    if (together) return emitAccess(e, isLoad, matrix.address(major[0], minor[0]), bytes * each, value);
    Slot sum = e.constants().word32(0);
    for (unsigned i = 0; i < each; ++i) {
        const Slot address = matrix.address(major[i], minor[i]);
        const Slot places = e.constants().word32(i * bytes * 8), part32 = e.temporary(4).slot;
        if (!isLoad) {
            e.emit(Lane::shr_u32, part32, value.slot, places);
            emitAccess(e, false, address, bytes, {part32, 4});
            continue;
        }
        emitAccess(e, true, address, bytes, {part32, 4});
        const Slot moved = e.temporary(4).slot, next = i + 1 < each ? e.temporary(4).slot : value.slot;
        e.emit(Lane::shl_b32, moved, part32, places);
        e.emit(Lane::or_b32, next, sum, moved);
        sum = next;
    }
}

/// Rows or columns of the stored matrix: elements from one to the next where no stride is given.
unsigned leadingOf(const Shape& s, Part part, bool byRow) {
    unsigned rows = s.rows, columns = s.columns;
    (s.halvesColumns ? columns : rows) *= s.halves;
    if (s.isTransposed) std::swap(rows, columns);
    if (part == Part::a) return byRow ? s.k : rows;
    if (part == Part::b) return byRow ? columns : s.k;
    return byRow ? columns : rows;
}

bool decodeAccess(Emitter& e, bool isLoad) {
    const auto operands = e.operands();
    const Part part = e.has(M::a) ? Part::a : e.has(M::b) ? Part::b : Part::accumulator;
    const T type = e.type();
    const Shape* s = shapeOf(e, part == Part::accumulator ? T::none : type);
    if (!s || operands.size() < 2 || operands.size() > 3) return false;
    if (part == Part::accumulator && type != T::f16 && type != T::f32 && type != T::s32 && type != T::f64) return false;
    const unsigned bytes = ptx::sizeBytes(type == T::tf32 ? T::f32 : type);
    const std::uint8_t word = bytes == 8 ? 8 : 4;
    const unsigned count = part == Part::a   ? s->registersA
                           : part == Part::b ? s->registersB
                                             : s->rows * s->columns * s->halves / 32U / elementsOf(type);
    const auto registers = registersOf(e, operands[isLoad ? 0 : 1], count, word, isLoad);
    const auto base = baseOf(e, operands[isLoad ? 1 : 0]);
    if (registers.empty() || !base) return false;
    const bool byRow = e.has(M::row);
    Matrix matrix(e, *base, operands.size() == 3 ? &operands[2] : nullptr, leadingOf(*s, part, byRow), bytes);
    const unsigned own = part == Part::accumulator ? count : std::min(distinct(*s, part), count);
    // Through temporaries: the address may be one of the destinations.
    std::vector<SlotRef> values;
    for (unsigned r = 0; r < own; ++r) {
        values.push_back(isLoad ? e.temporary(word) : registers[r]);
        emitRegister(e, matrix, *s, part, type, byRow, isLoad, r, values.back());
    }
    for (unsigned r = 0; isLoad && r < count; ++r)
        e.emit(word == 8 ? Lane::copy64 : Lane::copy32, registers[r].slot, values[r % own].slot);
    return true;
}

/// The types of `mma.row.col.m16n16k16.f32.f16`-like forms: f16 factors are not named.
struct ProductTypes {
    T d, a, b, c;
};
ProductTypes productTypes(const Emitter& e) {
    if (e.type(2) == T::none) return {e.type(0), T::f16, T::f16, e.type(1)};
    return {e.type(0), e.type(1), e.type(2), e.type(3)};
}

std::vector<SlotRef> slice(const std::vector<SlotRef>& all, unsigned first, unsigned count) {
    return {all.begin() + first, all.begin() + first + count};
}

bool decodeProduct(Emitter& e) {
    const auto operands = e.operands();
    const ProductTypes types = productTypes(e);
    const Shape* s = shapeOf(e, types.a);
    const bool integer = types.a == T::s8 || types.a == T::u8;
    if (!s || operands.size() != 4 || (integer ? types.b != T::s8 && types.b != T::u8 : types.b != types.a))
        return false;
    if (e.has(M::satfinite) && !integer) return false;
    const std::uint8_t word = types.a == T::f64 ? 8 : 4;
    const auto counted = [&](T type) { return s->rows * s->columns * s->halves / 32U / elementsOf(type); };
    const auto a = registersOf(e, operands[1], s->registersA, word, false);
    const auto b = registersOf(e, operands[2], s->registersB, word, false);
    const auto c = registersOf(e, operands[3], counted(types.c), word, false);
    const auto d = registersOf(e, operands[0], counted(types.d), word, true);
    if (a.empty() || b.empty() || c.empty() || d.empty()) return false;
    // Through temporaries: the second product still reads what the first one may write.
    std::vector<SlotRef> results;
    for (std::size_t i = 0; i < d.size(); ++i) results.push_back(e.temporary(word));
    const std::vector<SlotRef>& left = s->isTransposed ? b : a;
    const std::vector<SlotRef>& right = s->isTransposed ? a : b;
    for (unsigned half = 0; half < s->halves; ++half) {
        MatrixOp op;
        op.k = s->k;
        op.typeA = s->isTransposed ? types.b : types.a;
        op.typeB = s->isTransposed ? types.a : types.b;
        op.accumulator = types.d;
        op.accumulatorC = types.c;
        op.saturate = e.has(M::satfinite);
        op.a = slice(left, s->halvesColumns ? 0 : half * s->left, s->left);
        op.b = slice(right, s->halvesColumns ? half * s->right : 0, s->right);
        op.c = slice(c, half * counted(types.c) / s->halves, counted(types.c) / s->halves);
        op.d = slice(results, half * counted(types.d) / s->halves, counted(types.d) / s->halves);
        emitMatrix(e, CollectiveKind::matrixProduct, std::move(op));
    }
    for (std::size_t i = 0; i < d.size(); ++i)
        e.emit(word == 8 ? Lane::copy64 : Lane::copy32, d[i].slot, results[i].slot);
    return true;
}

} // namespace

bool decodeWmma(Emitter& e) {
    if (!e.onlyModifiers({M::load, M::store, M::mma, M::a, M::b, M::c, M::d, M::sync, M::aligned, M::row, M::col,
                          M::m16n16k16, M::m32n8k16, M::m8n32k16, M::m16n16k8, M::m8n8k4, M::shared_cta, M::satfinite,
                          M::rn}))
        return false;
    return e.has(M::mma) ? decodeProduct(e) : decodeAccess(e, e.has(M::load));
}

} // namespace ptxwb::emulator
