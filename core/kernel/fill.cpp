#include "kernel/fill.h"

#include "kernel/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace ptxwb::kernel {

namespace {

constexpr std::uint64_t elementsWorthAThread = std::uint64_t{1} << 20;

/// The words of one element: eight of them, more than any fill needs.
class Words {
public:
    Words(std::uint64_t key, std::uint64_t index) : m_key(key), m_counter(index * 8) {}
    std::uint64_t next() { return randomWord(m_key, m_counter++); }
    /// 0 <= u < 1 in steps of 2^-53.
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// Sum of twelve uniforms minus 6: mean 0, variance 1, between -6 and 6, in steps of 2^-32.
    double normal() {
        std::int64_t sum = 0;
        for (int i = 0; i < 6; ++i) {
            const std::uint64_t word = next();
            sum += static_cast<std::int64_t>(word >> 32) + static_cast<std::int64_t>(word & 0xFFFFFFFFU);
        }
        return static_cast<double>(sum - 6 * (std::int64_t{1} << 32)) * 0x1p-32;
    }

private:
    std::uint64_t m_key, m_counter;
};

// Floating-point types. Products by powers of two and sums of doubles are the same everywhere; there is no other
// rounding than that of IEEE 754.

double floatNormal(const Fill& fill, Words& words) {
    return fill.mean.value_or(0.5) + fill.scale.value_or(1.0) * words.normal();
}

double floatUniform(const Fill& fill, Words& words) {
    const double mean = fill.mean.value_or(0.5), scale = fill.scale.value_or(1.0);
    const double low = fill.low.value_or(mean - scale * 0.5), high = fill.high.value_or(mean + scale * 0.5);
    return low + (high - low) * words.unit();
}

double floatDenormal(ElementType type, Words& words) {
    const auto format = floatFormat(type);
    const std::uint64_t word = words.next();
    const std::uint64_t mantissa = 1 + below(word << 1, (std::uint64_t{1} << format.mantissaBits) - 1);
    const double magnitude = std::ldexp(static_cast<double>(mantissa), 1 - format.bias - format.mantissaBits);
    return word >> 63 ? -magnitude : magnitude;
}

double floatHuge(ElementType type, Words& words) {
    const double largest = largestFinite(type);
    const std::uint64_t sign = words.next() >> 63;
    const double magnitude = largest * (0.25 + 0.75 * words.unit());
    return sign ? -magnitude : magnitude;
}

double floatSpecial(const Fill& fill, ElementType type, Words& words) {
    const std::uint64_t choice = words.next() >> 58; // of 64
    const double sign = choice & 1 ? -1.0 : 1.0;
    const auto format = floatFormat(type);
    const double tiny = std::ldexp(1.0, 1 - format.bias - format.mantissaBits);
    switch (choice >> 1) {
    case 0:
    case 1: return std::numeric_limits<double>::quiet_NaN();
    case 2:
    case 3: return sign * std::numeric_limits<double>::infinity();
    case 4:
    case 5: return sign * 0.0;
    case 6: return sign * largestFinite(type);
    case 7: return sign * tiny;
    case 8: return sign * std::ldexp(1.0, 1 - format.bias);
    case 9: return sign;
    default: return floatNormal(fill, words);
    }
}

/// Whether element `index` is the one special value of its stretch; three of four stretches have one.
constexpr std::uint64_t stretchLength = 64;
bool isIsolated(std::uint64_t key, std::uint64_t index) {
    constexpr std::uint64_t apart = std::uint64_t{1} << 40; // words that no element of a buffer draws
    Words stretch(key, apart + index / stretchLength);
    const std::uint64_t word = stretch.next();
    return word % 4 != 0 && (word >> 32) % stretchLength == index % stretchLength;
}

double floatIsolated(const Fill& fill, std::uint64_t key, std::uint64_t index) {
    Words words(key, index);
    if (!isIsolated(key, index)) return floatNormal(fill, words);
    const std::uint64_t choice = words.next() >> 61;
    // No largest numbers: a sum of them may pass through an infinity or not, by the order of its terms.
    if (choice < 2) return std::numeric_limits<double>::quiet_NaN();
    const double sign = choice & 1 ? -1.0 : 1.0;
    return sign * std::numeric_limits<double>::infinity();
}

/// Magnitudes from 2^-20 to 2^20, or as far as the type's exponents let a product of two of them be a number.
double floatWide(ElementType type, Words& words) {
    const int reach = std::min(20, floatFormat(type).bias / 2);
    const std::uint64_t word = words.next();
    const int exponent = static_cast<int>(below(word << 1, static_cast<std::uint64_t>(2 * reach + 1))) - reach;
    const double magnitude = std::ldexp(1 + words.unit(), exponent);
    return word >> 63 ? -magnitude : magnitude;
}

double floatCancelling(const Fill& fill, ElementType type, std::uint64_t key, std::uint64_t index) {
    Words pair(key, index & ~std::uint64_t{1});
    const double value = floatNormal(fill, pair) * 64.0;
    if ((index & 1) == 0) return value;
    // Of the rounded partner, so that the sum is as small as it looks.
    const double partner = decodeFloat(type, encodeFloat(type, value));
    Words own(key, index);
    return -(partner + partner * 0x1p-10 * (own.unit() - 0.25));
}

double floatElement(const Fill& fill, ElementType type, std::uint64_t key, std::uint64_t index) {
    Words words(key, index);
    switch (fill.kind) {
    case FillKind::normal: return floatNormal(fill, words);
    case FillKind::uniform: return floatUniform(fill, words);
    case FillKind::zeros: return 0;
    case FillKind::ones: return 1;
    case FillKind::iota: return static_cast<double>(index & ((std::uint64_t{2} << floatFormat(type).mantissaBits) - 1));
    case FillKind::constant: return fill.value.value_or(1.5);
    case FillKind::integers: {
        const double low = std::ceil(fill.low.value_or(-3)), high = std::floor(fill.high.value_or(low + 15));
        return low +
               static_cast<double>(below(words.next(), static_cast<std::uint64_t>(std::max(0.0, high - low)) + 1));
    }
    case FillKind::sparse: return below(words.next(), 10) == 0 ? floatNormal(fill, words) : 0;
    case FillKind::denormal: return floatDenormal(type, words);
    case FillKind::huge: return floatHuge(type, words);
    case FillKind::cancelling: return floatCancelling(fill, type, key, index);
    case FillKind::special: return floatSpecial(fill, type, words);
    case FillKind::isolated: return floatIsolated(fill, key, index);
    case FillKind::negative: return -(std::abs(floatNormal(fill, words)) + 0.125);
    case FillKind::wide: return floatWide(type, words);
    case FillKind::file: break;
    }
    return 0;
}

// Integers, as the low bits of 64. Limits given as double reach 2^53; beyond it the type's own limits serve.

struct Span {
    std::int64_t low = 0;
    std::uint64_t high = 0; // as bits; compared as unsigned for unsigned types
};

Span spanOf(ElementType type) {
    const auto range = integerRange(type);
    return isSigned(type) ? Span{range.low, range.high} : Span{0, range.high};
}

std::uint64_t clampRound(ElementType type, double value) {
    const auto span = spanOf(type);
    const double rounded = std::nearbyint(value);
    if (!(rounded > static_cast<double>(span.low))) return static_cast<std::uint64_t>(span.low);
    if (rounded >= static_cast<double>(span.high)) return span.high;
    return rounded < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded))
                       : static_cast<std::uint64_t>(rounded);
}

std::uint64_t integerBetween(ElementType type, double low, double high, Words& words) {
    const std::uint64_t first = clampRound(type, low), last = clampRound(type, high);
    return first + below(words.next(), last - first + 1);
}

std::uint64_t integerNormal(const Fill& fill, ElementType type, Words& words) {
    return clampRound(type, fill.mean.value_or(5) + fill.scale.value_or(10) * words.normal());
}

std::uint64_t integerUniform(const Fill& fill, ElementType type, Words& words) {
    const double scale = fill.scale.value_or(isSigned(type) ? 130 : 100);
    const double mean = fill.mean.value_or(isSigned(type) ? 25 : 50);
    const double low = fill.low.value_or(mean - scale * 0.5);
    return integerBetween(type, low, fill.high.value_or(low + scale), words);
}

std::uint64_t integerHuge(ElementType type, Words& words) {
    const auto span = spanOf(type);
    const std::uint64_t word = words.next();
    const std::uint64_t away = below(word << 1, 16);
    return word >> 63 && isSigned(type) ? static_cast<std::uint64_t>(span.low) + away : span.high - away;
}

std::uint64_t integerElement(const Fill& fill, ElementType type, std::uint64_t key, std::uint64_t index) {
    Words words(key, index);
    switch (fill.kind) {
    case FillKind::normal: return integerNormal(fill, type, words);
    case FillKind::uniform: return integerUniform(fill, type, words);
    case FillKind::zeros: return 0;
    case FillKind::ones: return 1;
    case FillKind::iota: return index & spanOf(type).high;
    case FillKind::constant: return clampRound(type, fill.value.value_or(3));
    case FillKind::integers: {
        const double low = fill.low.value_or(isSigned(type) ? -3 : 0);
        return integerBetween(type, low, fill.high.value_or(low + 15), words);
    }
    case FillKind::sparse: return below(words.next(), 10) == 0 ? integerNormal(fill, type, words) : 0;
    case FillKind::denormal: return integerBetween(type, isSigned(type) ? -1 : 0, 1, words);
    case FillKind::huge: return integerHuge(type, words);
    case FillKind::cancelling: {
        Words pair(key, index & ~std::uint64_t{1});
        const std::uint64_t value = integerNormal(fill, type, pair);
        return index & 1 ? 0 - value : value; // unsigned: the sum wraps to 0
    }
    case FillKind::special: {
        const std::uint64_t choice = words.next() >> 61;
        if (choice < 2) return integerHuge(type, words);
        if (choice == 2) return spanOf(type).high;
        if (choice == 3) return static_cast<std::uint64_t>(spanOf(type).low);
        if (choice == 4) return 0;
        return integerNormal(fill, type, words);
    }
    case FillKind::negative: {
        const std::uint64_t value = integerNormal(fill, type, words);
        if (!isSigned(type) || value == static_cast<std::uint64_t>(spanOf(type).low)) return value;
        return static_cast<std::int64_t>(value) < 0 ? value : 0 - value - 1;
    }
    case FillKind::wide: { // any number of bits
        const std::uint64_t bits = 8 * sizeOf(type);
        const std::uint64_t shift = 64 - bits + below(words.next(), bits);
        const std::uint64_t word = words.next();
        return isSigned(type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(word) >> shift) : word >> shift;
    }
    case FillKind::isolated:
        if (!isIsolated(key, index)) return integerNormal(fill, type, words);
        return words.next() >> 63 ? spanOf(type).high : static_cast<std::uint64_t>(spanOf(type).low);
    case FillKind::file: break;
    }
    return 0;
}

} // namespace

std::uint64_t fillKey(std::uint64_t seed, std::string_view argument) {
    return mix64(seed) ^ hashText(argument);
}

std::uint64_t fillElement(const Fill& fill, ElementType type, std::uint64_t key, std::uint64_t index) {
    if (isFloat(type)) return encodeFloat(type, floatElement(fill, type, key, index));
    const int unused = 64 - 8 * static_cast<int>(sizeOf(type));
    return integerElement(fill, type, key, index) << unused >> unused;
}

void fillBuffer(const Fill& fill, ElementType type, std::uint64_t key, std::span<std::uint8_t> bytes) {
    const std::uint64_t count = bytes.size() / sizeOf(type);
    const auto part = [&](std::uint64_t first, std::uint64_t end) {
        for (std::uint64_t i = first; i < end; ++i) storeBits(type, bytes, i, fillElement(fill, type, key, i));
    };
    // Each element depends on its index alone: any number of threads makes the same bytes.
    const std::uint64_t threads =
        std::min<std::uint64_t>(std::max(1U, std::thread::hardware_concurrency()), count / elementsWorthAThread + 1);
    std::vector<std::jthread> others;
    for (std::uint64_t i = 1; i < threads; ++i)
        others.emplace_back([&, i] { part(count * i / threads, count * (i + 1) / threads); });
    part(0, count / threads);
}

} // namespace ptxwb::kernel
