#include "kernel/element_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace ptxwb::kernel {

namespace {

enum class Family : std::uint8_t { signedInteger, unsignedInteger, untyped, floating };

struct TypeRow {
    std::string_view name;
    std::uint32_t bytes;
    Family family;
    FloatFormat format;
};

constexpr std::array<TypeRow, 19> rows = {{
    {"s8", 1, Family::signedInteger, {}},
    {"u8", 1, Family::unsignedInteger, {}},
    {"s16", 2, Family::signedInteger, {}},
    {"u16", 2, Family::unsignedInteger, {}},
    {"s32", 4, Family::signedInteger, {}},
    {"u32", 4, Family::unsignedInteger, {}},
    {"s64", 8, Family::signedInteger, {}},
    {"u64", 8, Family::unsignedInteger, {}},
    {"f16", 2, Family::floating, {5, 10, 15, true, 16, 0}},
    {"bf16", 2, Family::floating, {8, 7, 127, true, 16, 0}},
    {"tf32", 4, Family::floating, {8, 10, 127, true, 32, 13}},
    {"f32", 4, Family::floating, {8, 23, 127, true, 32, 0}},
    {"f64", 8, Family::floating, {11, 52, 1023, true, 64, 0}},
    {"e4m3", 1, Family::floating, {4, 3, 7, false, 8, 0}},
    {"e5m2", 1, Family::floating, {5, 2, 15, true, 8, 0}},
    {"b8", 1, Family::untyped, {}},
    {"b16", 2, Family::untyped, {}},
    {"b32", 4, Family::untyped, {}},
    {"b64", 8, Family::untyped, {}},
}};

constexpr auto names = [] {
    std::array<std::string_view, rows.size()> result{};
    for (std::size_t i = 0; i < rows.size(); ++i) result[i] = rows[i].name;
    return result;
}();

const TypeRow& row(ElementType type) {
    return rows[static_cast<std::size_t>(type)];
}

constexpr std::uint64_t bit(int position) {
    return std::uint64_t{1} << position;
}

/// Exponent field that is all ones: infinities and NaN, where the format has infinities.
std::uint64_t topExponent(const FloatFormat& f) {
    return bit(f.exponentBits) - 1;
}

/// The largest finite value's exponent and mantissa fields, packed.
std::uint64_t largestFields(const FloatFormat& f) {
    // e4m3 uses its top exponent for numbers; only all ones is NaN.
    const std::uint64_t all = bit(f.exponentBits + f.mantissaBits) - 1;
    return f.hasInfinity ? (topExponent(f) << f.mantissaBits) - 1 : all - 1;
}

std::uint64_t nanFields(const FloatFormat& f) {
    if (!f.hasInfinity) return bit(f.exponentBits + f.mantissaBits) - 1;
    return topExponent(f) << f.mantissaBits | bit(f.mantissaBits - 1);
}

double decodeFields(const FloatFormat& f, std::uint64_t fields) {
    const std::uint64_t exponent = fields >> f.mantissaBits;
    const std::uint64_t mantissa = fields & (bit(f.mantissaBits) - 1);
    if (fields > largestFields(f)) {
        if (f.hasInfinity && mantissa == 0) return std::numeric_limits<double>::infinity();
        return std::numeric_limits<double>::quiet_NaN();
    }
    const int scale = static_cast<int>(std::max<std::uint64_t>(exponent, 1)) - f.bias - f.mantissaBits;
    return std::ldexp(static_cast<double>(exponent == 0 ? mantissa : mantissa | bit(f.mantissaBits)), scale);
}

/// Magnitude (not NaN) to packed exponent and mantissa, rounded to nearest even.
std::uint64_t encodeMagnitude(const FloatFormat& f, double magnitude) {
    if (std::isinf(magnitude)) return f.hasInfinity ? topExponent(f) << f.mantissaBits : nanFields(f);
    if (magnitude == 0) return 0;
    const auto bits = std::bit_cast<std::uint64_t>(magnitude);
    const int stored = static_cast<int>(bits >> 52);
    std::uint64_t significand = bits & (bit(52) - 1);
    int exponent = std::max(stored, 1) - 1023;
    if (stored != 0) significand |= bit(52);
    // value = significand * 2^(exponent - 52). The target keeps mantissaBits below its leading bit, fewer when
    // subnormal.
    const int leastExponent = 1 - f.bias;
    const int dropped = 52 - f.mantissaBits + std::max(0, leastExponent - exponent);
    if (dropped > 53) return 0; // under half the smallest subnormal
    if (dropped > 0) {
        const std::uint64_t half = bit(dropped - 1);
        const std::uint64_t rest = significand & (bit(dropped) - 1);
        significand >>= dropped;
        if (rest > half || (rest == half && (significand & 1))) ++significand;
    }
    // Adding the significand with its leading bit to exponent - 1 carries into the exponent where rounding overflowed,
    // and makes a subnormal that was rounded up the smallest normal number.
    exponent = std::max(exponent, leastExponent);
    const auto biased = static_cast<std::uint64_t>(exponent + f.bias - 1);
    const std::uint64_t fields = (biased << f.mantissaBits) + significand;
    if (fields <= largestFields(f)) return fields;
    return f.hasInfinity ? topExponent(f) << f.mantissaBits : nanFields(f);
}

} // namespace

std::string_view name(ElementType type) {
    return row(type).name;
}

std::optional<ElementType> elementType(std::string_view text) {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<ElementType>(found - names.begin());
}

std::span<const std::string_view> elementTypeNames() {
    return names;
}
std::uint32_t sizeOf(ElementType type) {
    return row(type).bytes;
}
bool isFloat(ElementType type) {
    return row(type).family == Family::floating;
}
bool isSigned(ElementType type) {
    return row(type).family == Family::signedInteger;
}
FloatFormat floatFormat(ElementType type) {
    return row(type).format;
}

double unitRoundoff(ElementType type) {
    return isFloat(type) ? std::ldexp(1.0, -floatFormat(type).mantissaBits - 1) : 0.0;
}

double largestFinite(ElementType type) {
    const auto format = floatFormat(type);
    return decodeFields(format, largestFields(format));
}

double spacingAt(ElementType type, double value) {
    const auto format = floatFormat(type);
    const double magnitude = std::min(std::abs(value), largestFinite(type));
    const int exponent = magnitude == 0 ? 1 - format.bias : std::max(std::ilogb(magnitude), 1 - format.bias);
    return std::ldexp(1.0, exponent - format.mantissaBits);
}

std::uint64_t encodeFloat(ElementType type, double value) {
    const auto format = floatFormat(type);
    const std::uint64_t fields = std::isnan(value) ? nanFields(format) : encodeMagnitude(format, std::abs(value));
    const std::uint64_t sign = std::signbit(value) && !std::isnan(value) ? bit(format.storedBits - 1) : 0;
    return sign | fields << format.shift;
}

double decodeFloat(ElementType type, std::uint64_t bits) {
    if (type == ElementType::f64) return std::bit_cast<double>(bits);
    const auto format = floatFormat(type == ElementType::tf32 ? ElementType::f32 : type);
    const double magnitude = decodeFields(format, bits & (bit(format.storedBits - 1) - 1));
    return bits & bit(format.storedBits - 1) ? -magnitude : magnitude;
}

static_assert(std::endian::native == std::endian::little, "device memory is little-endian");

std::uint64_t loadBits(ElementType type, std::span<const std::uint8_t> bytes, std::uint64_t index) {
    std::uint64_t bits = 0;
    switch (sizeOf(type)) { // constant sizes become single moves
    case 1: return bytes[index];
    case 2: std::memcpy(&bits, bytes.subspan(index * 2, 2).data(), 2); break;
    case 4: std::memcpy(&bits, bytes.subspan(index * 4, 4).data(), 4); break;
    default: std::memcpy(&bits, bytes.subspan(index * 8, 8).data(), 8); break;
    }
    return bits;
}

void storeBits(ElementType type, std::span<std::uint8_t> bytes, std::uint64_t index, std::uint64_t bits) {
    switch (sizeOf(type)) {
    case 1: bytes[index] = static_cast<std::uint8_t>(bits); break;
    case 2: std::memcpy(bytes.subspan(index * 2, 2).data(), &bits, 2); break;
    case 4: std::memcpy(bytes.subspan(index * 4, 4).data(), &bits, 4); break;
    default: std::memcpy(bytes.subspan(index * 8, 8).data(), &bits, 8); break;
    }
}

double asDouble(ElementType type, std::uint64_t bits) {
    if (isFloat(type)) return decodeFloat(type, bits);
    if (!isSigned(type)) return static_cast<double>(bits);
    const int unused = 64 - 8 * static_cast<int>(sizeOf(type));
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

IntegerRange integerRange(ElementType type) {
    const int width = 8 * static_cast<int>(sizeOf(type));
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
    const auto least = static_cast<std::int64_t>(~std::uint64_t{0} << (width - 1));
    switch (row(type).family) {
    case Family::signedInteger: return {least, all >> 1};
    case Family::unsignedInteger: return {0, all};
    default: return {least, all};
    }
}

} // namespace ptxwb::kernel
