// The values that a form is tried with: the edges of each class, bits at random, and moderate numbers that meet.
#include "forms.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ptxwb::golden {

namespace {

using u64 = std::uint64_t;

/// SplitMix64: the same numbers from every standard library.
struct Random {
    u64 state;
    u64 next() {
        u64 z = (state += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    u64 below(u64 n) { return next() % n; }
    double within(double limit) { return (static_cast<double>(next() >> 11) * 0x1p-53 * 2 - 1) * limit; }
};

const std::vector<u64> edges16 = {0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0xFFFE, 0x5555};
const std::vector<u64> edges32 = {0,          1,          2,          31,         32,         0x7F,
                                  0x80,       0xFF,       0x7FFF,     0x8000,     0xFFFF,     0x10000,
                                  0x7FFFFF,   0x800000,   0xFFFFFF,   0x1000000,  0x1000001,  0x7FFFFFFF,
                                  0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0x55555555, 0xAAAAAAAA};
const std::vector<u64> edges64 = {0,
                                  1,
                                  0x7F,
                                  0x80,
                                  0xFFFF,
                                  0x7FFFFFFF,
                                  0x80000000,
                                  0xFFFFFFFF,
                                  0x100000000,
                                  0x1FFFFFFFFFFFFF,
                                  0x20000000000001,
                                  0x7FFFFFFFFFFFFFFF,
                                  0x8000000000000000,
                                  0x8000000000000001,
                                  0xFFFFFFFFFFFFFFFF,
                                  0xFFFFFFFFFFFFFFFE};
const std::vector<u64> edgesF32 = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x00000001, 0x80000001, 0x007FFFFF,
                                   0x807FFFFF, 0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
                                   0x7FC00000, 0xFFC12345, 0x7F800001, 0x3F000000, 0x3FC00000, 0x40200000, 0xBF000000,
                                   0x34000000, 0x33800000, 0x3F7FFFFF, 0x3F800001, 0x4B000000, 0x4B800001, 0x4EFFFFFF,
                                   0x4F000000, 0x5F000000, 0x477FE000, 0x477FF000, 0x38800000, 0x33000000, 0x43E00000,
                                   0x43E80000, 0x3F808000, 0x3F818000, 0x4F7FFFFF, 0xCF000000};
const std::vector<u64> edgesF64 = {0x0000000000000000, 0x8000000000000000, 0x3FF0000000000000, 0xBFF0000000000000,
                                   0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000,
                                   0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000,
                                   0x7FF8000000000000, 0x7FF0000000000001, 0xFFF8000012345678, 0x3FE0000000000000,
                                   0x4004000000000000, 0x3FF8000000000000, 0x3FF0000000000001, 0x41DFFFFFFFC00000,
                                   0x41E0000000000000, 0x43E0000000000000, 0xC3E0000000000000, 0x47EFFFFFF0000000,
                                   0x36A0000000000000, 0x380FFFFFE0000000, 0x3FF0000010000000, 0x40EFFC0000000000};
const std::vector<u64> edgesF16 = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x0001, 0x8001, 0x03FF, 0x83FF, 0x0400,
                                   0x8400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x7C01, 0x3800,
                                   0x3E00, 0x4100, 0x3C01, 0x3BFF, 0x6400, 0x6401, 0x7800, 0x0002, 0x1400};
const std::vector<u64> edgesBf16 = {0x0000, 0x8000, 0x3F80, 0xBF80, 0x0001, 0x8001, 0x007F, 0x807F, 0x0080,
                                    0x8080, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7F81, 0x3F00,
                                    0x3FC0, 0x4020, 0x3F81, 0x3F7F, 0x4300, 0x4301, 0x7F00, 0x0002};

/// Moderate numbers with few significant bits: sums cancel and products come out halfway between two others.
u64 moderateF32(Random& r) {
    const double x = static_cast<double>(static_cast<std::int64_t>(r.below(1 << 13)) - (1 << 12));
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::ldexp(x, static_cast<int>(r.below(16)) - 12)));
}
u64 moderateF64(Random& r) {
    const double x = static_cast<double>(static_cast<std::int64_t>(r.below(u64{1} << 29)) - (1 << 28));
    return std::bit_cast<u64>(std::ldexp(x, static_cast<int>(r.below(16)) - 30));
}
u64 moderateF16(Random& r) {
    return (r.next() & 0x83FF) | (11 + r.below(10)) << 10;
}
u64 moderateBf16(Random& r) {
    return (r.next() & 0x807F) | (121 + r.below(12)) << 7;
}

u64 edgeOr(const std::vector<u64>& edges, Random& r, std::size_t i, unsigned bits, u64 (*moderate)(Random&)) {
    const u64 mask = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
    if (i < 48) return edges[r.below(edges.size())];
    if (moderate && i < 72) return moderate(r);
    return r.next() & mask;
}

/// One value of a class for tuple i. The first operand walks through its edges, so that none is left out.
u64 valueOf(std::string_view kind, std::size_t operand, std::size_t i, Random& r) {
    const auto of = [&](const std::vector<u64>& edges, unsigned bits, u64 (*moderate)(Random&) = nullptr) {
        const u64 drawn = edgeOr(edges, r, i, bits, moderate);
        return operand == 0 && i < edges.size() ? edges[i] : drawn;
    };
    const auto pair = [&](const std::vector<u64>& edges, u64 (*moderate)(Random&)) {
        return of(edges, 16, moderate) | edgeOr(edges, r, i, 16, moderate) << 16;
    };
    if (kind == "pred") return r.next() & 1;
    if (kind == "u16" || kind == "s16" || kind == "b16") return of(edges16, 16);
    if (kind == "u32" || kind == "s32" || kind == "b32") return of(edges32, 32);
    if (kind == "u64" || kind == "s64" || kind == "b64") return of(edges64, 64);
    if (kind == "f32") return of(edgesF32, 32, moderateF32);
    if (kind == "f64") return of(edgesF64, 64, moderateF64);
    if (kind == "f16") return of(edgesF16, 16, moderateF16);
    if (kind == "bf16") return of(edgesBf16, 16, moderateBf16);
    if (kind == "f16x2") return pair(edgesF16, moderateF16);
    if (kind == "bf16x2") return pair(edgesBf16, moderateBf16);
    if (kind == "fp8x2") return operand == 0 ? (i * 2) | (i * 2 + 1) << 8 : r.next() & 0xFFFF; // all positive ones
    if (kind == "amount") return i < 68 ? i : i < 80 ? r.below(300) : r.next() & 0xFFFFFFFF;
    if (kind == "small") return r.below(40);
    // Products of these lie around the least normal number.
    if (kind == "one32") return 0x3F7FFFF8 + r.below(16);
    if (kind == "least32") return 0x007FFFFE + r.below(8);
    if (kind == "one16") return 0x3BF8 + r.below(16);
    if (kind == "least16") return 0x03FE + r.below(8);
    if (kind == "least64") return 0x380FFFFFE0000000 + (r.next() & 0x3FFFFFFF);
    if (kind == "zero32") return (r.next() & 1) << 31;
    if (kind == "zero16") return (r.next() & 1) << 15;
    if (kind == "few") return r.below(3); // for match: values that meet
    if (kind == "angle") {
        constexpr u64 fixed[] = {0, 0x80000000, 0x00000001, 0x3F800000, 0x40490FDB, 0x3FC90FDB, 0x7F800000, 0x7FC00000};
        if (i < std::size(fixed)) return fixed[i];
        return std::bit_cast<std::uint32_t>(static_cast<float>(r.within(i < 48 ? 6.28 : 314.0)));
    }
    if (kind == "tf32") return std::bit_cast<std::uint32_t>(static_cast<float>(r.within(4))) & 0xFFFFE000;
    if (kind == "unit32") return std::bit_cast<std::uint32_t>(static_cast<float>(r.within(8)));
    if (kind == "unit64") return std::bit_cast<u64>(r.within(8));
    if (kind == "unit16x2") return moderateF16(r) | moderateF16(r) << 16;
    if (kind == "unitb16x2") return moderateBf16(r) | moderateBf16(r) << 16;
    return 0;
}

u64 seedOf(const Form& form) {
    u64 seed = 0xCBF29CE484222325ULL; // FNV-1a
    for (const Value& v : form.operands)
        for (const char c : v.kind + " ") seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return seed;
}

} // namespace

unsigned bitsOf(std::string_view kind) {
    constexpr std::pair<std::string_view, unsigned> kinds[] = {
        {"pred", 1},      {"u16", 16},       {"s16", 16},   {"b16", 16},     {"f16", 16},   {"bf16", 16},
        {"fp8x2", 16},    {"u32", 32},       {"s32", 32},   {"b32", 32},     {"f32", 32},   {"f16x2", 32},
        {"bf16x2", 32},   {"amount", 32},    {"small", 32}, {"few", 32},     {"angle", 32}, {"tf32", 32},
        {"unit32", 32},   {"u64", 64},       {"s64", 64},   {"b64", 64},     {"f64", 64},   {"unit64", 64},
        {"unit16x2", 32}, {"unitb16x2", 32}, {"one32", 32}, {"least32", 32}, {"one16", 16}, {"least16", 16},
        {"least64", 64},  {"zero32", 32},    {"zero16", 16}};
    for (const auto& [name, bits] : kinds)
        if (name == kind) return bits;
    return 0;
}

std::vector<std::vector<std::uint64_t>> operandsOf(const Form& form) {
    Random random{seedOf(form)};
    std::vector<std::vector<std::uint64_t>> out;
    for (std::size_t k = 0; k < form.operands.size(); ++k) {
        auto& words = out.emplace_back();
        for (std::size_t i = 0; i < tuples; ++i) words.push_back(valueOf(form.operands[k].kind, k, i, random));
    }
    return out;
}

} // namespace ptxwb::golden
