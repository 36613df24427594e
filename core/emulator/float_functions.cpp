#include "emulator/rounding_scope.h"

#include <type_traits>

namespace ptxwb::emulator {

namespace {

using ptx::ScalarType;
using u64 = std::uint64_t;

// Source: PTX ISA 9.0, 9.7.3 Floating-Point Instructions.
template <FloatOp Op, class F>
F compute(F a, F b, F c) {
    volatile F x = a, y = b, z = c;
    volatile F r = 0;
    if constexpr (Op == FloatOp::add)
        r = x + y;
    else if constexpr (Op == FloatOp::subtract)
        r = x - y;
    else if constexpr (Op == FloatOp::multiply)
        r = x * y;
    else if constexpr (Op == FloatOp::fma)
        r = std::fma(F{x}, F{y}, F{z});
    else if constexpr (Op == FloatOp::divide)
        r = x / y;
    else if constexpr (Op == FloatOp::squareRoot)
        r = std::sqrt(F{x});
    else
        r = F{1} / x;
    return r;
}
template <FloatOp Op, Rounding R, bool Flush, bool Sat>
u64 f32Op(u64 a, u64 b, u64 c) {
    float x = asFloat(a), y = asFloat(b), z = asFloat(c);
    if (Flush) x = flushed(x), y = flushed(y), z = flushed(z);
    float r = 0, scaled = 1;
    {
        const RoundingScope scope(R);
        r = compute<Op>(x, y, z);
        // What counts is the result rounded with an unbounded exponent: here 2^24 times as large.
        if (Flush && (Op == FloatOp::multiply || Op == FloatOp::fma)) scaled = compute<Op>(x * 0x1p24F, y, z * 0x1p24F);
    }
    if (Flush) r = std::fabs(scaled) < 0x1p-102F ? std::copysign(0.0F, r) : flushed(r);
    return wordOf(Sat ? saturated(r) : r);
}
template <FloatOp Op, Rounding R>
u64 f64Op(u64 a, u64 b, u64 c) {
    const RoundingScope scope(R);
    return wordOf(compute<Op>(asDouble(a), asDouble(b), asDouble(c)));
}
template <FloatOp Op, Rounding R>
ScalarFunction f32With(FloatMode m) {
    if (m.flush) return m.saturate ? f32Op<Op, R, true, true> : f32Op<Op, R, true, false>;
    return m.saturate ? f32Op<Op, R, false, true> : f32Op<Op, R, false, false>;
}
template <FloatOp Op>
ScalarFunction floatWith(ScalarType type, FloatMode m) {
    if (type == ScalarType::f64 && (m.flush || m.saturate)) return nullptr;
    switch (m.rounding) {
    case Rounding::nearest:
        return type == ScalarType::f32 ? f32With<Op, Rounding::nearest>(m) : f64Op<Op, Rounding::nearest>;
    case Rounding::zero: return type == ScalarType::f32 ? f32With<Op, Rounding::zero>(m) : f64Op<Op, Rounding::zero>;
    case Rounding::down: return type == ScalarType::f32 ? f32With<Op, Rounding::down>(m) : f64Op<Op, Rounding::down>;
    case Rounding::up: return type == ScalarType::f32 ? f32With<Op, Rounding::up>(m) : f64Op<Op, Rounding::up>;
    }
    return nullptr;
}

template <Approximation Op>
double exactly(double x) {
    if constexpr (Op == Approximation::reciprocal)
        return 1 / x;
    else if constexpr (Op == Approximation::squareRoot)
        return std::sqrt(x);
    else if constexpr (Op == Approximation::reciprocalSquareRoot)
        return 1 / std::sqrt(x); // of -0: minus infinity
    else if constexpr (Op == Approximation::sine)
        return std::sin(x);
    else if constexpr (Op == Approximation::cosine)
        return std::cos(x);
    else if constexpr (Op == Approximation::logarithm2)
        return std::log2(x);
    else if constexpr (Op == Approximation::exponential2)
        return std::exp2(x);
    else
        return std::tanh(x);
}
template <Approximation Op, bool Flush>
u64 approximateF32(u64 a, u64, u64) {
    const float x = Flush ? flushed(asFloat(a)) : asFloat(a);
    const auto r = static_cast<float>(exactly<Op>(x));
    return wordOf(Flush ? flushed(r) : r);
}
template <Approximation Op>
u64 approximateF64(u64 a, u64, u64) {
    return wordOf(exactly<Op>(asDouble(a)));
}
/// The .ftz forms of f64 know the upper word only, of the operand and of the result.
/// Source: PTX ISA 9.0, 9.7.3.14 rcp.approx.ftz.f64, 9.7.3.17 rsqrt.approx.ftz.f64.
template <Approximation Op>
u64 approximateUpperWord(u64 a, u64, u64) {
    constexpr u64 upper = 0xFFFFFFFF00000000, sign = u64{1} << 63;
    const auto flushedBits = [](u64 x) { return std::fpclassify(asDouble(x)) == FP_SUBNORMAL ? x & sign : x; };
    const double r = exactly<Op>(asDouble(flushedBits(a & upper)));
    return std::isnan(r) ? 0x7FFFFFFF00000000 : flushedBits(wordOf(r)) & upper;
}
template <Approximation Op>
ScalarFunction approximationWith(ScalarType type, bool flush) {
    if (type == ScalarType::f32) return flush ? approximateF32<Op, true> : approximateF32<Op, false>;
    constexpr bool isRoot = Op == Approximation::reciprocalSquareRoot;
    if (type == ScalarType::f64 && isRoot && !flush) return approximateF64<Op>;
    if (type == ScalarType::f64 && (isRoot || Op == Approximation::reciprocal) && flush)
        return approximateUpperWord<Op>;
    return nullptr;
}

u64 copySignF32(u64 a, u64 b, u64) {
    return (b & 0x7FFFFFFF) | (a & 0x80000000);
}
u64 copySignF64(u64 a, u64 b, u64) {
    return (b & 0x7FFFFFFFFFFFFFFF) | (a & 0x8000000000000000);
}
template <FloatTest Test, class F>
u64 test(u64 a, u64, u64) {
    const F x = [a] {
        if constexpr (std::is_same_v<F, float>)
            return asFloat(a);
        else
            return asDouble(a);
    }();
    switch (Test) {
    case FloatTest::finite: return std::isfinite(x);
    case FloatTest::infinite: return std::isinf(x);
    case FloatTest::number: return !std::isnan(x);
    case FloatTest::notANumber: return std::isnan(x);
    case FloatTest::normal: return std::isnormal(x) || x == 0; // so the hardware says of both zeros
    case FloatTest::subnormal: return std::fpclassify(x) == FP_SUBNORMAL;
    }
    return 0;
}
template <FloatTest Test>
ScalarFunction testWith(ScalarType type) {
    return type == ScalarType::f32   ? test<Test, float>
           : type == ScalarType::f64 ? ScalarFunction{test<Test, double>}
                                     : nullptr;
}

/// A number wins over a NaN; -0 is below +0.
template <bool Max, class F>
F extreme(F a, F b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) == Max ? b : a;
    return (a < b) != Max ? a : b;
}
template <bool Max>
u64 extremeF64(u64 a, u64 b, u64) {
    return wordOf(extreme<Max>(asDouble(a), asDouble(b)));
}

} // namespace

ScalarFunction floatFunction(FloatOp op, ScalarType type, FloatMode mode) {
    if (type != ScalarType::f32 && type != ScalarType::f64) return nullptr;
    switch (op) {
    case FloatOp::add: return floatWith<FloatOp::add>(type, mode);
    case FloatOp::subtract: return floatWith<FloatOp::subtract>(type, mode);
    case FloatOp::multiply: return floatWith<FloatOp::multiply>(type, mode);
    case FloatOp::fma: return floatWith<FloatOp::fma>(type, mode);
    case FloatOp::divide: return floatWith<FloatOp::divide>(type, mode);
    case FloatOp::squareRoot: return floatWith<FloatOp::squareRoot>(type, mode);
    case FloatOp::reciprocal: return floatWith<FloatOp::reciprocal>(type, mode);
    }
    return nullptr;
}

ScalarFunction approximation(Approximation op, ScalarType type, bool flush) {
    switch (op) {
    case Approximation::reciprocal: return approximationWith<Approximation::reciprocal>(type, flush);
    case Approximation::squareRoot: return approximationWith<Approximation::squareRoot>(type, flush);
    case Approximation::reciprocalSquareRoot:
        return approximationWith<Approximation::reciprocalSquareRoot>(type, flush);
    case Approximation::sine: return approximationWith<Approximation::sine>(type, flush);
    case Approximation::cosine: return approximationWith<Approximation::cosine>(type, flush);
    case Approximation::logarithm2: return approximationWith<Approximation::logarithm2>(type, flush);
    case Approximation::exponential2: return approximationWith<Approximation::exponential2>(type, flush);
    case Approximation::tangentHyperbolic: return approximationWith<Approximation::tangentHyperbolic>(type, flush);
    }
    return nullptr;
}

ScalarFunction copySign(ScalarType type) {
    return type == ScalarType::f32 ? copySignF32 : type == ScalarType::f64 ? copySignF64 : nullptr;
}
ScalarFunction testFloat(FloatTest test, ScalarType type) {
    switch (test) {
    case FloatTest::finite: return testWith<FloatTest::finite>(type);
    case FloatTest::infinite: return testWith<FloatTest::infinite>(type);
    case FloatTest::number: return testWith<FloatTest::number>(type);
    case FloatTest::notANumber: return testWith<FloatTest::notANumber>(type);
    case FloatTest::normal: return testWith<FloatTest::normal>(type);
    case FloatTest::subnormal: return testWith<FloatTest::subnormal>(type);
    }
    return nullptr;
}
ScalarFunction minimumF64(bool maximum) {
    return maximum ? extremeF64<true> : extremeF64<false>;
}
} // namespace ptxwb::emulator
