// Arithmetic, comparison, selection, logic and shifts. An opcode of this group in a form that is not known here answers
// false and becomes `unsupported`: a modifier is never passed over.
#include "emulator/emitter.h"
#include "emulator/scalar_functions.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;
using ptx::Operand;

struct LaneRow {
    O opcode;
    T type;
    Lane lane;
};

// Two operands of the instruction's type, no modifier.
constexpr LaneRow binaryRows[] = {
    {O::add, T::u16, Lane::add_u16},  {O::add, T::s16, Lane::add_u16},  {O::add, T::u32, Lane::add_u32},
    {O::add, T::s32, Lane::add_u32},  {O::add, T::u64, Lane::add_u64},  {O::add, T::s64, Lane::add_u64},
    {O::sub, T::u16, Lane::sub_u16},  {O::sub, T::s16, Lane::sub_u16},  {O::sub, T::u32, Lane::sub_u32},
    {O::sub, T::s32, Lane::sub_u32},  {O::sub, T::u64, Lane::sub_u64},  {O::sub, T::s64, Lane::sub_u64},
    {O::min, T::u16, Lane::min_u16},  {O::min, T::s16, Lane::min_s16},  {O::min, T::u32, Lane::min_u32},
    {O::min, T::s32, Lane::min_s32},  {O::min, T::u64, Lane::min_u64},  {O::min, T::s64, Lane::min_s64},
    {O::max, T::u16, Lane::max_u16},  {O::max, T::s16, Lane::max_s16},  {O::max, T::u32, Lane::max_u32},
    {O::max, T::s32, Lane::max_s32},  {O::max, T::u64, Lane::max_u64},  {O::max, T::s64, Lane::max_s64},
    {O::and_, T::b16, Lane::and_b32}, {O::and_, T::b32, Lane::and_b32}, {O::and_, T::b64, Lane::and_b64},
    {O::or_, T::b16, Lane::or_b32},   {O::or_, T::b32, Lane::or_b32},   {O::or_, T::b64, Lane::or_b64},
    {O::xor_, T::b16, Lane::xor_b32}, {O::xor_, T::b32, Lane::xor_b32}, {O::xor_, T::b64, Lane::xor_b64},
};
// The same with one operand.
constexpr LaneRow unaryRows[] = {
    {O::neg, T::s16, Lane::neg_s16},  {O::neg, T::s32, Lane::neg_s32},  {O::neg, T::s64, Lane::neg_s64},
    {O::neg, T::f32, Lane::neg_f32},  {O::neg, T::f64, Lane::neg_f64},  {O::abs, T::s16, Lane::abs_s16},
    {O::abs, T::s32, Lane::abs_s32},  {O::abs, T::s64, Lane::abs_s64},  {O::abs, T::f32, Lane::abs_f32},
    {O::abs, T::f64, Lane::abs_f64},  {O::not_, T::b16, Lane::not_b16}, {O::not_, T::b32, Lane::not_b32},
    {O::not_, T::b64, Lane::not_b64},
};
// The second operand is a 32-bit amount.
constexpr LaneRow shiftRows[] = {
    {O::shl, T::b16, Lane::shl_b16}, {O::shl, T::b32, Lane::shl_b32}, {O::shl, T::b64, Lane::shl_b64},
    {O::shr, T::b16, Lane::shr_u16}, {O::shr, T::u16, Lane::shr_u16}, {O::shr, T::s16, Lane::shr_s16},
    {O::shr, T::b32, Lane::shr_u32}, {O::shr, T::u32, Lane::shr_u32}, {O::shr, T::s32, Lane::shr_s32},
    {O::shr, T::b64, Lane::shr_u64}, {O::shr, T::u64, Lane::shr_u64}, {O::shr, T::s64, Lane::shr_s64},
};

std::optional<Lane> rowFor(std::span<const LaneRow> rows, O opcode, T type) {
    for (const LaneRow& row : rows)
        if (row.opcode == opcode && row.type == type) return row.lane;
    return std::nullopt;
}

/// d (of type `result`) = lane(operands of the given types).
bool emitLanes(Emitter& e, Lane lane, T result, std::initializer_list<T> types) {
    const auto operands = e.operands();
    if (operands.size() != types.size() + 1) return false;
    Slot slots[3] = {0, 0, 0};
    std::size_t i = 0;
    for (const T type : types) {
        const auto slot = e.source(operands[i + 1], type, wordBytes(type));
        if (!slot) return false;
        slots[i++] = *slot;
    }
    const auto d = e.destination(operands[0], result, wordBytes(result));
    if (!d) return false;
    e.emit(lane, *d, slots[0], slots[1], slots[2]);
    return true;
}

/// The same with a scalar function.
bool emitScalar(Emitter& e, ScalarFunction function, T result, std::initializer_list<T> types) {
    const auto operands = e.operands();
    if (!function || operands.size() != types.size() + 1) return false;
    SlotRef slots[3] = {{0, 4}, {0, 4}, {0, 4}};
    std::size_t i = 0;
    for (const T type : types) {
        const auto slot = e.source(operands[i + 1], type, wordBytes(type));
        if (!slot) return false;
        slots[i++] = {*slot, wordBytes(type)};
    }
    const auto d = e.destination(operands[0], result, wordBytes(result));
    if (!d) return false;
    e.emit(function, {*d, wordBytes(result)}, slots[0], slots[1], slots[2]);
    return true;
}

FloatMode floatMode(const Emitter& e) {
    FloatMode mode;
    mode.rounding = e.has(M::rz)   ? Rounding::zero
                    : e.has(M::rm) ? Rounding::down
                    : e.has(M::rp) ? Rounding::up
                                   : Rounding::nearest;
    mode.flush = e.has(M::ftz);
    mode.saturate = e.has(M::sat);
    return mode;
}

bool isF32orF64(T type) {
    return type == T::f32 || type == T::f64;
}

/// The vector row of a floating-point operation in its most used modes.
std::optional<Lane> floatRow(FloatOp op, T type, FloatMode mode) {
    if (mode.rounding != Rounding::nearest || mode.saturate) return std::nullopt;
    const bool f64 = type == T::f64;
    if (f64 && mode.flush) return std::nullopt;
    switch (op) {
    case FloatOp::add:
        return f64 ? Lane::add_f64 : mode.flush ? Lane::add_ftz_f32 : Lane::add_f32;
    case FloatOp::subtract:
        return f64 ? Lane::sub_f64 : mode.flush ? Lane::sub_ftz_f32 : Lane::sub_f32;
    case FloatOp::multiply:
        return f64 ? Lane::mul_f64 : mode.flush ? Lane::mul_ftz_f32 : Lane::mul_f32;
    case FloatOp::fma:
        return f64 ? Lane::fma_f64 : mode.flush ? Lane::fma_ftz_f32 : Lane::fma_f32;
    default:
        return std::nullopt;
    }
}

bool decodeFloat(Emitter& e, FloatOp op, std::size_t operandCount) {
    const T type = e.type();
    if (!isF32orF64(type) || !e.onlyModifiers({M::rn, M::rz, M::rm, M::rp, M::ftz, M::sat})) return false;
    const FloatMode mode = floatMode(e);
    const auto row = floatRow(op, type, mode);
    const ScalarFunction scalar = row ? nullptr : floatFunction(op, type, mode);
    auto emit = [&](std::initializer_list<T> types) {
        return row ? emitLanes(e, *row, type, types) : emitScalar(e, scalar, type, types);
    };
    return operandCount == 1 ? emit({type}) : operandCount == 2 ? emit({type, type}) : emit({type, type, type});
}

/// add.cc, addc, sub.cc, subc. `b` may be given instead of the instruction's own second operand (mad.cc).
bool emitCarry(Emitter& e, CarryOp op, bool carryIn, bool carryOut, Slot a, Slot b) {
    const T type = e.type();
    const auto d = e.destination(e.operands()[0], type, wordBytes(type));
    if (!d) return false;
    MicroOp& micro = e.emit(Kind::carry);
    micro.d = *d;
    micro.a = a;
    micro.b = b;
    micro.c = e.carryFlag();
    micro.widths = wordBytes(type) == 8;
    micro.immediate = static_cast<std::int64_t>(op) | std::int64_t{carryIn} << 8 | std::int64_t{carryOut} << 9;
    return true;
}

bool decodeCarry(Emitter& e, CarryOp op, bool carryIn) {
    const T type = e.type();
    if (ptx::isFloat(type) || ptx::sizeBytes(type) < 4 || !e.onlyModifiers({M::cc}) || e.operands().size() != 3)
        return false;
    const auto a = e.source(e.operands()[1], type, wordBytes(type)),
               b = e.source(e.operands()[2], type, wordBytes(type));
    return a && b && emitCarry(e, op, carryIn, e.has(M::cc), *a, *b);
}

bool decodeAddOrSubtract(Emitter& e, bool subtract) {
    const T type = e.type();
    if (isF32orF64(type)) return decodeFloat(e, subtract ? FloatOp::subtract : FloatOp::add, 2);
    if (e.has(M::cc)) return decodeCarry(e, subtract ? CarryOp::subtract : CarryOp::add, false);
    if (e.has(M::sat))
        return type == T::s32 && e.onlyModifiers({M::sat}) && emitScalar(e, addSaturated(subtract), type, {type, type});
    const auto row = rowFor(binaryRows, subtract ? O::sub : O::add, type);
    return row && e.onlyModifiers({}) && emitLanes(e, *row, type, {type, type});
}

T widened(T type) {
    switch (type) {
    case T::u16:
        return T::u32;
    case T::s16:
        return T::s32;
    case T::u32:
        return T::u64;
    case T::s32:
        return T::s64;
    default:
        return T::none;
    }
}

bool decodeMultiply(Emitter& e) {
    const T type = e.type();
    if (isF32orF64(type)) return decodeFloat(e, FloatOp::multiply, 2);
    if (!e.onlyModifiers({M::lo, M::hi, M::wide})) return false;
    const unsigned size = ptx::sizeBytes(type);
    if (e.has(M::wide)) {
        const Lane row = type == T::u16   ? Lane::mul_wide_u16
                         : type == T::s16 ? Lane::mul_wide_s16
                         : type == T::u32 ? Lane::mul_wide_u32
                                          : Lane::mul_wide_s32;
        return widened(type) != T::none && emitLanes(e, row, widened(type), {type, type});
    }
    if (e.has(M::hi)) {
        if (type == T::u32) return emitLanes(e, Lane::mul_hi_u32, type, {type, type});
        if (type == T::s32) return emitLanes(e, Lane::mul_hi_s32, type, {type, type});
        return emitScalar(e, multiplyHigh(type), type, {type, type});
    }
    if (!e.has(M::lo) || ptx::isFloat(type)) return false;
    return emitLanes(e,
                     size == 8   ? Lane::mul_lo_u64
                     : size == 4 ? Lane::mul_lo_u32
                                 : Lane::mul_lo_u16,
                     type, {type, type});
}

bool decodeMultiplyAdd(Emitter& e, bool carryIn) {
    const T type = e.type();
    if (isF32orF64(type)) return !carryIn && decodeFloat(e, FloatOp::fma, 3);
    if (!e.onlyModifiers({M::lo, M::hi, M::wide, M::sat, M::cc}) || e.operands().size() != 4) return false;
    const unsigned size = ptx::sizeBytes(type);
    if (carryIn || e.has(M::cc)) {
        if (size < 4 || e.has(M::wide) || e.has(M::sat)) return false;
        const std::uint8_t bytes = wordBytes(type);
        const auto a = e.source(e.operands()[1], type, bytes), b = e.source(e.operands()[2], type, bytes),
                   c = e.source(e.operands()[3], type, bytes);
        if (!a || !b || !c) return false;
        const SlotRef product = e.temporary(bytes);
        if (e.has(M::hi))
            e.emit(multiplyHigh(type), product, {*a, bytes}, {*b, bytes});
        else
            e.emit(size == 8 ? Lane::mul_lo_u64 : Lane::mul_lo_u32, product.slot, *a, *b);
        return emitCarry(e, CarryOp::add, carryIn, e.has(M::cc), product.slot, *c);
    }
    if (e.has(M::wide)) {
        const T wide = widened(type);
        const Lane row = type == T::u16   ? Lane::mad_wide_u16
                         : type == T::s16 ? Lane::mad_wide_s16
                         : type == T::u32 ? Lane::mad_wide_u32
                                          : Lane::mad_wide_s32;
        return wide != T::none && !e.has(M::sat) && emitLanes(e, row, wide, {type, type, wide});
    }
    if (e.has(M::hi)) return emitScalar(e, multiplyAddHigh(type, e.has(M::sat)), type, {type, type, type});
    if (!e.has(M::lo) || e.has(M::sat)) return false;
    return emitLanes(e,
                     size == 8   ? Lane::mad_lo_u64
                     : size == 4 ? Lane::mad_lo_u32
                                 : Lane::mad_lo_u16,
                     type, {type, type, type});
}

bool decodeMinMax(Emitter& e, bool maximum) {
    const T type = e.type();
    if (type == T::f32 && e.operands().size() == 3 && e.onlyModifiers({M::ftz, M::NaN})) {
        if (e.has(M::NaN)) return !e.has(M::ftz) && emitScalar(e, minimumNaN(maximum), type, {type, type});
        const Lane row = e.has(M::ftz) ? (maximum ? Lane::max_ftz_f32 : Lane::min_ftz_f32)
                         : maximum     ? Lane::max_f32
                                       : Lane::min_f32;
        return emitLanes(e, row, type, {type, type});
    }
    if (!e.onlyModifiers({})) return false;
    if (type == T::f64) return emitScalar(e, minimumF64(maximum), type, {type, type});
    const auto row = rowFor(binaryRows, maximum ? O::max : O::min, type);
    return row && emitLanes(e, *row, type, {type, type});
}

bool decodeApproximation(Emitter& e, Approximation op) {
    return e.has(M::approx) && e.onlyModifiers({M::approx, M::ftz}) &&
           emitScalar(e, approximation(op, e.type(), e.has(M::ftz)), e.type(), {e.type()});
}

bool decodeDivide(Emitter& e) {
    const T type = e.type();
    if (!isF32orF64(type)) return e.onlyModifiers({}) && emitScalar(e, divide(type), type, {type, type});
    if (!e.has(M::full) && !e.has(M::approx)) return decodeFloat(e, FloatOp::divide, 2);
    // .full and .approx: the correctly rounded quotient lies inside the error that the ISA allows.
    FloatMode mode;
    mode.flush = e.has(M::ftz);
    return type == T::f32 && e.onlyModifiers({M::full, M::approx, M::ftz}) &&
           emitScalar(e, floatFunction(FloatOp::divide, type, mode), type, {type, type});
}

struct CompareRow {
    M modifier;
    Lane u16, s16, u32, s32, u64, s64, f32, f64;
};
#define PTXWB_BOTH(op) Lane::op##_u16, Lane::op##_s16, Lane::op##_u32, Lane::op##_s32, Lane::op##_u64, Lane::op##_s64
#define PTXWB_UNSIGNED(op)                                                                                             \
    Lane::op##_u16, Lane::op##_u16, Lane::op##_u32, Lane::op##_u32, Lane::op##_u64, Lane::op##_u64
#define PTXWB_NO_INTEGER Lane::count_, Lane::count_, Lane::count_, Lane::count_, Lane::count_, Lane::count_
constexpr CompareRow compareRows[] = {
    {M::eq, PTXWB_BOTH(eq), Lane::eq_f32, Lane::eq_f64},      {M::ne, PTXWB_BOTH(ne), Lane::ne_f32, Lane::ne_f64},
    {M::lt, PTXWB_BOTH(lt), Lane::lt_f32, Lane::lt_f64},      {M::le, PTXWB_BOTH(le), Lane::le_f32, Lane::le_f64},
    {M::gt, PTXWB_BOTH(gt), Lane::gt_f32, Lane::gt_f64},      {M::ge, PTXWB_BOTH(ge), Lane::ge_f32, Lane::ge_f64},
    {M::lo, PTXWB_UNSIGNED(lt), Lane::count_, Lane::count_},  {M::ls, PTXWB_UNSIGNED(le), Lane::count_, Lane::count_},
    {M::hi, PTXWB_UNSIGNED(gt), Lane::count_, Lane::count_},  {M::hs, PTXWB_UNSIGNED(ge), Lane::count_, Lane::count_},
    {M::equ, PTXWB_NO_INTEGER, Lane::equ_f32, Lane::equ_f64}, {M::neu, PTXWB_NO_INTEGER, Lane::neu_f32, Lane::neu_f64},
    {M::ltu, PTXWB_NO_INTEGER, Lane::ltu_f32, Lane::ltu_f64}, {M::leu, PTXWB_NO_INTEGER, Lane::leu_f32, Lane::leu_f64},
    {M::gtu, PTXWB_NO_INTEGER, Lane::gtu_f32, Lane::gtu_f64}, {M::geu, PTXWB_NO_INTEGER, Lane::geu_f32, Lane::geu_f64},
    {M::num, PTXWB_NO_INTEGER, Lane::num_f32, Lane::num_f64}, {M::nan, PTXWB_NO_INTEGER, Lane::nan_f32, Lane::nan_f64},
};
#undef PTXWB_BOTH
#undef PTXWB_UNSIGNED
#undef PTXWB_NO_INTEGER

std::optional<Lane> compareLane(const Emitter& e, T type) {
    for (const CompareRow& row : compareRows) {
        if (!e.has(row.modifier)) continue;
        Lane lane = Lane::count_;
        switch (type) {
        case T::u16:
        case T::b16:
            lane = row.u16;
            break;
        case T::s16:
            lane = row.s16;
            break;
        case T::u32:
        case T::b32:
            lane = row.u32;
            break;
        case T::s32:
            lane = row.s32;
            break;
        case T::u64:
        case T::b64:
            lane = row.u64;
            break;
        case T::s64:
            lane = row.s64;
            break;
        case T::f32:
            lane = row.f32;
            break;
        case T::f64:
            lane = row.f64;
            break;
        default:
            break;
        }
        if (lane == Lane::count_) return std::nullopt;
        return lane;
    }
    return std::nullopt;
}

bool onlyCompareModifiers(const Emitter& e) {
    return e.onlyModifiers({M::eq,  M::ne,  M::lt,  M::le,  M::gt,  M::ge,  M::lo,  M::ls,   M::hi,  M::hs,   M::equ,
                            M::neu, M::ltu, M::leu, M::gtu, M::geu, M::num, M::nan, M::and_, M::or_, M::xor_, M::ftz});
}

/// Operands a and b compared into a fresh predicate, and the predicate c if there is one. Empty where the form is not
/// known.
struct Comparison {
    Slot result;
    std::optional<Slot> c;
};
std::optional<Comparison> emitComparison(Emitter& e, T type, const Operand& a, const Operand& b, const Operand* c,
                                         std::optional<Slot> into) {
    const auto lane = compareLane(e, type);
    if (!lane || !onlyCompareModifiers(e) || (e.has(M::ftz) && type != T::f32)) return std::nullopt;
    const std::uint8_t bytes = wordBytes(type);
    auto x = e.source(a, type, bytes), y = e.source(b, type, bytes);
    if (!x || !y) return std::nullopt;
    if (e.has(M::ftz))
        for (auto* slot : {&*x, &*y}) {
            const SlotRef flushed = e.temporary(4);
            e.emit(Lane::flush_f32, flushed.slot, *slot);
            *slot = flushed.slot;
        }
    Comparison comparison{into ? *into : e.temporary(0).slot, std::nullopt};
    if (c) {
        comparison.c = e.predicate(*c);
        if (!comparison.c) return std::nullopt;
    }
    e.emit(*lane, comparison.result, *x, *y);
    return comparison;
}

/// The 4-bit table of a predicate function of a (bit 0 of the index) and b (bit 1).
std::int64_t booleanTable(const Emitter& e, bool negateA) {
    const std::int64_t table = e.has(M::and_) ? 0b1000 : e.has(M::or_) ? 0b1110 : 0b0110;
    if (!negateA) return table;
    return (table & 0b0101) << 1 | (table & 0b1010) >> 1;
}

/// Source: PTX ISA 9.0, 9.7.7.2 setp.
bool decodeSetp(Emitter& e) {
    const auto operands = e.operands();
    const bool combined = operands.size() == 4;
    if (operands.size() != 3 && !combined) return false;
    std::optional<Slot> p, q;
    if (operands[0].kind == ptx::OperandKind::pair) {
        const auto both = e.source().childrenOf(operands[0]);
        p = e.predicateDestination(both[0]);
        q = e.predicateDestination(both[1]);
        if (!q) return false;
    } else {
        p = e.predicateDestination(operands[0]);
    }
    if (!p) return false;
    const bool direct = !combined && !q;
    const auto comparison = emitComparison(e, e.type(), operands[1], operands[2], combined ? &operands[3] : nullptr,
                                           direct ? p : std::nullopt);
    if (!comparison) return false;
    if (direct) return true;
    // All operands have been read by now, except that p may be c: q goes first where both are written.
    const Slot t = comparison->result, c = comparison->c.value_or(t);
    Slot kept = c;
    if (q && combined && *q == c) {
        kept = e.temporary(0).slot;
        e.emit(Lane::predicate, kept, c, c).immediate = 0b1000;
    }
    if (q) e.emit(Lane::predicate, *q, t, kept).immediate = combined ? booleanTable(e, true) : 0b0101;
    e.emit(Lane::predicate, *p, t, kept).immediate = combined ? booleanTable(e, false) : 0b1010;
    return true;
}

/// Source: PTX ISA 9.0, 9.7.7.1 set: all ones or 1.0 where the comparison holds.
bool decodeSet(Emitter& e) {
    const auto operands = e.operands();
    const T to = e.type(0), from = e.type(1);
    if (operands.size() != 3 && operands.size() != 4) return false;
    if (to != T::u32 && to != T::s32 && to != T::f32) return false;
    const bool combined = operands.size() == 4;
    const auto comparison =
        emitComparison(e, from, operands[1], operands[2], combined ? &operands[3] : nullptr, std::nullopt);
    if (!comparison) return false;
    Slot p = comparison->result;
    if (combined) {
        const Slot both = e.temporary(0).slot;
        e.emit(Lane::predicate, both, p, *comparison->c).immediate = booleanTable(e, false);
        p = both;
    }
    const auto d = e.destination(operands[0], to, 4);
    if (!d) return false;
    e.emit(Lane::select32, *d, e.constants().word32(to == T::f32 ? 0x3F800000 : 0xFFFFFFFF), e.constants().word32(0),
           p);
    return true;
}

bool decodeSelect(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    if (operands.size() != 4 || !e.onlyModifiers({})) return false;
    const std::uint8_t bytes = wordBytes(type);
    const auto a = e.source(operands[1], type, bytes), b = e.source(operands[2], type, bytes),
               p = e.predicate(operands[3]);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !b || !p || !d || bytes == 0) return false;
    e.emit(bytes == 8 ? Lane::select64 : Lane::select32, *d, *a, *b, *p);
    return true;
}

/// Source: PTX ISA 9.0, 9.7.7.4 slct: a where c >= 0 (-0 is), b otherwise and where c is NaN.
bool decodeSlct(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type(0), selector = e.type(1);
    if (operands.size() != 4 || !e.onlyModifiers({M::ftz}) || (selector != T::s32 && selector != T::f32)) return false;
    const std::uint8_t bytes = wordBytes(type);
    const auto a = e.source(operands[1], type, bytes), b = e.source(operands[2], type, bytes),
               c = e.source(operands[3], selector, 4);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !b || !c || !d || bytes == 0) return false;
    // A subnormal is flushed to a zero of its sign, and both zeros are >= 0.
    Slot value = *c;
    if (e.has(M::ftz)) {
        value = e.temporary(4).slot;
        e.emit(Lane::flush_f32, value, *c);
    }
    const Slot p = e.temporary(0).slot;
    e.emit(selector == T::s32 ? Lane::ge_s32 : Lane::ge_f32, p, value, e.constants().word32(0));
    e.emit(bytes == 8 ? Lane::select64 : Lane::select32, *d, *a, *b, p);
    return true;
}

bool decodePredicateLogic(Emitter& e, std::int64_t table, std::size_t count) {
    const auto operands = e.operands();
    if (operands.size() != count + 1 || !e.onlyModifiers({})) return false;
    const auto a = e.predicate(operands[1]), b = count == 2 ? e.predicate(operands[2]) : a;
    const auto d = e.predicateDestination(operands[0]);
    if (!a || !b || !d) return false;
    e.emit(Lane::predicate, *d, *a, *b).immediate = table;
    return true;
}

bool decodeLogic(Emitter& e) {
    const O opcode = e.instruction().opcode;
    const T type = e.type();
    if (type == T::pred) {
        switch (opcode) {
        case O::and_:
            return decodePredicateLogic(e, 0b1000, 2);
        case O::or_:
            return decodePredicateLogic(e, 0b1110, 2);
        case O::xor_:
            return decodePredicateLogic(e, 0b0110, 2);
        default:
            return decodePredicateLogic(e, 0b0101, 1); // not
        }
    }
    if (!e.onlyModifiers({})) return false;
    if (opcode == O::not_) {
        const auto row = rowFor(unaryRows, opcode, type);
        return row && emitLanes(e, *row, type, {type});
    }
    const auto row = rowFor(binaryRows, opcode, type);
    return row && emitLanes(e, *row, type, {type, type});
}

bool decodeLop3(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 5 || e.type() != T::b32 || !e.onlyModifiers({}) ||
        operands[4].kind != ptx::OperandKind::integer)
        return false;
    const auto a = e.source(operands[1], T::b32, 4), b = e.source(operands[2], T::b32, 4),
               c = e.source(operands[3], T::b32, 4);
    const auto d = e.destination(operands[0], T::b32, 4);
    if (!a || !b || !c || !d) return false;
    e.emit(Lane::logic3, *d, *a, *b, *c).immediate = operands[4].value & 0xFF;
    return true;
}

bool decodeBfi(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    if (operands.size() != 5 || !e.onlyModifiers({}) || !insertField(type)) return false;
    const std::uint8_t bytes = wordBytes(type);
    const auto a = e.source(operands[1], type, bytes), b = e.source(operands[2], type, bytes);
    const auto position = e.source(operands[3], T::u32, 4), length = e.source(operands[4], T::u32, 4);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !b || !position || !length || !d) return false;
    const SlotRef field = e.temporary(4);
    e.emit(packField(), field, {*position, 4}, {*length, 4});
    e.emit(insertField(type), {*d, bytes}, {*a, bytes}, {*b, bytes}, field);
    return true;
}

bool decodeTestp(Emitter& e) {
    constexpr std::pair<M, FloatTest> tests[] = {{M::finite, FloatTest::finite}, {M::infinite, FloatTest::infinite},
                                                 {M::number, FloatTest::number}, {M::notanumber, FloatTest::notANumber},
                                                 {M::normal, FloatTest::normal}, {M::subnormal, FloatTest::subnormal}};
    const auto operands = e.operands();
    const T type = e.type();
    for (const auto& [modifier, test] : tests) {
        if (!e.has(modifier) || operands.size() != 2) continue;
        const ScalarFunction function = testFloat(test, type);
        const auto a = e.source(operands[1], type, wordBytes(type));
        const auto d = e.predicateDestination(operands[0]);
        if (!function || !a || !d) return false;
        e.emit(function, {*d, 0}, {*a, wordBytes(type)});
        return true;
    }
    return false;
}

bool decodePrmt(Emitter& e) {
    constexpr std::pair<M, PermuteMode> modes[] = {
        {M::f4e, PermuteMode::forward4}, {M::b4e, PermuteMode::backward4}, {M::rc8, PermuteMode::replicate8},
        {M::ecl, PermuteMode::edgeLeft}, {M::ecr, PermuteMode::edgeRight}, {M::rc16, PermuteMode::replicate16}};
    PermuteMode mode = PermuteMode::index;
    for (const auto& [modifier, m] : modes)
        if (e.has(modifier)) mode = m;
    return e.type() == T::b32 && e.onlyModifiers({M::f4e, M::b4e, M::rc8, M::ecl, M::ecr, M::rc16}) &&
           emitScalar(e, permuteBytes(mode), T::b32, {T::b32, T::b32, T::b32});
}

} // namespace

bool decodeArithmetic(Emitter& e) {
    const T type = e.type();
    const bool plain = e.onlyModifiers({});
    switch (e.instruction().opcode) {
    case O::add:
        return decodeAddOrSubtract(e, false);
    case O::sub:
        return decodeAddOrSubtract(e, true);
    case O::addc:
        return decodeCarry(e, CarryOp::add, true);
    case O::subc:
        return decodeCarry(e, CarryOp::subtract, true);
    case O::mul:
        return decodeMultiply(e);
    case O::mad:
        return decodeMultiplyAdd(e, false);
    case O::madc:
        return decodeMultiplyAdd(e, true);
    case O::fma:
        return decodeFloat(e, FloatOp::fma, 3);
    case O::mul24:
        return e.onlyModifiers({M::lo, M::hi}) && emitScalar(e, multiply24(type, e.has(M::hi)), type, {type, type});
    case O::mad24:
        return e.onlyModifiers({M::lo, M::hi, M::sat}) &&
               emitScalar(e, multiplyAdd24(type, e.has(M::hi), e.has(M::sat)), type, {type, type, type});
    case O::sad:
        return plain && emitScalar(e, absoluteDifferenceAdd(type), type, {type, type, type});
    case O::div:
        return decodeDivide(e);
    case O::rem:
        return plain && emitScalar(e, remainder(type), type, {type, type});
    case O::abs:
    case O::neg: {
        const auto row = rowFor(unaryRows, e.instruction().opcode, type);
        if (!row || !e.onlyModifiers({M::ftz}) || (e.has(M::ftz) && type != T::f32)) return false;
        if (!e.has(M::ftz)) return emitLanes(e, *row, type, {type});
        const auto a = e.source(e.operands()[1], type, 4);
        const auto d = e.destination(e.operands()[0], type, 4);
        if (!a || !d) return false;
        const SlotRef flushed = e.temporary(4);
        e.emit(Lane::flush_f32, flushed.slot, *a);
        e.emit(*row, *d, flushed.slot);
        return true;
    }
    case O::min:
        return decodeMinMax(e, false);
    case O::max:
        return decodeMinMax(e, true);
    case O::popc:
        return plain && emitScalar(e, populationCount(type), T::u32, {type});
    case O::clz:
        return plain && emitScalar(e, leadingZeros(type), T::u32, {type});
    case O::bfind:
        return e.onlyModifiers({M::shiftamt}) &&
               emitScalar(e, findLeadingBit(type, e.has(M::shiftamt)), T::u32, {type});
    case O::brev:
        return plain && emitScalar(e, reverseBits(type), type, {type});
    case O::bfe:
        return plain && emitScalar(e, extractField(type), type, {type, T::u32, T::u32});
    case O::bfi:
        return decodeBfi(e);
    case O::bmsk:
        return e.onlyModifiers({M::clamp, M::wrap}) && emitScalar(e, bitMask(e.has(M::wrap)), T::b32, {T::u32, T::u32});
    case O::dp4a:
        return plain && emitScalar(e, dotProduct4(ptx::isSigned(e.type(0)), ptx::isSigned(e.type(1))), T::b32,
                                   {T::b32, T::b32, T::b32});
    case O::rcp:
        return e.has(M::approx) ? decodeApproximation(e, Approximation::reciprocal)
                                : decodeFloat(e, FloatOp::reciprocal, 1);
    case O::sqrt:
        return e.has(M::approx) ? decodeApproximation(e, Approximation::squareRoot)
                                : decodeFloat(e, FloatOp::squareRoot, 1);
    case O::rsqrt:
        return decodeApproximation(e, Approximation::reciprocalSquareRoot);
    case O::sin:
        return decodeApproximation(e, Approximation::sine);
    case O::cos:
        return decodeApproximation(e, Approximation::cosine);
    case O::lg2:
        return decodeApproximation(e, Approximation::logarithm2);
    case O::ex2:
        return decodeApproximation(e, Approximation::exponential2);
    case O::tanh:
        return decodeApproximation(e, Approximation::tangentHyperbolic);
    case O::copysign:
        return plain && emitScalar(e, copySign(type), type, {type, type});
    case O::testp:
        return decodeTestp(e);
    case O::setp:
        return decodeSetp(e);
    case O::set:
        return decodeSet(e);
    case O::selp:
        return decodeSelect(e);
    case O::slct:
        return decodeSlct(e);
    case O::and_:
    case O::or_:
    case O::xor_:
    case O::not_:
        return decodeLogic(e);
    case O::cnot:
        return plain && emitScalar(e, zeroIsOne(type), type, {type});
    case O::lop3:
        return decodeLop3(e);
    case O::shl:
    case O::shr: {
        const auto row = rowFor(shiftRows, e.instruction().opcode, type);
        return row && plain && emitLanes(e, *row, type, {type, T::u32});
    }
    case O::shf:
        return e.type() == T::b32 && e.onlyModifiers({M::l, M::r, M::wrap, M::clamp}) && e.has(M::l) != e.has(M::r) &&
               emitScalar(e, funnelShift(e.has(M::l), e.has(M::wrap)), T::b32, {T::b32, T::b32, T::u32});
    case O::prmt:
        return decodePrmt(e);
    default:
        return false;
    }
}

bool decodeConversion(Emitter& e) {
    if (e.instruction().opcode != O::cvt) return false;
    const auto operands = e.operands();
    if (operands.size() != 2 ||
        !e.onlyModifiers({M::rn, M::rz, M::rm, M::rp, M::rni, M::rzi, M::rmi, M::rpi, M::ftz, M::sat}))
        return false;
    const T to = e.type(0), from = e.type(1);
    ConversionMode mode;
    mode.toInteger = e.has(M::rni)   ? IntegerRounding::nearest
                     : e.has(M::rzi) ? IntegerRounding::zero
                     : e.has(M::rmi) ? IntegerRounding::down
                     : e.has(M::rpi) ? IntegerRounding::up
                                     : IntegerRounding::none;
    mode.floating = floatMode(e);
    const auto a = e.sourceAsIs(operands[1], from);
    const auto d = e.destinationAsIs(operands[0]);
    if (!a || !d) return false;
    // Index arithmetic has vector rows.
    if (!mode.floating.saturate && d->bytes == 8 && a->bytes == 4 && ptx::sizeBytes(from) == 4 &&
        ptx::sizeBytes(to) == 8 && !ptx::isFloat(to) && !ptx::isFloat(from)) {
        e.emit(ptx::isSigned(from) ? Lane::widen_s32 : Lane::widen_u32, d->slot, a->slot);
        return true;
    }
    if (!mode.floating.saturate && d->bytes == 4 && a->bytes == 8 && ptx::sizeBytes(from) == 8 &&
        ptx::sizeBytes(to) == 4 && !ptx::isFloat(to) && !ptx::isFloat(from)) {
        e.emit(Lane::narrow_32, d->slot, a->slot);
        return true;
    }
    if (to == T::f32 && from == T::s32 && mode.floating.rounding == Rounding::nearest && !mode.floating.saturate) {
        e.emit(Lane::f32_from_s32, d->slot, a->slot);
        return true;
    }
    const ScalarFunction function = conversion(to, from, mode);
    if (!function) return false;
    e.emit(function, *d, *a);
    return true;
}

} // namespace ptxwb::emulator
