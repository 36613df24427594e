// The element types of kernel specs: names, sizes, exact conversion to and from double.
// Called by the spec loader, fills, layout, references and the comparison of outputs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ptxwb::kernel {

enum class ElementType : std::uint8_t {
    s8,
    u8,
    s16,
    u16,
    s32,
    u32,
    s64,
    u64,
    f16,
    bf16,
    tf32,
    f32,
    f64,
    e4m3,
    e5m2,
    b8,
    b16,
    b32,
    b64,
};

std::string_view name(ElementType type);
std::optional<ElementType> elementType(std::string_view name);
/// All names, in the order of the enumeration.
std::span<const std::string_view> elementTypeNames();

/// Bytes of one element in memory: 1, 2, 4 or 8. A tf32 takes four.
std::uint32_t sizeOf(ElementType type);
bool isFloat(ElementType type);
/// s8 to s64. The untyped b8 to b64 are neither signed nor float.
bool isSigned(ElementType type);

/// How a floating-point type is built. Source: IEEE 754-2019 table 3.5; OCP 8-bit Floating Point
/// Specification 1.0, 5.1; PTX ISA 9.0, 5.2.3 (bf16, tf32).
struct FloatFormat {
    int exponentBits = 0;
    int mantissaBits = 0; ///< stored ones, without the leading 1
    int bias = 0;
    bool hasInfinity = true; ///< e4m3 has none: all ones is its only NaN
    int storedBits = 0;      ///< width in memory
    int shift = 0;           ///< unused low bits in memory (tf32: 13)
};
/// For a floating-point type only.
FloatFormat floatFormat(ElementType type);

/// 2^-(mantissa bits + 1) for a floating-point type, 0 for the others: half the distance of 1 to the next number, as a
/// relative error of one rounding.
double unitRoundoff(ElementType type);
/// Largest finite value of a floating-point type.
double largestFinite(ElementType type);
/// Distance between neighbouring numbers of `type` at |value|; the smallest subnormal at 0.
double spacingAt(ElementType type, double value);

/// Rounds to nearest, ties to even, subnormals kept. Beyond the range: an infinity, for e4m3 NaN. The result has
/// 8 * sizeOf(type) bits. Floating-point types only.
std::uint64_t encodeFloat(ElementType type, double value);
/// Exact: every value of these types is a double. Floating-point types only; a tf32 is read as the f32 it is stored in.
double decodeFloat(ElementType type, std::uint64_t bits);

/// Element `index` of a little-endian buffer, zero-extended.
std::uint64_t loadBits(ElementType type, std::span<const std::uint8_t> bytes, std::uint64_t index);
void storeBits(ElementType type, std::span<std::uint8_t> bytes, std::uint64_t index, std::uint64_t bits);
/// Any type: floats decoded, signed ones sign-extended; 64-bit integers are rounded to the nearest double.
double asDouble(ElementType type, std::uint64_t bits);

/// Smallest and largest value that an integer scalar of this type takes. b types take signed and unsigned spellings.
struct IntegerRange {
    std::int64_t low = 0;
    std::uint64_t high = 0;
};
IntegerRange integerRange(ElementType type);

} // namespace ptxwb::kernel
