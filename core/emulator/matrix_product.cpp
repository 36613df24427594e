// mma.sync: D = A * B + C over the fragments of a warp. Source: PTX ISA 9.0, 9.7.14.5 (shapes and fragments).
//
// The order of additions is left open by the ISA; this is what an H200 does, bit for bit (tests/golden/matrix.txt). All
// K products and the accumulator are added at once: each is cut, not rounded, to a multiple of 2^(e - 25), where e is
// the greatest exponent among them (of a product: the sum of the factors' exponents); the sum is exact, and its 24
// leading bits are kept. So at most 2^(e - 25) is lost a term and one unit in the last place at the end.
#include "emulator/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ptxwb::emulator {

namespace {

using ptx::ScalarType;

/// How much of a sum is kept: terms are multiples of 2^(e - 23 - extra), and of the sum 1 + `fraction` bits stay.
struct Kept {
    int extra, fraction;
};
constexpr Kept keptOfF32{2, 23};
/// Of 8-bit factors, as published for sm_90: 13 bits behind the greatest term's first, and as many of the sum.
constexpr Kept keptOfBytes{-10, 13};
constexpr std::int32_t zeroExponent = -100000; ///< of a term that does not count
constexpr std::uint32_t canonicalNaN = 0x7FFFFFFF;

enum class Special : std::uint8_t { none, infinite, negativeInfinite, notANumber };

/// value = significand * 2^(exponent - fraction), fraction bits of the format.
struct Element {
    std::int32_t significand = 0, exponent = zeroExponent;
    Special special = Special::none;
};

struct Format {
    unsigned bits, fraction;
    int bias;
    bool hasInfinity = true; ///< else only the greatest pattern is no number
};
constexpr Format f16{16, 10, 15}, bf16{16, 7, 127}, tf32{19, 10, 127}, f32{32, 23, 127};
constexpr Format e4m3{8, 3, 7, false}, e5m2{8, 2, 15};

Element elementOf(std::uint32_t value, const Format& f) {
    const std::uint32_t fractionMask = (1U << f.fraction) - 1;
    const std::uint32_t exponentMask = (1U << (f.bits - 1 - f.fraction)) - 1;
    const std::uint32_t fraction = value & fractionMask, exponent = value >> f.fraction & exponentMask;
    const bool negative = value >> (f.bits - 1) & 1;
    Element e;
    if (exponent == exponentMask && (f.hasInfinity || fraction == fractionMask)) {
        e.special = fraction ? Special::notANumber : negative ? Special::negativeInfinite : Special::infinite;
        e.significand = negative ? -1 : 1;
        return e;
    }
    if (exponent == 0 && fraction == 0) return e;
    // A subnormal has the exponent of the least normal number.
    e.significand = static_cast<std::int32_t>(exponent ? fraction | 1U << f.fraction : fraction);
    e.exponent = static_cast<std::int32_t>(std::max(exponent, 1U)) - f.bias;
    if (negative) e.significand = -e.significand;
    return e;
}

/// value * 2^shift, cut towards zero.
std::int64_t shifted(std::int64_t value, int shift) {
    if (shift >= 0) return value << shift;
    if (shift < -62) return 0;
    return value < 0 ? -(-value >> -shift) : value >> -shift;
}

/// sum * 2^unit as f32, its leading bits kept.
std::uint32_t packedF32(std::int64_t sum, int unit, int fraction) {
    if (sum == 0) return 0;
    const std::uint32_t sign = sum < 0 ? 0x80000000U : 0;
    auto size = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
    const int top = 63 - std::countl_zero(size) + unit; // exponent
    if (top > 127) return sign | 0x7F800000U;
    const int last = std::max(top - 23, -149), cut = std::max(top - fraction, -149); // exponents of last places
    if (cut > unit) size = cut - unit > 63 ? 0 : size >> (cut - unit) << (cut - unit);
    size = last >= unit ? (last - unit > 63 ? 0 : size >> (last - unit)) : size << (unit - last);
    if (top < -126) return sign | static_cast<std::uint32_t>(size);
    return sign | static_cast<std::uint32_t>(top + 127) << 23 | (static_cast<std::uint32_t>(size) & 0x7FFFFF);
}

/// What infinities and NaNs make of a sum; `none` where there are none.
struct Specials {
    bool nan = false, positive = false, negative = false;
    void add(bool isNegative) { (isNegative ? negative : positive) = true; }
    bool any() const { return nan || positive || negative; }
    std::uint32_t bits() const {
        if (nan || (positive && negative)) return canonicalNaN;
        return negative ? 0xFF800000U : 0x7F800000U;
    }
};
void addSpecials(Specials& s, const Element& a, const Element& b) {
    if (a.special == Special::none && b.special == Special::none) return;
    const bool isZero =
        (a.special == Special::none && a.significand == 0) || (b.special == Special::none && b.significand == 0);
    if (a.special == Special::notANumber || b.special == Special::notANumber || isZero)
        s.nan = true;
    else
        s.add((a.significand < 0) != (b.significand < 0));
}

/// The fragments as matrices: rows of A and columns of B lie together.
struct Matrices {
    Element a[16][32], b[8][32];
    bool special = false;
};

/// `fraction`: bits of a factor of A and one of B together.
std::uint32_t dotProduct(const Matrices& m, unsigned row, unsigned column, unsigned k, int fraction, std::uint32_t c,
                         const Kept& kept = keptOfF32) {
    const Element* a = m.a[row];
    const Element* b = m.b[column];
    const Element accumulator = elementOf(c, f32);
    if (m.special || accumulator.special != Special::none) {
        Specials specials;
        for (unsigned i = 0; i < k; ++i) addSpecials(specials, a[i], b[i]);
        if (accumulator.special == Special::notANumber) specials.nan = true;
        if (accumulator.special == Special::infinite) specials.add(false);
        if (accumulator.special == Special::negativeInfinite) specials.add(true);
        if (specials.any()) return specials.bits();
    }
    std::int32_t greatest = accumulator.exponent;
    for (unsigned i = 0; i < k; ++i) greatest = std::max(greatest, a[i].exponent + b[i].exponent);
    if (greatest <= zeroExponent / 2) return 0;
    std::int64_t sum =
        accumulator.significand ? shifted(accumulator.significand, kept.extra + accumulator.exponent - greatest) : 0;
    for (unsigned i = 0; i < k; ++i) {
        const std::int64_t product = std::int64_t{a[i].significand} * b[i].significand;
        if (product) sum += shifted(product, 23 + kept.extra - fraction + a[i].exponent + b[i].exponent - greatest);
    }
    return packedF32(sum, greatest - 23 - kept.extra, kept.fraction);
}

/// Where element `e` of register r of a lane lies in A (row, k) and in B (k, column); `each`: elements a register.
struct Place {
    unsigned row, k;
};
Place placeInA(unsigned lane, unsigned r, unsigned e, unsigned each) {
    return {lane / 4 + 8 * (r & 1), lane % 4 * each + (r >> 1) * 4 * each + e};
}
Place placeInB(unsigned lane, unsigned r, unsigned e, unsigned each) {
    return {lane / 4, lane % 4 * each + r * 4 * each + e};
}

/// `f16` accumulators lie in pairs: register r holds the elements 2r and 2r + 1.
std::uint32_t accumulatorOf(const Step& step, const MatrixOp& op, unsigned lane, unsigned i) {
    const ScalarType type = op.accumulatorC == ScalarType::none ? op.accumulator : op.accumulatorC;
    if (type == ScalarType::f32) return static_cast<std::uint32_t>(step.value(op.c[i], lane));
    return widenF16(static_cast<std::uint16_t>(step.value(op.c[i / 2], lane) >> (16 * (i & 1))));
}

/// The usual numbers, with vectors (lane_product.inc); false where that cannot be.
bool quickProduct(const Step& step, const MatrixOp& op) {
    static const ProductFunction product = productFunction();
    if (op.accumulator != ScalarType::f32 || op.k > 16) return false; // 32: 8-bit factors
    FragmentProduct p{};
    p.format = op.typeA == ScalarType::f16    ? FragmentProduct::Format::f16
               : op.typeA == ScalarType::bf16 ? FragmentProduct::Format::bf16
                                              : FragmentProduct::Format::tf32;
    p.k = op.k;
    for (std::size_t i = 0; i < op.a.size(); ++i) p.a[i] = &step.word32(op.a[i].slot, 0);
    for (std::size_t i = 0; i < op.b.size(); ++i) p.b[i] = &step.word32(op.b[i].slot, 0);
    for (std::size_t i = 0; i < 4; ++i) {
        p.c[i] = &step.word32(op.c[i].slot, 0);
        p.d[i] = &step.word32(op.d[i].slot, 0);
    }
    return product(p);
}

const Format& formatOf(ScalarType type) {
    switch (type) {
    case ScalarType::f16: return f16;
    case ScalarType::bf16: return bf16;
    case ScalarType::e4m3: return e4m3;
    case ScalarType::e5m2: return e5m2;
    default: return tf32;
    }
}

void floatProduct(const Step& step, const MatrixOp& op) {
    if (quickProduct(step, op)) return;
    const Format &formatA = formatOf(op.typeA), &formatB = formatOf(op.typeB);
    const unsigned each = std::max(1U, 32 / formatA.bits);
    const Kept& kept = each == 4 ? keptOfBytes : keptOfF32;
    Matrices m;
    const auto element = [&](SlotRef slot, unsigned lane, unsigned e, const Format& format) {
        const auto word = static_cast<std::uint32_t>(step.value(slot, lane));
        const std::uint32_t mask = each == 4 ? 0xFF : 0xFFFF;
        const Element out = elementOf(each == 1 ? word >> 13 : word >> (32 / each * e) & mask, format);
        m.special |= out.special != Special::none;
        return out;
    };
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned e = 0; e < each; ++e) {
            for (unsigned r = 0; r < op.a.size(); ++r) {
                const Place at = placeInA(lane, r, e, each);
                m.a[at.row][at.k] = element(op.a[r], lane, e, formatA);
            }
            for (unsigned r = 0; r < op.b.size(); ++r) {
                const Place at = placeInB(lane, r, e, each);
                m.b[at.row][at.k] = element(op.b[r], lane, e, formatB);
            }
        }
    std::uint32_t out[32][4];
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < 4; ++i)
            out[lane][i] = dotProduct(m, lane / 4 + 8 * (i >> 1), lane % 4 * 2 + (i & 1), op.k,
                                      static_cast<int>(formatA.fraction + formatB.fraction),
                                      accumulatorOf(step, op, lane, i), kept);
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < op.d.size(); ++i) {
            if (op.accumulator == ScalarType::f32)
                step.set(op.d[i], lane, out[lane][i]);
            else
                step.set(op.d[i], lane,
                         narrowedF16(out[lane][2 * i]) | std::uint32_t{narrowedF16(out[lane][2 * i + 1])} << 16);
        }
}

unsigned bitsOf(ScalarType type) {
    switch (type) {
    case ScalarType::b1: return 1;
    case ScalarType::s4:
    case ScalarType::u4: return 4;
    default: return 8;
    }
}

/// Element e of a word, extended as its type says.
std::int16_t integerElement(std::uint64_t word, unsigned e, ScalarType type) {
    const unsigned bits = bitsOf(type);
    const auto value = static_cast<std::int32_t>(word >> (bits * e) & ((1U << bits) - 1));
    const bool isSigned = type == ScalarType::s8 || type == ScalarType::s4;
    return static_cast<std::int16_t>(isSigned && value >> (bits - 1) ? value - (1 << bits) : value);
}

void integerProduct(const Step& step, const MatrixOp& op) {
    std::int16_t a[16][256], b[8][256];
    const unsigned each = 32 / bitsOf(op.typeA);
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned e = 0; e < each; ++e) {
            for (unsigned r = 0; r < op.a.size(); ++r) {
                const Place at = placeInA(lane, r, e, each);
                a[at.row][at.k] = integerElement(step.value(op.a[r], lane), e, op.typeA);
            }
            for (unsigned r = 0; r < op.b.size(); ++r) {
                const Place at = placeInB(lane, r, e, each);
                b[at.row][at.k] = integerElement(step.value(op.b[r], lane), e, op.typeB);
            }
        }
    const bool isBits = op.typeA == ScalarType::b1;
    std::uint32_t out[32][4];
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < op.c.size(); ++i) {
            const std::int16_t* row = a[lane / 4 + 8 * (i >> 1)];
            const std::int16_t* column = b[lane % 4 * 2 + (i & 1)];
            std::int64_t sum = static_cast<std::int32_t>(step.value(op.c[i], lane));
            for (unsigned k = 0; k < op.k; ++k) sum += isBits && !op.bitsAnd ? row[k] ^ column[k] : row[k] * column[k];
            if (op.saturate) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
            out[lane][i] = static_cast<std::uint32_t>(sum);
        }
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < op.d.size(); ++i) step.set(op.d[i], lane, out[lane][i]);
}

/// A chain of fused multiply-adds in the order of k.
void doubleProduct(const Step& step, const MatrixOp& op) {
    double a[16][16], b[8][16];
    const auto number = [&](SlotRef slot, unsigned lane) { return std::bit_cast<double>(step.value(slot, lane)); };
    for (unsigned lane = 0; lane < 32; ++lane) {
        for (unsigned r = 0; r < op.a.size(); ++r) {
            const Place at = placeInA(lane, r, 0, 1);
            a[at.row][at.k] = number(op.a[r], lane);
        }
        for (unsigned r = 0; r < op.b.size(); ++r) {
            const Place at = placeInB(lane, r, 0, 1);
            b[at.row][at.k] = number(op.b[r], lane);
        }
    }
    double out[32][4];
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < op.c.size(); ++i) {
            out[lane][i] = number(op.c[i], lane);
            for (unsigned k = 0; k < op.k; ++k)
                out[lane][i] = std::fma(a[lane / 4 + 8 * (i >> 1)][k], b[lane % 4 * 2 + (i & 1)][k], out[lane][i]);
        }
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < op.d.size(); ++i) step.set(op.d[i], lane, std::bit_cast<std::uint64_t>(out[lane][i]));
}

float valueOf(const Element& e) {
    switch (e.special) {
    case Special::notANumber: return std::numeric_limits<float>::quiet_NaN();
    case Special::infinite: return std::numeric_limits<float>::infinity();
    case Special::negativeInfinite: return -std::numeric_limits<float>::infinity();
    case Special::none: break;
    }
    return std::ldexp(static_cast<float>(e.significand), e.exponent - static_cast<int>(f16.fraction));
}

std::uint32_t fusedDotProduct(const Element (&a)[32], const Element (&b)[32], std::uint32_t c) {
    float sum = 0;
    for (unsigned k = 0; k < 4; ++k) sum = std::fma(valueOf(a[k]), valueOf(b[k]), sum);
    sum += std::bit_cast<float>(c);
    return std::isnan(sum) ? canonicalNaN : std::bit_cast<std::uint32_t>(sum);
}

/// Lanes 4q to 4q + 3 and the same behind 16 hold one product; the later ones hold rows (columns of B) 4 to 7.
/// Source: PTX ISA 9.0, 9.7.14.5.1. GPUs from sm_75 on make it of other instructions: with f32 accumulators of fused
/// multiply-adds from 0 on and one addition, seen in the machine code of sm_90.
void quadProducts(const Step& step, const MatrixOp& op) {
    const bool wideD = op.accumulator == ScalarType::f32, wideC = op.accumulatorC == ScalarType::f32;
    const auto half = [&](SlotRef slot, unsigned lane, unsigned e) {
        return elementOf(static_cast<std::uint32_t>(step.value(slot, lane) >> (16 * e)) & 0xFFFF, f16);
    };
    // Element i of an accumulator.
    const auto placeOf = [](bool wide, unsigned lane, unsigned i) {
        const unsigned upper = lane < 16 ? 0 : 4;
        return wide ? Place{(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)} : Place{lane % 4 + upper, i};
    };
    std::uint32_t out[32][8];
    for (unsigned quad = 0; quad < 4; ++quad) {
        Matrices m;
        std::uint32_t c[8][8];
        const auto lanes = [&](auto f) {
            for (unsigned i = 0; i < 8; ++i) f(4 * quad + i % 4 + (i < 4 ? 0 : 16));
        };
        lanes([&](unsigned lane) {
            const unsigned major = lane % 4 + (lane < 16 ? 0 : 4), upper = lane < 16 ? 0 : 4;
            for (unsigned i = 0; i < 4; ++i) {
                const Element x = half(op.a[i / 2], lane, i & 1), y = half(op.b[i / 2], lane, i & 1);
                m.special |= x.special != Special::none || y.special != Special::none;
                (op.columnsA ? m.a[i + upper][lane % 4] : m.a[major][i]) = x;
                (op.rowsB ? m.b[i + upper][lane % 4] : m.b[major][i]) = y;
            }
            for (unsigned i = 0; i < 8; ++i) {
                const Place at = placeOf(wideC, lane, i);
                c[at.row][at.k] = accumulatorOf(step, op, lane, i);
            }
        });
        lanes([&](unsigned lane) {
            for (unsigned i = 0; i < 8; ++i) {
                const Place at = placeOf(wideD, lane, i);
                const std::uint32_t addend = c[at.row][at.k];
                out[lane][i] = wideD ? fusedDotProduct(m.a[at.row], m.b[at.k], addend)
                                     : dotProduct(m, at.row, at.k, 4, static_cast<int>(2 * f16.fraction), addend);
            }
        });
    }
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < op.d.size(); ++i)
            step.set(op.d[i], lane,
                     wideD ? out[lane][i]
                           : narrowedF16(out[lane][2 * i]) | std::uint32_t{narrowedF16(out[lane][2 * i + 1])} << 16);
}

} // namespace

void matrixProduct(const Step& step, const MatrixOp& op) {
    switch (op.accumulator) {
    case ScalarType::s32: return integerProduct(step, op);
    case ScalarType::f64: return doubleProduct(step, op);
    default: return floatProduct(step, op);
    }
}

void matrixQuads(const Step& step, const MatrixOp& op) {
    quadProducts(step, op);
}

} // namespace ptxwb::emulator
