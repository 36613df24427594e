// Source: PTX ISA 9.0, 9.7.4 Half Precision Floating-Point Instructions; min and
// max: 9.7.3.11, 9.7.3.12, 9.7.4.7, 9.7.4.8.
#include "emulator/half_functions.h"
#include "emulator/matrix.h"

#include <cmath>
#include <type_traits>

namespace ptxwb::emulator {

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;
using ptx::ScalarType;

u32 bitsOf(f32 x) {
    return __builtin_bit_cast(u32, x);
}
f32 floatOf(u32 x) {
    return __builtin_bit_cast(f32, x);
}
#include "emulator/half_formats.inc"

/// What differs between the two formats.
struct F16 {
    static constexpr u32 infinity = 0x7C00, one = 0x3C00;
    static constexpr f64 leastKept = 0x1p-14 * (1 - 0x1p-12);
    static u16 narrow(f64 x) { return narrowF16(x); }
    static f32 wide(u16 h) { return wideF16(h); }
    static u16 lowest(u16 a, u16 b) { return minF16(a, b); }
    static u16 highest(u16 a, u16 b) { return maxF16(a, b); }
    static u16 flushed(u16 a) { return flushF16(a); }
};
struct Bf16 {
    static constexpr u32 infinity = 0x7F80, one = 0x3F80;
    static constexpr f64 leastKept = 0x1p-126 * (1 - 0x1p-9);
    static u16 narrow(f64 x) { return narrowBf16(x); }
    static f32 wide(u16 h) { return wideBf16(h); }
    static u16 lowest(u16 a, u16 b) { return minBf16(a, b); }
    static u16 highest(u16 a, u16 b) { return maxBf16(a, b); }
    static u16 flushed(u16 a) { return static_cast<u16>(a & 0x7F80U ? a : a & 0x8000U); }
};

template <class Format>
bool isNaN(u16 h) {
    return (h & 0x7FFFU) > Format::infinity;
}

/// f for one half or for both of a pair.
template <bool Packed, class F>
u64 byHalf(u64 a, u64 b, u64 c, F f) {
    const u64 low = f(static_cast<u16>(a), static_cast<u16>(b), static_cast<u16>(c));
    if constexpr (!Packed) return low;
    return low | static_cast<u64>(f(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16), static_cast<u16>(c >> 16)))
                     << 16;
}

template <FloatOp Op, class Format, bool Packed, bool Flush, bool Saturate, bool Relu>
u64 arithmetic(u64 x, u64 y, u64 z) {
    return byHalf<Packed>(x, y, z, [](u16 a, u16 b, u16 c) -> u16 {
        if (Flush) a = Format::flushed(a), b = Format::flushed(b), c = Format::flushed(c);
        const f64 p = Format::wide(a), q = Format::wide(b);
        const f64 wide = Op == FloatOp::add        ? fusedOdd(p, 1, q)
                         : Op == FloatOp::subtract ? fusedOdd(p, 1, -q)
                         : Op == FloatOp::multiply ? p * q
                                                   : fusedOdd(p, q, Format::wide(c));
        u16 r = Format::narrow(wide);
        // What counts is the result rounded with an unbounded exponent.
        if (Flush && std::fabs(wide) < Format::leastKept) r &= 0x8000;
        const bool nan = isNaN<Format>(r);
        if (Relu && !nan && r & 0x8000U) r = 0;
        if (Saturate) r = nan || r & 0x8000U ? u16(0) : r > Format::one ? u16(Format::one) : r;
        return r;
    });
}

template <class Format, bool Maximum, bool Flush, bool PropagateNaN, bool XorSign>
u16 extremeHalf(u16 a, u16 b) {
    if (Flush) a = Format::flushed(a), b = Format::flushed(b);
    const u32 sign = XorSign ? (a ^ b) & 0x8000U : 0;
    if (XorSign) a &= 0x7FFF, b &= 0x7FFF;
    if (PropagateNaN && (isNaN<Format>(a) || isNaN<Format>(b))) return 0x7FFF;
    const u16 r = Maximum ? Format::highest(a, b) : Format::lowest(a, b);
    return static_cast<u16>(isNaN<Format>(r) ? r : r | sign);
}
template <class Format, bool Packed, bool Maximum, bool Flush, bool PropagateNaN, bool XorSign>
u64 extreme(u64 x, u64 y, u64) {
    return byHalf<Packed>(
        x, y, 0, [](u16 a, u16 b, u16) { return extremeHalf<Format, Maximum, Flush, PropagateNaN, XorSign>(a, b); });
}
template <bool Maximum, bool Flush, bool PropagateNaN, bool XorSign>
u64 extremeF32(u64 x, u64 y, u64) {
    const auto flushed = [](u32 v) { return Flush && !(v & 0x7F800000U) ? v & 0x80000000U : v; };
    u32 a = flushed(static_cast<u32>(x)), b = flushed(static_cast<u32>(y));
    const u32 sign = XorSign ? (a ^ b) & 0x80000000U : 0;
    if (XorSign) a &= 0x7FFFFFFF, b &= 0x7FFFFFFF;
    const auto nan = [](u32 v) { return (v & 0x7FFFFFFFU) > 0x7F800000U; };
    if (nan(a) && nan(b)) return 0x7FFFFFFF;
    if (nan(a) || nan(b)) return PropagateNaN ? 0x7FFFFFFF : (nan(a) ? b : a) | sign;
    const auto ordered = [](u32 v) { return v & 0x80000000U ? ~v : v | 0x80000000U; };
    return ((ordered(a) < ordered(b)) != Maximum ? a : b) | sign;
}

template <Approximation Op, class Format, bool Packed>
u64 approximate(u64 x, u64, u64) {
    return byHalf<Packed>(x, 0, 0, [](u16 a, u16, u16) -> u16 {
        // Of bf16 there is only the .ftz form of ex2; tanh of a subnormal is that subnormal.
        constexpr bool flush = Op == Approximation::exponential2 && std::is_same_v<Format, Bf16>;
        const f64 v = Format::wide(a);
        const u16 r = Format::narrow(Op == Approximation::exponential2 ? std::exp2(v) : std::tanh(v));
        return flush ? Format::flushed(r) : r;
    });
}

// Turns the choices of a form into template arguments, one after the other.
template <class F>
ScalarFunction choose(bool flag, F f) {
    return flag ? f(std::true_type{}) : f(std::false_type{});
}
template <class F>
ScalarFunction byFormat(ScalarType type, F f) {
    switch (type) {
    case ScalarType::f16: return f(F16{}, std::false_type{});
    case ScalarType::f16x2: return f(F16{}, std::true_type{});
    case ScalarType::bf16: return f(Bf16{}, std::false_type{});
    case ScalarType::bf16x2: return f(Bf16{}, std::true_type{});
    default: return nullptr;
    }
}
template <FloatOp Op>
ScalarFunction arithmeticOf(ScalarType type, HalfMode mode) {
    return byFormat(type, [&](auto format, auto packed) {
        return choose(mode.flush, [&](auto flush) {
            return choose(mode.saturate, [&](auto saturate) {
                return choose(mode.relu, [&](auto relu) -> ScalarFunction {
                    return arithmetic<Op, decltype(format), packed(), flush(), saturate(), relu()>;
                });
            });
        });
    });
}

} // namespace

std::uint32_t widenF16(std::uint16_t h) {
    return bitsOf(wideF16(h));
}
std::uint16_t narrowedF16(std::uint32_t bits) {
    return narrowF16(floatOf(bits));
}

bool isHalf(ScalarType type) {
    return type == ScalarType::f16 || type == ScalarType::bf16 || isPackedHalf(type);
}
bool isPackedHalf(ScalarType type) {
    return type == ScalarType::f16x2 || type == ScalarType::bf16x2;
}

ScalarFunction halfFunction(FloatOp op, ScalarType type, HalfMode mode) {
    const bool isF16 = type == ScalarType::f16 || type == ScalarType::f16x2;
    if (!isF16 && (mode.flush || mode.saturate)) return nullptr;
    if (mode.relu && (op != FloatOp::fma || mode.saturate)) return nullptr;
    switch (op) {
    case FloatOp::add: return arithmeticOf<FloatOp::add>(type, mode);
    case FloatOp::subtract: return arithmeticOf<FloatOp::subtract>(type, mode);
    case FloatOp::multiply: return arithmeticOf<FloatOp::multiply>(type, mode);
    case FloatOp::fma: return arithmeticOf<FloatOp::fma>(type, mode);
    default: return nullptr;
    }
}

ScalarFunction extremeFunction(ScalarType type, ExtremeMode mode) {
    return choose(mode.maximum, [&](auto maximum) {
        return choose(mode.flush, [&](auto flush) {
            return choose(mode.propagateNaN, [&](auto nan) {
                return choose(mode.xorSign, [&](auto sign) -> ScalarFunction {
                    if (type == ScalarType::f32) return extremeF32<maximum(), flush(), nan(), sign()>;
                    return byFormat(type, [&](auto format, auto packed) -> ScalarFunction {
                        return extreme<decltype(format), packed(), maximum(), flush(), nan(), sign()>;
                    });
                });
            });
        });
    });
}

ScalarFunction halfApproximation(Approximation op, ScalarType type) {
    return byFormat(type, [&](auto format, auto packed) -> ScalarFunction {
        if (op == Approximation::exponential2)
            return approximate<Approximation::exponential2, decltype(format), packed()>;
        if (op == Approximation::tangentHyperbolic)
            return approximate<Approximation::tangentHyperbolic, decltype(format), packed()>;
        return nullptr;
    });
}

} // namespace ptxwb::emulator
