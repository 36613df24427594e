// What a texture gives for coordinates: address modes, filters and read modes, as formulas over its texels.
// Used by texture_access.cpp, and by tests that compare with the formulas' right values.
//
// Source: CUDA C++ Programming Guide 13.0, Texture Fetching. By point, texel floor(x) is taken, with x counted in
// texels. The linear filter takes xB = x - 0.5, texels floor(xB) and the next one, and the fraction of xB as a weight;
// in two and three dimensions the products of the weights. The guide says that a weight is kept in 9 bits with 8 of
// fraction. The rest neither the guide nor the ISA tells; it is what an H200 does (driver 580.159.04, 2026-11-30; the
// kernels texture_* of tests/data/kernels): products of weights are whole numbers of 256ths too, clamped coordinates
// have no next texel at the edge, channels that a texel lacks read as zeros (the fourth one too), integer coordinates
// outside of an array read as zeros, and into a one-dimensional array wherever they are. Another GPU may differ by
// 1/256 of the greatest difference between the texels that it mixes for each dimension. Texels of 8 and 16 bits are
// made floats before they are mixed, and the sum is rounded once: there an H200 differs in the last bits.
#pragma once

#include "emulator/texture.h"

namespace ptxwb::emulator {

using TexelWords = std::array<std::uint32_t, 4>; ///< red, green, blue, alpha: bits of f32, or integers

/// The texels that a fetch read, by number: none at the border, nor of no weight.
struct Footprint {
    std::array<std::uint64_t, 8> texels{};
    unsigned count = 0;
};

/// By integer coordinates, zeros outside. `bytes`: of texel 0.
TexelWords fetchTexel(const Texture& texture, const std::uint8_t* bytes,
                      const std::array<std::int64_t, Texture::maxDims>& at, Footprint& footprint);

/// By floating-point coordinates, in texels or normalized as the texture says. They are finite.
TexelWords sampleTexture(const Texture& texture, const std::uint8_t* bytes,
                         const std::array<float, Texture::maxDims>& at, Footprint& footprint);

} // namespace ptxwb::emulator
