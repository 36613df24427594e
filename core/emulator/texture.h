// Textures and surfaces of a launch: what cuTexObjectCreate and cuSurfObjectCreate describe. Made by whoever launches
// (the funnel, `ptxwb run`, tests), read by tex, txq, suld, sust and suq.
//
// On a GPU a handle is an opaque number of 64 bits, and an array's texels lie as the driver likes. Here a handle tells
// which of the launch's textures is meant (`textureHandle`), and texels lie dense in a buffer: x together, then y, z.
#pragma once

#include "ptx/types.h"
#include "support/diagnostic.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ptxwb::emulator {

/// A texture, or a surface: of that only the texels count.
struct Texture {
    static constexpr unsigned maxDims = 3;
    enum class Use : std::uint8_t { texture, surface };
    enum class Memory : std::uint8_t { array, linear };
    enum class Address : std::uint8_t { clamp, wrap, mirror, border }; ///< what lies outside
    enum class Filter : std::uint8_t { point, linear };
    enum class Read : std::uint8_t { element, normalizedFloat };

    Use use = Use::texture;
    ptx::ScalarType type = ptx::ScalarType::f32; ///< of a channel: u8 s8 u16 s16 u32 s32 f16 f32
    unsigned channels = 1;                       ///< 1, 2, 4
    unsigned dims = 1;
    std::uint64_t base = 0;                           ///< device address of texel 0
    std::array<std::uint64_t, maxDims> size{1, 1, 1}; ///< texels: width, height, depth
    Memory memory = Memory::array;                    ///< linear: one dimension, read by integer coordinates alone
    std::array<Address, maxDims> address{};           ///< by dimension
    Filter filter = Filter::point;                    ///< by floating-point coordinates
    bool normalized = false;                          ///< coordinates 0 to 1 span the texture
    Read read = Read::element;                        ///< normalizedFloat: of u8 s8 u16 s16, as 0 to 1 or -1 to 1

    std::uint32_t texelBytes() const { return ptx::sizeBytes(type) * channels; }
    std::uint64_t bytes() const { return size[0] * size[1] * size[2] * texelBytes(); }
    /// Whether a fetch gives f32; integers of 32 bits otherwise.
    bool givesFloat() const { return ptx::isFloat(type) || read == Read::normalizedFloat; }
};

/// What cuTexObjectCreate would refuse. Errors: Cause::rejected.
/// Source: CUDA Driver API 13.0, cuTexObjectCreate; CUDA Runtime API 13.0, cudaTextureDesc.
Expected<void> checkTexture(const Texture& texture);

/// The kernel's parameter for the launch's texture number `index`.
std::uint64_t textureHandle(std::uint32_t index);
/// The number of the texture whose handle this is; empty where it is none.
std::optional<std::uint32_t> textureIndex(std::uint64_t handle);

} // namespace ptxwb::emulator
