// Arithmetic. An opcode of this group in a form that is not known here answers
// false and becomes `unsupported`: a modifier is never passed over.
#include "emulator/emitter.h"
#include "emulator/half_functions.h"
#include "emulator/lane_row.h"
#include "emulator/scalar_functions.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;
using ptx::Operand;

// Two operands of the instruction's type, no modifier.
constexpr LaneRow binaryRows[] = {
    {O::add, T::u16, Lane::add_u16}, {O::add, T::s16, Lane::add_u16}, {O::add, T::u32, Lane::add_u32},
    {O::add, T::s32, Lane::add_u32}, {O::add, T::u64, Lane::add_u64}, {O::add, T::s64, Lane::add_u64},
    {O::sub, T::u16, Lane::sub_u16}, {O::sub, T::s16, Lane::sub_u16}, {O::sub, T::u32, Lane::sub_u32},
    {O::sub, T::s32, Lane::sub_u32}, {O::sub, T::u64, Lane::sub_u64}, {O::sub, T::s64, Lane::sub_u64},
    {O::min, T::u16, Lane::min_u16}, {O::min, T::s16, Lane::min_s16}, {O::min, T::u32, Lane::min_u32},
    {O::min, T::s32, Lane::min_s32}, {O::min, T::u64, Lane::min_u64}, {O::min, T::s64, Lane::min_s64},
    {O::max, T::u16, Lane::max_u16}, {O::max, T::s16, Lane::max_s16}, {O::max, T::u32, Lane::max_u32},
    {O::max, T::s32, Lane::max_s32}, {O::max, T::u64, Lane::max_u64}, {O::max, T::s64, Lane::max_s64},
};
// The same with one operand.
constexpr LaneRow unaryRows[] = {
    {O::neg, T::s16, Lane::neg_s16}, {O::neg, T::s32, Lane::neg_s32}, {O::neg, T::s64, Lane::neg_s64},
    {O::neg, T::f32, Lane::neg_f32}, {O::neg, T::f64, Lane::neg_f64}, {O::abs, T::s16, Lane::abs_s16},
    {O::abs, T::s32, Lane::abs_s32}, {O::abs, T::s64, Lane::abs_s64}, {O::abs, T::f32, Lane::abs_f32},
    {O::abs, T::f64, Lane::abs_f64},
};
bool isF32orF64(T type) {
    return type == T::f32 || type == T::f64;
}

/// The vector row of a floating-point operation in its most used modes.
std::optional<Lane> floatRow(FloatOp op, T type, FloatMode mode) {
    if (mode.rounding != Rounding::nearest || mode.saturate) return std::nullopt;
    const bool f64 = type == T::f64;
    if (f64 && mode.flush) return std::nullopt;
    switch (op) {
    case FloatOp::add: return f64 ? Lane::add_f64 : mode.flush ? Lane::add_ftz_f32 : Lane::add_f32;
    case FloatOp::subtract: return f64 ? Lane::sub_f64 : mode.flush ? Lane::sub_ftz_f32 : Lane::sub_f32;
    case FloatOp::multiply: return f64 ? Lane::mul_f64 : mode.flush ? Lane::mul_ftz_f32 : Lane::mul_f32;
    case FloatOp::fma: return f64 ? Lane::fma_f64 : mode.flush ? Lane::fma_ftz_f32 : Lane::fma_f32;
    default: return std::nullopt;
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
    if (!subtract && (type == T::u16x2 || type == T::s16x2))
        return e.onlyModifiers({}) && emitScalar(e, addPairs(), type, {type, type});
    const auto row = rowFor(binaryRows, subtract ? O::sub : O::add, type);
    return row && e.onlyModifiers({}) && emitLanes(e, *row, type, {type, type});
}

T widened(T type) {
    switch (type) {
    case T::u16: return T::u32;
    case T::s16: return T::s32;
    case T::u32: return T::u64;
    case T::s32: return T::s64;
    default: return T::none;
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
    if (type == T::f32 && e.operands().size() == 3 && e.onlyModifiers({M::ftz, M::NaN, M::xorsign, M::abs})) {
        if (e.has(M::xorsign) != e.has(M::abs)) return false;
        if (e.has(M::NaN) || e.has(M::abs))
            return emitScalar(e, extremeFunction(type, {maximum, e.has(M::ftz), e.has(M::NaN), e.has(M::abs)}), type,
                              {type, type});
        const Lane row = e.has(M::ftz) ? (maximum ? Lane::max_ftz_f32 : Lane::min_ftz_f32)
                         : maximum     ? Lane::max_f32
                                       : Lane::min_f32;
        return emitLanes(e, row, type, {type, type});
    }
    if (e.has(M::relu) || type == T::u16x2 || type == T::s16x2)
        return e.onlyModifiers({M::relu}) &&
               emitScalar(e, extremePairs(type, maximum, e.has(M::relu)), type, {type, type});
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

} // namespace

bool decodeArithmetic(Emitter& e) {
    const T type = e.type();
    const bool plain = e.onlyModifiers({});
    switch (e.instruction().opcode) {
    case O::add: return decodeAddOrSubtract(e, false);
    case O::sub: return decodeAddOrSubtract(e, true);
    case O::addc: return decodeCarry(e, CarryOp::add, true);
    case O::subc: return decodeCarry(e, CarryOp::subtract, true);
    case O::mul: return decodeMultiply(e);
    case O::mad: return decodeMultiplyAdd(e, false);
    case O::madc: return decodeMultiplyAdd(e, true);
    case O::fma: return decodeFloat(e, FloatOp::fma, 3);
    case O::mul24:
        return e.onlyModifiers({M::lo, M::hi}) && emitScalar(e, multiply24(type, e.has(M::hi)), type, {type, type});
    case O::mad24:
        return e.onlyModifiers({M::lo, M::hi, M::sat}) &&
               emitScalar(e, multiplyAdd24(type, e.has(M::hi), e.has(M::sat)), type, {type, type, type});
    case O::sad: return plain && emitScalar(e, absoluteDifferenceAdd(type), type, {type, type, type});
    case O::div: return decodeDivide(e);
    case O::rem: return plain && emitScalar(e, remainder(type), type, {type, type});
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
    case O::min: return decodeMinMax(e, false);
    case O::max: return decodeMinMax(e, true);
    case O::dp4a:
        return plain && emitScalar(e, dotProduct4(ptx::isSigned(e.type(0)), ptx::isSigned(e.type(1))), T::b32,
                                   {T::b32, T::b32, T::b32});
    case O::dp2a:
        return e.onlyModifiers({M::lo, M::hi}) &&
               emitScalar(e, dotProduct2(e.has(M::hi), ptx::isSigned(e.type(0)), ptx::isSigned(e.type(1))), T::b32,
                          {T::b32, T::b32, T::b32});
    case O::rcp:
        return e.has(M::approx) ? decodeApproximation(e, Approximation::reciprocal)
                                : decodeFloat(e, FloatOp::reciprocal, 1);
    case O::sqrt:
        return e.has(M::approx) ? decodeApproximation(e, Approximation::squareRoot)
                                : decodeFloat(e, FloatOp::squareRoot, 1);
    case O::rsqrt: return decodeApproximation(e, Approximation::reciprocalSquareRoot);
    case O::sin: return decodeApproximation(e, Approximation::sine);
    case O::cos: return decodeApproximation(e, Approximation::cosine);
    case O::lg2: return decodeApproximation(e, Approximation::logarithm2);
    case O::ex2: return decodeApproximation(e, Approximation::exponential2);
    case O::tanh: return decodeApproximation(e, Approximation::tangentHyperbolic);
    case O::copysign: return plain && emitScalar(e, copySign(type), type, {type, type});
    case O::testp: return decodeTestp(e);
    default: return false;
    }
}

} // namespace ptxwb::emulator
