#include "emulator/texture.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

using T = ptx::ScalarType;

// No buffer lies there, and small numbers and null are none.
constexpr std::uint64_t firstHandle = 0x7E87'0000'0000'0001ULL;

bool hasType(T type) {
    switch (type) {
    case T::u8:
    case T::s8:
    case T::u16:
    case T::s16:
    case T::u32:
    case T::s32:
    case T::f16:
    case T::f32: return true;
    default: return false;
    }
}

std::unexpected<Diagnostic> refuse(std::string message, std::string hint) {
    return failure(Cause::rejected, std::move(message), std::move(hint));
}

Expected<void> checkSampling(const Texture& t) {
    if (t.read == Texture::Read::normalizedFloat && (ptx::isFloat(t.type) || ptx::sizeBytes(t.type) > 2))
        return refuse("a texture is to be read as normalized float and its elements are no integers of 8 or 16 bits",
                      "read it by element");
    if (t.filter == Texture::Filter::linear && !t.givesFloat())
        return refuse("a texture of integers that are read as they are has no linear filter",
                      "filter by point, or read it as normalized float");
    for (unsigned d = 0; d < t.dims; ++d)
        if (!t.normalized && (t.address[d] == Texture::Address::wrap || t.address[d] == Texture::Address::mirror))
            return refuse(fmt::format("dimension {} of a texture wraps or mirrors, and its coordinates are not "
                                      "normalized",
                                      d),
                          "normalize the coordinates, or clamp");
    if (t.memory != Texture::Memory::linear) return {};
    if (t.dims != 1 || t.normalized || t.filter != Texture::Filter::point)
        return refuse("a texture on linear memory has one dimension, a point filter and no normalized coordinates",
                      "put it on an array");
    return {};
}

} // namespace

Expected<void> checkTexture(const Texture& t) {
    if (!hasType(t.type))
        return refuse("a texture or surface of this element type is not emulated",
                      "types: u8, s8, u16, s16, u32, s32, f16, f32");
    if (t.channels != 1 && t.channels != 2 && t.channels != 4)
        return refuse(fmt::format("a texel has 1, 2 or 4 channels, not {}", t.channels), "");
    if (t.dims < 1 || t.dims > Texture::maxDims)
        return refuse(fmt::format("a texture has 1 to 3 dimensions, not {}", t.dims), "");
    for (unsigned d = 0; d < Texture::maxDims; ++d)
        if (t.size[d] == 0 || (d >= t.dims && t.size[d] != 1))
            return refuse(fmt::format("dimension {} of a texture has {} texels", d, t.size[d]),
                          "each of its dimensions has at least one texel, the others have one");
    return t.use == Texture::Use::texture ? checkSampling(t) : Expected<void>{};
}

std::uint64_t textureHandle(std::uint32_t index) {
    return firstHandle + index;
}

std::optional<std::uint32_t> textureIndex(std::uint64_t handle) {
    if (handle < firstHandle || handle - firstHandle > 0xFFFF'FFFFU) return std::nullopt;
    return static_cast<std::uint32_t>(handle - firstHandle);
}

} // namespace ptxwb::emulator
