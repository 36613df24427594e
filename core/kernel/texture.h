// Textures and surfaces of a launch: what cuTexObjectCreate and cuSurfObjectCreate are told, from an argument of type
// "texture" or "surface" and its buffer. Called where a launch is built (layout.cpp) and a spec is checked
// (spec_texture.cpp); read by the emulator's and the GPU's launches.
#pragma once

#include "kernel/spec.h"

#include <span>

namespace ptxwb::kernel {

/// A texture, or a surface: of that only the texels count.
struct Texture {
    static constexpr std::size_t maxDims = 3;
    enum class Memory : std::uint8_t { array, linear };
    enum class Address : std::uint8_t { clamp, wrap, mirror, border };
    enum class Filter : std::uint8_t { point, linear };
    enum class Read : std::uint8_t { element, normalizedFloat };

    bool isSurface = false;
    std::uint32_t buffer = 0; ///< in LaunchData::buffers
    ElementType type = ElementType::f32;
    unsigned channels = 1;           ///< 1, 2, 4
    std::vector<std::uint64_t> size; ///< texels: width, then height, depth
    Memory memory = Memory::array;   ///< linear: the buffer itself
    std::vector<Address> address;    ///< one for each dimension of a texture
    Filter filter = Filter::point;
    bool normalized = false; ///< coordinates 0 to 1 span the texture
    Read read = Read::element;
};

inline constexpr std::uint32_t textureHandleBytes = 8;

/// What the spec says beside the buffer; a texture's options must have been read without an error.
struct TextureOptions {
    std::optional<unsigned> channels; ///< then the buffer's last dimension has as many
    Texture::Memory memory = Texture::Memory::array;
    std::vector<Texture::Address> address; ///< one for all dimensions, or one for each
    Texture::Filter filter = Texture::Filter::point;
    bool normalized = false;
    Texture::Read read = Texture::Read::element;
};
TextureOptions textureOptions(const Argument& argument);

/// `shape`: of the buffer, in elements, slowest first; it lies dense. Errors (badRequest, with the path): a last
/// dimension that is not the channels, dimensions without a texel or over what a GPU takes.
/// Source: CUDA C++ Programming Guide 13.0, Technical Specifications per Compute Capability.
Expected<Texture> texture(const Argument& argument, ElementType type, std::span<const std::uint64_t> shape,
                          const std::string& path);

} // namespace ptxwb::kernel
