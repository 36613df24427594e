// Conversions to the formats with few bits: f16, bf16, tf32, e4m3, e5m2. One lane at a time, exact in f64 until the one
// rounding. Source: PTX ISA 9.0, 9.7.9.21 cvt, 5.2.3 Alternate Floating-Point Data Formats.
#include "emulator/half_functions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace ptxwb::emulator {

namespace {

using ptx::ScalarType;
using u64 = std::uint64_t;

struct Format {
    int bits;          ///< of the value
    int fraction;      ///< bits behind the leading one
    int leastExponent; ///< of normal numbers
    double largest;
    u64 nan;
    int shift = 0; ///< where the value's lowest bit lies in the register
};
constexpr Format f16{16, 10, -14, 65504, 0x7FFF};
constexpr Format bf16{16, 7, -126, 0x1.FEp127, 0x7FFF};
constexpr Format tf32{19, 10, -126, 0x1.FFCp127, 0x3FFFF, 13}; // NaN: 0x7FFFE000
constexpr Format e4m3{8, 3, -6, 448, 0x7F};
constexpr Format e5m2{8, 2, -14, 57344, 0x7F};

double wholeNumber(double x, NarrowRounding rounding) {
    switch (rounding) {
    case NarrowRounding::nearest: return std::nearbyint(x);
    case NarrowRounding::zero: return std::trunc(x);
    case NarrowRounding::down: return std::floor(x);
    case NarrowRounding::up: return std::ceil(x);
    case NarrowRounding::nearestAway: return std::round(x);
    }
    return x;
}

/// The largest number instead of infinity where rounding goes towards zero.
bool staysFinite(double x, NarrowMode mode) {
    return mode.finite || mode.rounding == NarrowRounding::zero || (mode.rounding == NarrowRounding::down && x > 0) ||
           (mode.rounding == NarrowRounding::up && x < 0);
}

u64 narrowed(double x, const Format& f, NarrowMode mode) {
    if (std::isnan(x)) return mode.saturate ? 0 : f.nan << f.shift;
    if (mode.relu && std::signbit(x)) x = 0;
    if (mode.saturate) x = x <= 0 ? 0 : x > 1 ? 1 : x;
    const u64 sign = static_cast<u64>(std::signbit(x)) << (f.bits - 1);
    const u64 infinity = ((u64{1} << (f.bits - 1 - f.fraction)) - 1) << f.fraction;
    double size = std::fabs(x);
    if (size != 0 && std::isfinite(size)) {
        const double unit = std::ldexp(1, std::max(std::ilogb(size), f.leastExponent) - f.fraction);
        size = std::fabs(wholeNumber(x / unit, mode.rounding) * unit);
    }
    if (size > f.largest) {
        const bool bounded = mode.finite || (std::isfinite(x) && staysFinite(x, mode));
        if (!bounded) return (sign | infinity) << f.shift;
        size = f.largest;
    }
    if (size == 0) return sign << f.shift;
    const int exponent = std::ilogb(size);
    const bool normal = exponent >= f.leastExponent;
    const int unit = (normal ? exponent : f.leastExponent) - f.fraction;
    const auto places = static_cast<u64>(std::ldexp(size, -unit)); // with the leading one where normal
    const u64 biased = normal ? static_cast<u64>(exponent - f.leastExponent + 1) : 0;
    const u64 fraction = normal ? places - (u64{1} << f.fraction) : places;
    return (sign | biased << f.fraction | fraction) << f.shift;
}

/// A NaN's sign and upper bits, made quiet: so the hardware's routine for f64 does it.
u64 quietNaN(u64 a, const Format& f) {
    const u64 fraction = a << 12 >> (64 - f.fraction);
    const u64 exponent = ((u64{1} << (f.bits - 1 - f.fraction)) - 1) << f.fraction;
    return (a >> 63) << (f.bits - 1) | exponent | u64{1} << (f.fraction - 1) | fraction;
}

/// An integer as f64; bits that do not fit are or-ed into the lowest one, so that a later rounding comes out right.
template <class From>
double exactly(From x) {
    if constexpr (sizeof(From) < 8) return x;
    const bool negative = x < 0;
    u64 size = negative ? u64{0} - static_cast<u64>(x) : static_cast<u64>(x);
    const int over = std::max(0, 11 - std::countl_zero(size));
    const bool sticky = (size & ((u64{1} << over) - 1)) != 0;
    size = size >> over | static_cast<u64>(sticky);
    const double r = std::ldexp(static_cast<double>(size), over);
    return negative ? -r : r;
}

template <class From>
double valueOf(u64 a) {
    if constexpr (std::is_same_v<From, float>) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(a));
    } else if constexpr (std::is_same_v<From, double>) {
        return std::bit_cast<double>(a);
    } else {
        return exactly(static_cast<From>(a));
    }
}

double ofF16(u64 h) {
    const auto exponent = static_cast<int>(h >> 10 & 31);
    const auto fraction = static_cast<double>(h & 0x3FF);
    const double size = exponent == 31  ? (fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(fraction + 1024, exponent - 25);
    return h & 0x8000 ? -size : size;
}
double ofE4m3(u64 b) {
    const auto exponent = static_cast<int>(b >> 3 & 15);
    const auto fraction = static_cast<double>(b & 7);
    const double size = (b & 0x7F) == 0x7F ? std::numeric_limits<double>::quiet_NaN()
                        : exponent == 0    ? std::ldexp(fraction, -9)
                                           : std::ldexp(fraction + 8, exponent - 10);
    return b & 0x80 ? -size : size;
}

// A mode as a template argument: 5 roundings, 3 flags.
constexpr std::size_t modeCount = 5 * 8;
constexpr NarrowMode modeNumber(std::size_t i) {
    return {static_cast<NarrowRounding>(i / 8), (i & 1) != 0, (i & 2) != 0, (i & 4) != 0};
}
std::size_t numberOf(NarrowMode m) {
    return static_cast<std::size_t>(m.rounding) * 8 + m.saturate + m.relu * 2U + m.finite * 4U;
}

template <const Format& To, class From, std::size_t Mode>
u64 one(u64 a, u64, u64) {
    constexpr NarrowMode mode = modeNumber(Mode);
    const double x = valueOf<From>(a);
    if (std::isnan(x)) {
        if (std::is_same_v<From, double> && !mode.saturate) return quietNaN(a, To);
        if (To.shift && mode.rounding == NarrowRounding::nearestAway) return a >> To.shift << To.shift; // so is cvt.rna
    }
    return narrowed(x, To, mode);
}
template <const Format& To, std::size_t Mode>
u64 two(u64 a, u64 b, u64) {
    constexpr NarrowMode mode = modeNumber(Mode);
    return narrowed(valueOf<float>(a), To, mode) << To.bits | narrowed(valueOf<float>(b), To, mode);
}
template <const Format& To, std::size_t Mode>
u64 halves(u64 a, u64, u64) {
    constexpr NarrowMode mode = modeNumber(Mode);
    return narrowed(ofF16(a >> 16 & 0xFFFF), To, mode) << To.bits | narrowed(ofF16(a & 0xFFFF), To, mode);
}

template <const Format& To, class From, std::size_t... Modes>
constexpr std::array<ScalarFunction, sizeof...(Modes)> onesOf(std::index_sequence<Modes...>) {
    return {one<To, From, Modes>...};
}
template <const Format& To, std::size_t... Modes>
constexpr std::array<ScalarFunction, sizeof...(Modes)> twosOf(std::index_sequence<Modes...>) {
    return {two<To, Modes>...};
}
template <const Format& To, std::size_t... Modes>
constexpr std::array<ScalarFunction, sizeof...(Modes)> halvesOf(std::index_sequence<Modes...>) {
    return {halves<To, Modes>...};
}
template <const Format& To, class From>
ScalarFunction oneWith(NarrowMode mode) {
    static constexpr auto table = onesOf<To, From>(std::make_index_sequence<modeCount>());
    return table[numberOf(mode)];
}
template <const Format& To>
ScalarFunction twoWith(NarrowMode mode) {
    static constexpr auto table = twosOf<To>(std::make_index_sequence<modeCount>());
    return table[numberOf(mode)];
}
template <const Format& To>
ScalarFunction halvesWith(NarrowMode mode) {
    static constexpr auto table = halvesOf<To>(std::make_index_sequence<modeCount>());
    return table[numberOf(mode)];
}
template <const Format& To>
ScalarFunction from(ScalarType type, NarrowMode mode) {
    switch (type) {
    case ScalarType::f32: return oneWith<To, float>(mode);
    case ScalarType::f64: return oneWith<To, double>(mode);
    case ScalarType::u8: return oneWith<To, std::uint8_t>(mode);
    case ScalarType::s8: return oneWith<To, std::int8_t>(mode);
    case ScalarType::u16: return oneWith<To, std::uint16_t>(mode);
    case ScalarType::s16: return oneWith<To, std::int16_t>(mode);
    case ScalarType::u32: return oneWith<To, std::uint32_t>(mode);
    case ScalarType::s32: return oneWith<To, std::int32_t>(mode);
    case ScalarType::u64: return oneWith<To, std::uint64_t>(mode);
    case ScalarType::s64: return oneWith<To, std::int64_t>(mode);
    default: return nullptr;
    }
}

template <bool Relu>
u64 fromE4m3(u64 a, u64, u64) {
    constexpr NarrowMode mode{NarrowRounding::nearest, false, Relu, false};
    return narrowed(ofE4m3(a >> 8 & 0xFF), f16, mode) << 16 | narrowed(ofE4m3(a & 0xFF), f16, mode);
}
template <bool Relu>
u64 fromE5m2(u64 a, u64, u64) { // the upper byte of an f16
    constexpr NarrowMode mode{NarrowRounding::nearest, false, Relu, false};
    return narrowed(ofF16(a & 0xFF00), f16, mode) << 16 | narrowed(ofF16((a & 0xFF) << 8), f16, mode);
}

} // namespace

ScalarFunction narrow(ScalarType to, ScalarType type, NarrowMode mode) {
    switch (to) {
    case ScalarType::f16: return from<f16>(type, mode);
    case ScalarType::bf16: return from<bf16>(type, mode);
    case ScalarType::tf32: return type == ScalarType::f32 ? oneWith<tf32, float>(mode) : nullptr;
    default: return nullptr;
    }
}

ScalarFunction narrowPair(ScalarType to, NarrowMode mode) {
    switch (to) {
    case ScalarType::f16x2: return twoWith<f16>(mode);
    case ScalarType::bf16x2: return twoWith<bf16>(mode);
    case ScalarType::e4m3x2: return twoWith<e4m3>(mode);
    case ScalarType::e5m2x2: return twoWith<e5m2>(mode);
    default: return nullptr;
    }
}

ScalarFunction narrowHalves(ScalarType to, NarrowMode mode) {
    return to == ScalarType::e4m3x2   ? halvesWith<e4m3>(mode)
           : to == ScalarType::e5m2x2 ? halvesWith<e5m2>(mode)
                                      : nullptr;
}

ScalarFunction widenBytes(ScalarType type, bool relu) {
    if (type == ScalarType::e4m3x2) return relu ? fromE4m3<true> : fromE4m3<false>;
    if (type == ScalarType::e5m2x2) return relu ? fromE5m2<true> : fromE5m2<false>;
    return nullptr;
}

} // namespace ptxwb::emulator
