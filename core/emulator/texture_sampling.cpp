#include "emulator/texture_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace ptxwb::emulator {

namespace {

using T = ptx::ScalarType;
using Address = Texture::Address;
using Place = std::array<std::int64_t, Texture::maxDims>;

/// Texels behind which nothing can tell coordinates apart: no texture is as wide.
constexpr double farAway = 1LL << 40;
constexpr int weightOne = 256;

template <class Word> Word read(const std::uint8_t* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

double halfValue(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    double value = 0;
    if (exponent == 31)
        value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    else
        value = std::ldexp(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);
    return bits >> 15 ? -value : value;
}

/// One channel as a number; of 8 and 16 bits divided so that the largest is 1.
double channelValue(T type, const std::uint8_t* from) {
    switch (type) {
    case T::u8: return *from / 255.0;
    case T::s8: return std::max(read<std::int8_t>(from) / 127.0, -1.0);
    case T::u16: return read<std::uint16_t>(from) / 65535.0;
    case T::s16: return std::max(read<std::int16_t>(from) / 32767.0, -1.0);
    case T::f16: return halfValue(read<std::uint16_t>(from));
    default: return read<float>(from);
    }
}

std::uint32_t channelWord(const Texture& t, const std::uint8_t* from) {
    if (t.type == T::f32) return read<std::uint32_t>(from); // a NaN's bits, too
    if (t.givesFloat()) return std::bit_cast<std::uint32_t>(static_cast<float>(channelValue(t.type, from)));
    switch (t.type) {
    case T::u8: return *from;
    case T::s8: return static_cast<std::uint32_t>(read<std::int8_t>(from));
    case T::u16: return read<std::uint16_t>(from);
    case T::s16: return static_cast<std::uint32_t>(read<std::int16_t>(from));
    default: return read<std::uint32_t>(from);
    }
}

/// nullptr outside of the texture.
const std::uint8_t* texelAt(const Texture& t, const std::uint8_t* bytes, const Place& at, Footprint& footprint) {
    std::uint64_t number = 0;
    for (unsigned d = t.dims; d-- > 0;) {
        if (at[d] < 0 || static_cast<std::uint64_t>(at[d]) >= t.size[d]) return nullptr;
        number = number * t.size[d] + static_cast<std::uint64_t>(at[d]);
    }
    footprint.texels[footprint.count++] = number;
    return bytes + number * t.texelBytes();
}

/// A texel's place as the address mode turns it; outside with `border`.
std::int64_t turned(std::int64_t i, std::uint64_t size, Address mode) {
    const auto n = static_cast<std::int64_t>(size);
    switch (mode) {
    case Address::clamp: return std::clamp<std::int64_t>(i, 0, n - 1);
    case Address::wrap: return ((i % n) + n) % n;
    case Address::mirror: {
        const std::int64_t period = ((i % (2 * n)) + 2 * n) % (2 * n);
        return period < n ? period : 2 * n - 1 - period;
    }
    case Address::border: break;
    }
    return i;
}

/// A coordinate in texels. Products of a float and a size, and remainders, are exact.
double inTexels(const Texture& t, unsigned d, float coordinate) {
    const auto size = static_cast<double>(t.size[d]);
    const double x = t.normalized ? double{coordinate} * size : double{coordinate};
    if (t.address[d] == Address::wrap || t.address[d] == Address::mirror) return std::fmod(x, 2 * size);
    return std::clamp(x, -farAway, farAway);
}

TexelWords byPoint(const Texture& t, const std::uint8_t* bytes, const std::array<float, Texture::maxDims>& at,
                   Footprint& footprint) {
    Place place{};
    for (unsigned d = 0; d < t.dims; ++d)
        place[d] = turned(static_cast<std::int64_t>(std::floor(inTexels(t, d, at[d]))), t.size[d], t.address[d]);
    return fetchTexel(t, bytes, place, footprint);
}

/// Of `whole` 256ths, what the corners of a plane get when the next texel's weights are `a` and `b` of it.
std::array<int, 4> planeShares(int whole, int a, int b, int both) {
    return {whole - a - b + both, a - both, b - both, both};
}

/// Of each corner, in 256ths, together 256. The Programming Guide tells only of weights with 8 bits of fraction; that
/// the shares are whole numbers of 256ths too, and which of them are rounded, is what an H200 does: 4,096 samples of a
/// volume and 2,048 of an image agree to the bit.
std::array<int, 8> sharesOf(const std::array<int, Texture::maxDims>& weight, unsigned dims) {
    const auto share = [](std::int64_t product, int parts) { // of 256 to the power of `parts`, rounded
        const int shift = 8 * (parts - 1);
        return static_cast<int>((product + (std::int64_t{1} << shift >> 1)) >> shift);
    };
    const std::int64_t a = weight[0], b = dims > 1 ? weight[1] : 0, c = dims > 2 ? weight[2] : 0;
    const int nextA = share(a * c, 2), nextB = share(b * c, 2);
    const auto near = planeShares(static_cast<int>(weightOne - c), static_cast<int>(a) - nextA,
                                  static_cast<int>(b) - nextB, share(a * b * (weightOne - c), 3));
    const auto next = planeShares(static_cast<int>(c), nextA, nextB, share(a * b * c, 3));
    return {near[0], near[1], near[2], near[3], next[0], next[1], next[2], next[3]};
}

TexelWords mixed(const Texture& t, const std::uint8_t* bytes, const std::array<float, Texture::maxDims>& at,
                 Footprint& footprint) {
    Place low{};
    std::array<int, Texture::maxDims> weight{}; // of the next texel
    for (unsigned d = 0; d < t.dims; ++d) {
        auto fixed = static_cast<std::int64_t>(std::floor((inTexels(t, d, at[d]) - 0.5) * weightOne + 0.5));
        // An H200 clamps the place, not the texels: at the edge there is no next one that would have a share.
        if (t.address[d] == Address::clamp)
            fixed = std::clamp<std::int64_t>(fixed, 0, (static_cast<std::int64_t>(t.size[d]) - 1) * weightOne);
        low[d] = fixed >> 8;
        weight[d] = static_cast<int>(fixed & (weightOne - 1));
    }
    const auto shares = sharesOf(weight, t.dims);
    std::array<double, 4> sum{};
    const std::uint32_t channelBytes = ptx::sizeBytes(t.type);
    for (unsigned corner = 0; corner < 1U << t.dims; ++corner) {
        Place place{};
        for (unsigned d = 0; d < t.dims; ++d) place[d] = turned(low[d] + (corner >> d & 1), t.size[d], t.address[d]);
        const double share = shares[corner] / double{weightOne};
        const std::uint8_t* texel = shares[corner] > 0 ? texelAt(t, bytes, place, footprint) : nullptr;
        if (!texel) continue; // of no weight, or the border's zero
        for (unsigned c = 0; c < t.channels; ++c) sum[c] += share * channelValue(t.type, texel + c * channelBytes);
    }
    TexelWords words{}; // channels that a texture lacks read as zeros, the fourth too
    for (unsigned c = 0; c < t.channels; ++c) words[c] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[c]));
    return words;
}

} // namespace

TexelWords fetchTexel(const Texture& texture, const std::uint8_t* bytes, const Place& at, Footprint& footprint) {
    TexelWords words{}; // channels that a texture lacks read as zeros, the fourth too
    const std::uint8_t* texel = texelAt(texture, bytes, at, footprint);
    if (!texel) return words;
    for (unsigned c = 0; c < texture.channels; ++c)
        words[c] = channelWord(texture, texel + c * ptx::sizeBytes(texture.type));
    return words;
}

TexelWords sampleTexture(const Texture& texture, const std::uint8_t* bytes,
                         const std::array<float, Texture::maxDims>& at, Footprint& footprint) {
    return texture.filter == Texture::Filter::linear ? mixed(texture, bytes, at, footprint)
                                                     : byPoint(texture, bytes, at, footprint);
}

} // namespace ptxwb::emulator
