// Source: PTX ISA 9.0, 9.7.9.21 cvt; where it is silent (NaN to integer), what an H200 gave.
#include "emulator/rounding_scope.h"
#include "emulator/wide_integer.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace ptxwb::emulator {

namespace {

using ptx::ScalarType;
using u64 = std::uint64_t;

template <class T>
u64 extended(T x) {
    return static_cast<u64>(static_cast<std::int64_t>(x));
}
template <>
u64 extended<u64>(u64 x) {
    return x;
}

// Integers.
template <class To, class From, bool Sat>
u64 integerToInteger(u64 a, u64, u64) {
    const auto x = static_cast<From>(a);
    if constexpr (Sat) {
        const Signed128 wide = x;
        const Signed128 clamped =
            std::clamp<Signed128>(wide, std::numeric_limits<To>::min(), std::numeric_limits<To>::max());
        return extended(static_cast<To>(clamped));
    }
    return extended(static_cast<To>(x));
}

// Floating point to integer: rounded as told, then clamped.
template <class F>
F roundedTo(F x, IntegerRounding rounding) {
    switch (rounding) {
    case IntegerRounding::nearest: return std::nearbyint(x); // the processor rounds to nearest even here
    case IntegerRounding::zero: return std::trunc(x);
    case IntegerRounding::down: return std::floor(x);
    case IntegerRounding::up: return std::ceil(x);
    case IntegerRounding::none: break;
    }
    return x;
}
template <class F>
F valueOf(u64 a) {
    if constexpr (std::is_same_v<F, float>)
        return asFloat(a);
    else
        return asDouble(a);
}
template <class To, class F, IntegerRounding R, bool Flush>
u64 floatToInteger(u64 a, u64, u64) {
    F x = valueOf<F>(a);
    if constexpr (Flush && std::is_same_v<F, float>) x = flushed(x);
    if (std::isnan(x)) {
        if constexpr (sizeof(To) == 8) return u64{1} << 63;
        if constexpr (sizeof(F) == 8) return extended(static_cast<To>(u64{1} << (sizeof(To) * 8 - 1)));
        return 0;
    }
    const F r = roundedTo(x, R);
    // 2^63 and the like are exact in F, the greatest integer often is not: compare from outside.
    if (r >= std::ldexp(F{1}, std::numeric_limits<To>::digits)) return extended(std::numeric_limits<To>::max());
    if (r <= static_cast<F>(std::numeric_limits<To>::min())) return extended(std::numeric_limits<To>::min());
    return extended(static_cast<To>(r));
}

template <class F, class From, Rounding R, bool Sat>
u64 integerToFloat(u64 a, u64, u64) {
    const RoundingScope scope(R);
    volatile From x = static_cast<From>(a);
    volatile F r = static_cast<F>(x);
    return wordOf(Sat ? saturated(F{r}) : F{r});
}

template <IntegerRounding R, bool Flush, bool Sat>
u64 f32ToF32(u64 a, u64, u64) {
    float x = asFloat(a);
    if (Flush) x = flushed(x);
    x = roundedTo(x, R);
    return wordOf(Sat ? saturated(x) : x);
}
template <IntegerRounding R, bool Sat>
u64 f64ToF64(u64 a, u64, u64) {
    const double x = roundedTo(asDouble(a), R);
    return wordOf(Sat ? saturated(x) : x);
}
template <bool Flush, bool Sat>
u64 f32ToF64(u64 a, u64, u64) {
    const double x = Flush ? flushed(asFloat(a)) : asFloat(a);
    return wordOf(Sat ? saturated(x) : x);
}
template <Rounding R, bool Flush, bool Sat>
u64 f64ToF32(u64 a, u64, u64) {
    volatile float r = 0, scaled = 0; // 2^24 times as large: rounded as if the exponent had no bound
    {
        const RoundingScope scope(R);
        volatile double x = asDouble(a);
        r = static_cast<float>(x);
        scaled = static_cast<float>(x * 0x1p24);
    }
    // Of a NaN the sign and the upper bits are kept, which the processor does too.
    if (!Sat && std::isnan(r)) return std::bit_cast<std::uint32_t>(float{r});
    float out = r;
    if (Flush && std::fabs(float{scaled}) < 0x1p-102F) out = std::copysign(0.0F, out);
    return wordOf(Sat ? saturated(out) : out);
}

// Calls f with a value of the C++ type that belongs to the integer type; nullptr for others.
template <class F>
ScalarFunction byInteger(ScalarType type, F f) {
    switch (type) {
    case ScalarType::u8:
    case ScalarType::b8: return f(std::uint8_t{});
    case ScalarType::s8: return f(std::int8_t{});
    case ScalarType::u16:
    case ScalarType::b16: return f(std::uint16_t{});
    case ScalarType::s16: return f(std::int16_t{});
    case ScalarType::u32:
    case ScalarType::b32: return f(std::uint32_t{});
    case ScalarType::s32: return f(std::int32_t{});
    case ScalarType::u64:
    case ScalarType::b64: return f(std::uint64_t{});
    case ScalarType::s64: return f(std::int64_t{});
    default: return nullptr;
    }
}
// The same for a choice that is a constant of the function.
template <class F>
ScalarFunction byFlag(bool flag, F f) {
    return flag ? f(std::true_type{}) : f(std::false_type{});
}
template <class F>
ScalarFunction byRounding(Rounding r, F f) {
    switch (r) {
    case Rounding::nearest: return f(std::integral_constant<Rounding, Rounding::nearest>{});
    case Rounding::zero: return f(std::integral_constant<Rounding, Rounding::zero>{});
    case Rounding::down: return f(std::integral_constant<Rounding, Rounding::down>{});
    case Rounding::up: return f(std::integral_constant<Rounding, Rounding::up>{});
    }
    return nullptr;
}
template <class F>
ScalarFunction byIntegerRounding(IntegerRounding r, F f) {
    switch (r) {
    case IntegerRounding::none: return f(std::integral_constant<IntegerRounding, IntegerRounding::none>{});
    case IntegerRounding::nearest: return f(std::integral_constant<IntegerRounding, IntegerRounding::nearest>{});
    case IntegerRounding::zero: return f(std::integral_constant<IntegerRounding, IntegerRounding::zero>{});
    case IntegerRounding::down: return f(std::integral_constant<IntegerRounding, IntegerRounding::down>{});
    case IntegerRounding::up: return f(std::integral_constant<IntegerRounding, IntegerRounding::up>{});
    }
    return nullptr;
}

template <class F>
ScalarFunction toIntegerFrom(ScalarType to, ConversionMode mode) {
    if (mode.toInteger == IntegerRounding::none) return nullptr;
    return byInteger(to, [&](auto t) {
        return byIntegerRounding(mode.toInteger, [&](auto r) {
            return byFlag(mode.floating.flush,
                          [&](auto flush) -> ScalarFunction { return floatToInteger<decltype(t), F, r(), flush()>; });
        });
    });
}
template <class F>
ScalarFunction fromIntegerTo(ScalarType from, FloatMode mode) {
    return byInteger(from, [&](auto t) {
        return byRounding(mode.rounding, [&](auto r) {
            return byFlag(mode.saturate,
                          [&](auto sat) -> ScalarFunction { return integerToFloat<F, decltype(t), r(), sat()>; });
        });
    });
}

bool isInteger(ScalarType type) {
    return ptx::isSigned(type) || ptx::isUnsigned(type);
}

} // namespace

ScalarFunction conversion(ScalarType to, ScalarType from, ConversionMode mode) {
    const FloatMode f = mode.floating;
    if (isInteger(to) && isInteger(from))
        return byInteger(to, [&](auto t) {
            return byInteger(from, [&](auto s) {
                return byFlag(f.saturate, [](auto sat) -> ScalarFunction {
                    return integerToInteger<decltype(t), decltype(s), sat()>;
                });
            });
        });
    if (isInteger(to) && from == ScalarType::f32) return toIntegerFrom<float>(to, mode);
    if (isInteger(to) && from == ScalarType::f64) return toIntegerFrom<double>(to, mode);
    if (isInteger(from) && to == ScalarType::f32) return fromIntegerTo<float>(from, f);
    if (isInteger(from) && to == ScalarType::f64) return fromIntegerTo<double>(from, f);
    if (to == ScalarType::f32 && from == ScalarType::f32)
        return byIntegerRounding(mode.toInteger, [&](auto r) {
            return byFlag(f.flush, [&](auto flush) {
                return byFlag(f.saturate, [&](auto sat) -> ScalarFunction { return f32ToF32<r(), flush(), sat()>; });
            });
        });
    if (to == ScalarType::f64 && from == ScalarType::f64)
        return byIntegerRounding(mode.toInteger, [&](auto r) {
            return byFlag(f.saturate, [&](auto sat) -> ScalarFunction { return f64ToF64<r(), sat()>; });
        });
    if (to == ScalarType::f64 && from == ScalarType::f32)
        return byFlag(f.flush, [&](auto flush) {
            return byFlag(f.saturate, [&](auto sat) -> ScalarFunction { return f32ToF64<flush(), sat()>; });
        });
    if (to == ScalarType::f32 && from == ScalarType::f64)
        return byRounding(f.rounding, [&](auto r) {
            return byFlag(f.flush, [&](auto flush) {
                return byFlag(f.saturate, [&](auto sat) -> ScalarFunction { return f64ToF32<r(), flush(), sat()>; });
            });
        });
    return nullptr;
}

} // namespace ptxwb::emulator
