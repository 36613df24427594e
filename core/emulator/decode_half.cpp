// f16, f16x2, bf16 and bf16x2: arithmetic, min and max, comparisons, ex2 and tanh. Source: PTX ISA 9.0, 9.7.4
// and 9.7.7. A form that is not known here becomes `unsupported`.
#include "emulator/emitter.h"
#include "emulator/half_functions.h"

#include <array>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;

/// The vector row of an operation in f16, f16x2, bf16, bf16x2.
struct HalfRow {
    O opcode;
    std::array<Lane, 4> lanes;
};
constexpr HalfRow rows[] = {
    {O::add, {Lane::add_f16, Lane::add_f16x2, Lane::add_bf16, Lane::add_bf16x2}},
    {O::sub, {Lane::sub_f16, Lane::sub_f16x2, Lane::sub_bf16, Lane::sub_bf16x2}},
    {O::mul, {Lane::mul_f16, Lane::mul_f16x2, Lane::mul_bf16, Lane::mul_bf16x2}},
    {O::fma, {Lane::fma_f16, Lane::fma_f16x2, Lane::fma_bf16, Lane::fma_bf16x2}},
    {O::min, {Lane::min_f16, Lane::min_f16x2, Lane::min_bf16, Lane::min_bf16x2}},
    {O::max, {Lane::max_f16, Lane::max_f16x2, Lane::max_bf16, Lane::max_bf16x2}},
};
Lane rowOf(O opcode, T type) {
    const std::size_t column = type == T::f16 ? 0 : type == T::f16x2 ? 1 : type == T::bf16 ? 2 : 3;
    for (const HalfRow& row : rows)
        if (row.opcode == opcode) return row.lanes[column];
    return Lane::count_;
}

bool isF16(T type) {
    return type == T::f16 || type == T::f16x2;
}

bool decodeArithmeticOf(Emitter& e, FloatOp op) {
    const T type = e.type();
    const HalfMode mode{e.has(M::ftz), e.has(M::sat), e.has(M::relu)};
    if (!e.onlyModifiers({M::rn, M::ftz, M::sat, M::relu})) return false;
    const bool three = op == FloatOp::fma;
    if (!mode.flush && !mode.saturate && !mode.relu) {
        const Lane row = rowOf(e.instruction().opcode, type);
        return three ? emitLanes(e, row, type, {type, type, type}) : emitLanes(e, row, type, {type, type});
    }
    const ScalarFunction function = halfFunction(op, type, mode);
    return three ? emitScalar(e, function, type, {type, type, type}) : emitScalar(e, function, type, {type, type});
}

bool decodeExtreme(Emitter& e, bool maximum) {
    const T type = e.type();
    if (!e.onlyModifiers({M::ftz, M::NaN, M::xorsign, M::abs}) || e.has(M::xorsign) != e.has(M::abs) ||
        (e.has(M::ftz) && !isF16(type)))
        return false;
    if (e.has(M::ftz) || e.has(M::NaN) || e.has(M::abs))
        return emitScalar(e, extremeFunction(type, {maximum, e.has(M::ftz), e.has(M::NaN), e.has(M::abs)}), type,
                          {type, type});
    return emitLanes(e, rowOf(maximum ? O::max : O::min, type), type, {type, type});
}

/// neg and abs touch the sign bits only.
bool decodeSign(Emitter& e, bool negate) {
    const auto operands = e.operands();
    const T type = e.type();
    if (operands.size() != 2 || !e.onlyModifiers({M::ftz}) || (e.has(M::ftz) && !isF16(type))) return false;
    auto a = e.source(operands[1], type, 4);
    const auto d = e.destination(operands[0], type, 4);
    if (!a || !d) return false;
    if (e.has(M::ftz)) {
        const Slot flushed = e.temporary(4).slot;
        e.emit(type == T::f16 ? Lane::flush_f16 : Lane::flush_f16x2, flushed, *a);
        a = flushed;
    }
    const std::uint32_t signs = isPackedHalf(type) ? 0x80008000U : 0x8000U;
    e.emit(negate ? Lane::xor_b32 : Lane::and_b32, *d, *a, e.constants().word32(negate ? signs : ~signs));
    return true;
}

bool decodeApproximationOf(Emitter& e, Approximation op) {
    const T type = e.type();
    const bool flush = op == Approximation::exponential2 && !isF16(type);
    return e.has(M::approx) && e.has(M::ftz) == flush && e.onlyModifiers({M::approx, M::ftz}) &&
           emitScalar(e, halfApproximation(op, type), type, {type});
}

/// One half of an operand as f32.
std::optional<Slot> wideHalf(Emitter& e, const ptx::Operand& operand, T type, bool high) {
    auto a = e.source(operand, type, 4);
    if (!a) return std::nullopt;
    if (e.has(M::ftz)) {
        const Slot flushed = e.temporary(4).slot;
        e.emit(type == T::f16 ? Lane::flush_f16 : Lane::flush_f16x2, flushed, *a);
        a = flushed;
    }
    const Slot wide = e.temporary(4).slot;
    const Lane low = isF16(type) ? Lane::f32_from_f16 : Lane::f32_from_bf16;
    const Lane upper = isF16(type) ? Lane::f32_from_high_f16 : Lane::f32_from_high_bf16;
    e.emit(high ? upper : low, wide, *a);
    return wide;
}

/// operands[1] compared with operands[2] and combined with the predicate operands[3] where there is one, for one half:
/// into a fresh predicate.
std::optional<Slot> comparedHalf(Emitter& e, T type, bool high) {
    const auto operands = e.operands();
    const auto lane = compareLane(e, T::f32);
    const auto a = wideHalf(e, operands[1], type, high), b = wideHalf(e, operands[2], type, high);
    if (!lane || !a || !b) return std::nullopt;
    const Slot result = e.temporary(0).slot;
    e.emit(*lane, result, *a, *b);
    if (operands.size() < 4) return result;
    const auto c = e.predicate(operands[3]);
    if (!c) return std::nullopt;
    const Slot combined = e.temporary(0).slot;
    e.emit(Lane::predicate, combined, result, *c).immediate = booleanTable(e, false);
    return combined;
}

bool isComparison(const Emitter& e, T type) {
    const std::size_t count = e.operands().size();
    return (count == 3 || count == 4) && onlyCompareModifiers(e) && !(e.has(M::ftz) && !isF16(type));
}

/// setp.f16x2 p|q: p of the lower halves, q of the upper ones.
bool decodeSetpOf(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    if (!isComparison(e, type)) return false;
    const bool packed = isPackedHalf(type), pair = operands[0].kind == ptx::OperandKind::pair;
    if (pair != packed) return false;
    const auto low = comparedHalf(e, type, false);
    const auto high = packed ? comparedHalf(e, type, true) : low;
    if (!low || !high) return false;
    const auto put = [&](const ptx::Operand& operand, Slot value) {
        const auto p = e.predicateDestination(operand);
        if (p) e.emit(Lane::predicate, *p, value, value).immediate = 0b1000;
        return p.has_value();
    };
    if (!packed) return put(operands[0], *low);
    const auto both = e.source().childrenOf(operands[0]);
    return put(both[0], *low) && put(both[1], *high);
}

/// What `set` writes where the comparison holds; 0 where the type cannot be a result.
std::uint32_t trueValue(T to) {
    switch (to) {
    case T::f16: return 0x3C00;
    case T::bf16: return 0x3F80;
    case T::f16x2: return 0x3C003C00;
    case T::bf16x2: return 0x3F803F80;
    case T::f32: return 0x3F800000;
    case T::u16:
    case T::s16:
    case T::u32:
    case T::s32: return 0xFFFFFFFF;
    default: return 0;
    }
}

bool decodeSetOf(Emitter& e) {
    const T to = e.type(0), from = e.type(1);
    const std::uint32_t yes = trueValue(to);
    if (!isComparison(e, from) || !yes) return false;
    const auto low = comparedHalf(e, from, false);
    const auto high = isPackedHalf(from) ? comparedHalf(e, from, true) : low;
    const auto d = e.destination(e.operands()[0], to, 4);
    if (!low || !high || !d) return false;
    const Slot zero = e.constants().word32(0);
    if (!isPackedHalf(from)) {
        e.emit(Lane::select32, *d, e.constants().word32(ptx::sizeBytes(to) == 2 ? yes & 0xFFFF : yes), zero, *low);
        return true;
    }
    const Slot lower = e.temporary(4).slot, upper = e.temporary(4).slot;
    e.emit(Lane::select32, lower, e.constants().word32(yes & 0xFFFF), zero, *low);
    e.emit(Lane::select32, upper, e.constants().word32(yes & 0xFFFF0000), zero, *high);
    e.emit(Lane::or_b32, *d, lower, upper);
    return true;
}

} // namespace

bool decodeHalf(Emitter& e) {
    if (!isHalf(e.type()) && !isHalf(e.type(1))) return false;
    const O opcode = e.instruction().opcode;
    if (opcode == O::set) return isHalf(e.type(1)) && decodeSetOf(e);
    // add.f32.f16 and the like take one operand in another type.
    if (e.type(1) != T::none) return false;
    switch (opcode) {
    case O::add: return decodeArithmeticOf(e, FloatOp::add);
    case O::sub: return decodeArithmeticOf(e, FloatOp::subtract);
    case O::mul: return decodeArithmeticOf(e, FloatOp::multiply);
    case O::fma: return decodeArithmeticOf(e, FloatOp::fma);
    case O::min: return decodeExtreme(e, false);
    case O::max: return decodeExtreme(e, true);
    case O::neg: return decodeSign(e, true);
    case O::abs: return decodeSign(e, false);
    case O::ex2: return decodeApproximationOf(e, Approximation::exponential2);
    case O::tanh: return decodeApproximationOf(e, Approximation::tangentHyperbolic);
    case O::setp: return decodeSetpOf(e);
    default: return false;
    }
}

} // namespace ptxwb::emulator
