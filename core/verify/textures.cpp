#include "verify/textures.h"

#include <algorithm>

namespace ptxwb::verify {

namespace {

using KernelAddress = kernel::Texture::Address;

/// Bits without a type count as unsigned integers, as the host's reference has them.
struct Types {
    ptx::ScalarType emulated;
    gpu::TextureIn::Type gpu;
};
Types typesOf(kernel::ElementType type) {
    using E = kernel::ElementType;
    using S = ptx::ScalarType;
    using G = gpu::TextureIn::Type;
    switch (type) {
    case E::f16: return {S::f16, G::f16};
    case E::f32: return {S::f32, G::f32};
    case E::s8: return {S::s8, G::s8};
    case E::s16: return {S::s16, G::s16};
    case E::s32: return {S::s32, G::s32};
    default: break;
    }
    switch (kernel::sizeOf(type)) {
    case 1: return {S::u8, G::u8};
    case 2: return {S::u16, G::u16};
    default: return {S::u32, G::u32};
    }
}

emulator::Texture::Address emulated(KernelAddress address) {
    using A = emulator::Texture::Address;
    switch (address) {
    case KernelAddress::wrap: return A::wrap;
    case KernelAddress::mirror: return A::mirror;
    case KernelAddress::border: return A::border;
    case KernelAddress::clamp: break;
    }
    return A::clamp;
}

gpu::TextureIn::Address onGpu(KernelAddress address) {
    using A = gpu::TextureIn::Address;
    switch (address) {
    case KernelAddress::wrap: return A::wrap;
    case KernelAddress::mirror: return A::mirror;
    case KernelAddress::border: return A::border;
    case KernelAddress::clamp: break;
    }
    return A::clamp;
}

} // namespace

emulator::Texture emulatedTexture(const kernel::Texture& texture, std::uint64_t base) {
    using T = emulator::Texture;
    T out;
    out.use = texture.isSurface ? T::Use::surface : T::Use::texture;
    out.type = typesOf(texture.type).emulated;
    out.channels = texture.channels;
    out.dims = static_cast<unsigned>(texture.size.size());
    out.base = base;
    std::ranges::copy(texture.size, out.size.begin());
    out.memory = texture.memory == kernel::Texture::Memory::linear ? T::Memory::linear : T::Memory::array;
    std::ranges::transform(texture.address, out.address.begin(), emulated);
    out.filter = texture.filter == kernel::Texture::Filter::linear ? T::Filter::linear : T::Filter::point;
    out.normalized = texture.normalized;
    out.read = texture.read == kernel::Texture::Read::normalizedFloat ? T::Read::normalizedFloat : T::Read::element;
    return out;
}

gpu::TextureIn gpuTexture(const kernel::Texture& texture, std::uint32_t offset) {
    gpu::TextureIn out;
    out.offset = offset;
    out.buffer = texture.buffer;
    out.isSurface = texture.isSurface;
    out.isLinear = texture.memory == kernel::Texture::Memory::linear;
    out.type = typesOf(texture.type).gpu;
    out.channels = texture.channels;
    out.size = texture.size;
    std::ranges::transform(texture.address, std::back_inserter(out.address), onGpu);
    out.filtersLinearly = texture.filter == kernel::Texture::Filter::linear;
    out.isNormalized = texture.normalized;
    out.readsNormalizedFloat = texture.read == kernel::Texture::Read::normalizedFloat;
    return out;
}

} // namespace ptxwb::verify
