#include "emulator/scalar_functions.h"

#include "emulator/program.h"
#include "emulator/wide_integer.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

namespace ptxwb::emulator {

namespace {

using ptx::ScalarType;
using u64 = std::uint64_t;

template <class T>
T as(u64 x) {
    return static_cast<T>(x);
}
template <class T>
u64 word(T x) {
    return static_cast<u64>(static_cast<std::int64_t>(x));
}

/// One function template over an integer type, by name of the type.
#define PTXWB_BY_TYPE(type, function)                                                                                  \
    switch (type) {                                                                                                    \
    case ScalarType::u16:                                                                                              \
    case ScalarType::b16: return function<std::uint16_t>;                                                              \
    case ScalarType::s16: return function<std::int16_t>;                                                               \
    case ScalarType::u32:                                                                                              \
    case ScalarType::b32: return function<std::uint32_t>;                                                              \
    case ScalarType::s32: return function<std::int32_t>;                                                               \
    case ScalarType::u64:                                                                                              \
    case ScalarType::b64: return function<std::uint64_t>;                                                              \
    case ScalarType::s64: return function<std::int64_t>;                                                               \
    default: return nullptr;                                                                                           \
    }

template <class T>
using Wide = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;

// Source: PTX ISA 9.0, 9.7.1 Integer Arithmetic Instructions.
template <class T>
T highHalf(T a, T b) {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> (sizeof(T) * 8));
}
template <class T>
u64 mulHi(u64 a, u64 b, u64) {
    return word(highHalf(as<T>(a), as<T>(b)));
}
template <class T>
u64 madHi(u64 a, u64 b, u64 c) {
    using U = std::make_unsigned_t<T>;
    return word(static_cast<T>(static_cast<U>(highHalf(as<T>(a), as<T>(b))) + static_cast<U>(as<T>(c))));
}
u64 madHiSatS32(u64 a, u64 b, u64 c) {
    const std::int64_t sum = std::int64_t{highHalf(as<std::int32_t>(a), as<std::int32_t>(b))} + as<std::int32_t>(c);
    return word(static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX)));
}
u64 addSat(u64 a, u64 b, u64) {
    return word(static_cast<std::int32_t>(
        std::clamp<std::int64_t>(std::int64_t{as<std::int32_t>(a)} + as<std::int32_t>(b), INT32_MIN, INT32_MAX)));
}
u64 subSat(u64 a, u64 b, u64) {
    return word(static_cast<std::int32_t>(
        std::clamp<std::int64_t>(std::int64_t{as<std::int32_t>(a)} - as<std::int32_t>(b), INT32_MIN, INT32_MAX)));
}

// Division by zero is unspecified by the ISA; the hardware's software routines give all ones, quotient and remainder.
template <class T>
u64 div(u64 a, u64 b, u64) {
    const T x = as<T>(a), y = as<T>(b);
    if (y == 0) return word(static_cast<T>(~T{0}));
    if (std::is_signed_v<T> && y == static_cast<T>(-1))
        return word(static_cast<T>(std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(x)));
    return word(static_cast<T>(x / y));
}
template <class T>
u64 rem(u64 a, u64 b, u64) {
    const T x = as<T>(a), y = as<T>(b);
    if (y == 0) return word(static_cast<T>(~T{0}));
    if (std::is_signed_v<T> && y == static_cast<T>(-1)) return 0;
    return word(static_cast<T>(x % y));
}

template <bool Signed>
std::int64_t low24(u64 x) {
    const auto v = static_cast<std::int64_t>(x & 0xFFFFFF);
    return Signed && (v & 0x800000) ? v - 0x1000000 : v;
}
template <bool Signed, bool High>
std::int64_t product24(u64 a, u64 b) {
    const std::int64_t p = low24<Signed>(a) * low24<Signed>(b);
    return High ? static_cast<std::int32_t>(p >> 16) : static_cast<std::int32_t>(p);
}
template <bool Signed, bool High>
u64 mul24(u64 a, u64 b, u64) {
    return word(product24<Signed, High>(a, b)) & 0xFFFFFFFF;
}
template <bool Signed, bool High>
u64 mad24(u64 a, u64 b, u64 c) {
    return (word(product24<Signed, High>(a, b)) + c) & 0xFFFFFFFF;
}
u64 mad24HiSat(u64 a, u64 b, u64 c) {
    return word(static_cast<std::int32_t>(
        std::clamp<std::int64_t>(product24<true, true>(a, b) + as<std::int32_t>(c), INT32_MIN, INT32_MAX)));
}
template <class T>
u64 sad(u64 a, u64 b, u64 c) {
    using U = std::make_unsigned_t<T>;
    const T x = as<T>(a), y = as<T>(b);
    const U difference = x < y ? static_cast<U>(static_cast<U>(y) - static_cast<U>(x))
                               : static_cast<U>(static_cast<U>(x) - static_cast<U>(y));
    return word(static_cast<T>(static_cast<U>(difference + static_cast<U>(as<T>(c)))));
}

template <class T>
u64 popc(u64 a, u64, u64) {
    return static_cast<u64>(std::popcount(as<std::make_unsigned_t<T>>(a)));
}
template <class T>
u64 clz(u64 a, u64, u64) {
    return static_cast<u64>(std::countl_zero(as<std::make_unsigned_t<T>>(a)));
}
template <class T, bool Shift>
u64 bfindOf(u64 a) {
    using U = std::make_unsigned_t<T>;
    U x = as<U>(a);
    if (std::is_signed_v<T> && as<T>(a) < 0) x = static_cast<U>(~x);
    if (x == 0) return 0xFFFFFFFF;
    const auto zeros = static_cast<u64>(std::countl_zero(x));
    return Shift ? zeros : sizeof(T) * 8 - 1 - zeros;
}
template <class T>
u64 bfind(u64 a, u64, u64) {
    return bfindOf<T, false>(a);
}
template <class T>
u64 bfindShift(u64 a, u64, u64) {
    return bfindOf<T, true>(a);
}
template <class T>
u64 brev(u64 a, u64, u64) {
    u64 r = 0;
    for (unsigned i = 0; i < sizeof(T) * 8; ++i) r |= (a >> i & 1) << (sizeof(T) * 8 - 1 - i);
    return r;
}
/// Position and length of a bit field, a byte each. The 32-bit instruction takes the low byte of its operands; the
/// hardware's routine for 64 bits takes them whole.
template <bool Wide>
u64 packed(u64 position, u64 length, u64) {
    if (Wide) return std::min<u64>(position & 0xFFFFFFFF, 0xFF) | std::min<u64>(length & 0xFFFFFFFF, 0xFF) << 8;
    return (position & 0xFF) | (length & 0xFF) << 8;
}
/// Source: 9.7.1.19 bfe. Bits above the word repeat the sign (signed types) or are 0.
template <class T>
u64 bfe(u64 a, u64 b, u64 c) {
    constexpr unsigned bits = sizeof(T) * 8;
    const auto x = as<std::make_unsigned_t<T>>(a);
    const u64 field = packed < sizeof(T) == 8 > (b, c, 0);
    const unsigned position = field & 0xFF, length = field >> 8 & 0xFF;
    const unsigned signBit = std::min(position + length, bits) - 1;
    const bool sign = std::is_signed_v<T> && length != 0 && (x >> signBit & 1);
    u64 r = 0;
    for (unsigned i = 0; i < bits; ++i) {
        const bool bit = i < length && position + i < bits ? x >> (position + i) & 1 : sign;
        r |= u64{bit} << i;
    }
    return r;
}
template <class T>
u64 bfi(u64 a, u64 b, u64 field) {
    const unsigned position = field & 0xFF, length = field >> 8 & 0xFF;
    u64 r = b;
    for (unsigned i = 0; i < length && position + i < sizeof(T) * 8; ++i) {
        const u64 bit = u64{1} << (position + i);
        r = a >> i & 1 ? r | bit : r & ~bit;
    }
    return r;
}
template <bool Wrap>
u64 bmsk(u64 a, u64 b, u64) {
    const u64 position = Wrap ? a & 31 : std::min<u64>(a & 0xFFFFFFFF, 32),
              length = Wrap ? b & 31 : std::min<u64>(b & 0xFFFFFFFF, 32);
    return ((u64{1} << length) - 1) << position & 0xFFFFFFFF;
}
/// Source: 9.7.8.7 shf: the 64-bit value is high:low.
template <bool Left, bool Wrap>
u64 shf(u64 low, u64 high, u64 c) {
    const u64 n = Wrap ? c & 31 : std::min<u64>(c & 0xFFFFFFFF, 32);
    const u64 both = high << 32 | low;
    return (Left ? both << n >> 32 : both >> n) & 0xFFFFFFFF;
}
/// Source: 9.7.9.7 prmt.
template <PermuteMode Mode>
u64 prmt(u64 a, u64 b, u64 c) {
    const u64 bytes = b << 32 | a;
    u64 r = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const auto k = static_cast<unsigned>(c & 3);
        unsigned index = 0;
        bool sign = false;
        switch (Mode) {
        case PermuteMode::index:
            index = c >> (4 * i) & 7;
            sign = c >> (4 * i + 3) & 1;
            break;
        case PermuteMode::forward4: index = (k + i) & 7; break;
        case PermuteMode::backward4: index = (k + 8 - i) & 7; break;
        case PermuteMode::replicate8: index = k; break;
        case PermuteMode::edgeLeft: index = std::max(k, i); break;
        case PermuteMode::edgeRight: index = std::min(k, i); break;
        case PermuteMode::replicate16: index = (k & 1) * 2 + (i & 1); break;
        }
        u64 byte = bytes >> (8 * index) & 0xFF;
        if (sign) byte = byte & 0x80 ? 0xFF : 0;
        r |= byte << (8 * i);
    }
    return r;
}
template <bool SignedA, bool SignedB>
u64 dp4a(u64 a, u64 b, u64 c) {
    std::int64_t sum = as<std::int32_t>(c);
    for (unsigned i = 0; i < 4; ++i) {
        const auto x = static_cast<std::uint8_t>(a >> (8 * i)), y = static_cast<std::uint8_t>(b >> (8 * i));
        sum += (SignedA ? std::int64_t{static_cast<std::int8_t>(x)} : x) *
               (SignedB ? std::int64_t{static_cast<std::int8_t>(y)} : y);
    }
    return static_cast<std::uint32_t>(sum);
}
/// Two 16-bit values of a with two bytes of b. Source: 9.7.1.24 dp2a.
template <bool High, bool SignedA, bool SignedB>
u64 dp2a(u64 a, u64 b, u64 c) {
    std::int64_t sum = as<std::int32_t>(c);
    for (unsigned i = 0; i < 2; ++i) {
        const auto x = static_cast<std::uint16_t>(a >> (16 * i));
        const auto y = static_cast<std::uint8_t>(b >> (8 * i + (High ? 16 : 0)));
        sum += (SignedA ? std::int64_t{static_cast<std::int16_t>(x)} : x) *
               (SignedB ? std::int64_t{static_cast<std::int8_t>(y)} : y);
    }
    return static_cast<std::uint32_t>(sum);
}
/// Source: 9.7.1.21 szext: a cut to b bits, then sign- or zero-extended.
template <bool Signed, bool Wrap>
u64 szext(u64 a, u64 b, u64) {
    const u64 bits = Wrap ? b & 31 : std::min<u64>(b & 0xFFFFFFFF, 32);
    if (bits == 0) return 0;
    const u64 mask = (u64{1} << bits) - 1, kept = a & mask;
    const bool negative = Signed && (a >> (bits - 1) & 1);
    return (negative ? kept | ~mask : kept) & 0xFFFFFFFF;
}
/// Source: 9.7.1.17 fns: the place of the n-th set bit at and above (n > 0) or at and below (n < 0) the base; with n 0
/// the base itself where its bit is set.
u64 fns(u64 mask, u64 base, u64 n) {
    const auto first = static_cast<std::int64_t>(base & 0xFFFFFFFF);
    const std::int64_t wanted = as<std::int32_t>(n);
    if (wanted == 0) return first < 32 && (mask >> first & 1) ? base & 0xFFFFFFFF : 0xFFFFFFFF;
    const std::int64_t step = wanted > 0 ? 1 : -1;
    std::int64_t left = wanted * step;
    for (std::int64_t at = first; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) && --left == 0) return static_cast<u64>(at);
    return 0xFFFFFFFF;
}
// Source: 9.7.1.1 add, 9.7.1.12 min and 9.7.1.13 max of u16x2 and s16x2.
enum class PairOp { add, min, max };
template <PairOp Op, class T, bool Relu>
u64 pairs(u64 a, u64 b, u64) {
    u64 r = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
        const T x = as<T>(a >> shift), y = as<T>(b >> shift);
        T v = Op == PairOp::add ? static_cast<T>(x + y) : Op == PairOp::min ? std::min(x, y) : std::max(x, y);
        if (Relu && v < 0) v = 0;
        r |= static_cast<u64>(static_cast<std::uint16_t>(v)) << shift;
    }
    return r;
}
template <bool Maximum>
u64 extremeRelu(u64 a, u64 b, u64) {
    const auto x = as<std::int32_t>(a), y = as<std::int32_t>(b);
    return word(std::max(Maximum ? std::max(x, y) : std::min(x, y), 0));
}
template <class T>
u64 cnot(u64 a, u64, u64) {
    return as<std::make_unsigned_t<T>>(a) == 0;
}

template <u64 Window>
u64 inWindow(u64 a, u64, u64) {
    return a >= Window && a < Window + windowSize;
}
u64 inGlobal(u64 a, u64, u64) {
    return a < sharedWindow || a >= imageWindow;
}

} // namespace

ScalarFunction multiplyHigh(ScalarType type) {
    PTXWB_BY_TYPE(type, mulHi);
}
ScalarFunction multiplyAddHigh(ScalarType type, bool saturate) {
    if (saturate) return type == ScalarType::s32 ? madHiSatS32 : nullptr;
    PTXWB_BY_TYPE(type, madHi);
}
ScalarFunction addSaturated(bool subtract) {
    return subtract ? subSat : addSat;
}
ScalarFunction divide(ScalarType type) {
    PTXWB_BY_TYPE(type, div);
}
ScalarFunction remainder(ScalarType type) {
    PTXWB_BY_TYPE(type, rem);
}
ScalarFunction multiply24(ScalarType type, bool high) {
    if (type == ScalarType::u32) return high ? mul24<false, true> : mul24<false, false>;
    if (type == ScalarType::s32) return high ? mul24<true, true> : mul24<true, false>;
    return nullptr;
}
ScalarFunction multiplyAdd24(ScalarType type, bool high, bool saturate) {
    if (saturate) return type == ScalarType::s32 && high ? mad24HiSat : nullptr;
    if (type == ScalarType::u32) return high ? mad24<false, true> : mad24<false, false>;
    if (type == ScalarType::s32) return high ? mad24<true, true> : mad24<true, false>;
    return nullptr;
}
ScalarFunction absoluteDifferenceAdd(ScalarType type) {
    PTXWB_BY_TYPE(type, sad);
}
ScalarFunction populationCount(ScalarType type) {
    PTXWB_BY_TYPE(type, popc);
}
ScalarFunction leadingZeros(ScalarType type) {
    PTXWB_BY_TYPE(type, clz);
}
ScalarFunction findLeadingBit(ScalarType type, bool shiftAmount) {
    if (shiftAmount) {
        PTXWB_BY_TYPE(type, bfindShift);
    }
    PTXWB_BY_TYPE(type, bfind);
}
ScalarFunction reverseBits(ScalarType type) {
    PTXWB_BY_TYPE(type, brev);
}
ScalarFunction extractField(ScalarType type) {
    PTXWB_BY_TYPE(type, bfe);
}
ScalarFunction packField(ScalarType type) {
    return ptx::sizeBytes(type) == 8 ? packed<true> : packed<false>;
}
ScalarFunction insertField(ScalarType type) {
    PTXWB_BY_TYPE(type, bfi);
}
ScalarFunction bitMask(bool wrap) {
    return wrap ? bmsk<true> : bmsk<false>;
}
ScalarFunction funnelShift(bool left, bool wrap) {
    if (left) return wrap ? shf<true, true> : shf<true, false>;
    return wrap ? shf<false, true> : shf<false, false>;
}
ScalarFunction permuteBytes(PermuteMode mode) {
    switch (mode) {
    case PermuteMode::index: return prmt<PermuteMode::index>;
    case PermuteMode::forward4: return prmt<PermuteMode::forward4>;
    case PermuteMode::backward4: return prmt<PermuteMode::backward4>;
    case PermuteMode::replicate8: return prmt<PermuteMode::replicate8>;
    case PermuteMode::edgeLeft: return prmt<PermuteMode::edgeLeft>;
    case PermuteMode::edgeRight: return prmt<PermuteMode::edgeRight>;
    case PermuteMode::replicate16: return prmt<PermuteMode::replicate16>;
    }
    return nullptr;
}
ScalarFunction dotProduct4(bool signedA, bool signedB) {
    if (signedA) return signedB ? dp4a<true, true> : dp4a<true, false>;
    return signedB ? dp4a<false, true> : dp4a<false, false>;
}
ScalarFunction dotProduct2(bool high, bool signedA, bool signedB) {
    if (high) {
        if (signedA) return signedB ? dp2a<true, true, true> : dp2a<true, true, false>;
        return signedB ? dp2a<true, false, true> : dp2a<true, false, false>;
    }
    if (signedA) return signedB ? dp2a<false, true, true> : dp2a<false, true, false>;
    return signedB ? dp2a<false, false, true> : dp2a<false, false, false>;
}
ScalarFunction extendBits(ScalarType type, bool wrap) {
    if (type == ScalarType::u32) return wrap ? szext<false, true> : szext<false, false>;
    if (type == ScalarType::s32) return wrap ? szext<true, true> : szext<true, false>;
    return nullptr;
}
ScalarFunction findNthSet() {
    return fns;
}
ScalarFunction addPairs() {
    return pairs<PairOp::add, std::uint16_t, false>;
}
ScalarFunction extremePairs(ScalarType type, bool maximum, bool relu) {
    if (type == ScalarType::s32) return !relu ? nullptr : maximum ? extremeRelu<true> : extremeRelu<false>;
    if (type == ScalarType::u16x2 && !relu)
        return maximum ? pairs<PairOp::max, std::uint16_t, false> : pairs<PairOp::min, std::uint16_t, false>;
    if (type != ScalarType::s16x2) return nullptr;
    if (relu) return maximum ? pairs<PairOp::max, std::int16_t, true> : pairs<PairOp::min, std::int16_t, true>;
    return maximum ? pairs<PairOp::max, std::int16_t, false> : pairs<PairOp::min, std::int16_t, false>;
}
ScalarFunction isInWindow(std::uint64_t window) {
    switch (window) {
    case sharedWindow: return inWindow<sharedWindow>;
    case localWindow: return inWindow<localWindow>;
    case parameterWindow: return inWindow<parameterWindow>;
    default: return inGlobal;
    }
}
ScalarFunction zeroIsOne(ScalarType type) {
    PTXWB_BY_TYPE(type, cnot);
}

#undef PTXWB_BY_TYPE

} // namespace ptxwb::emulator
