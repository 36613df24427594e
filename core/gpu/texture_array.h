// One CUDA array, and one texture or surface object: freed with their owner, but for a context that was lost.
// Used by texture_objects.cpp for checked launches and by bench_memory.cpp for timed ones.
#pragma once

#include "gpu/gpu_state.h"

namespace ptxwb::gpu {

/// Texels of the size and format of a texture or surface; a surface may write them.
class TextureArray {
public:
    TextureArray(Gpu::State& gpu, const TextureIn& texture);
    TextureArray(TextureArray&& other) noexcept;
    TextureArray& operator=(TextureArray&&) = delete;
    ~TextureArray();

    /// Errors: what the driver refuses; then there is no array.
    CUresult create();
    CUarray handle() const { return m_handle; }
    /// Of its texels without gaps, as they lie in a buffer.
    std::size_t bytes() const { return m_rowBytes * m_height * m_depth; }

    CUresult fromHost(const std::uint8_t* texels);
    CUresult toHost(std::uint8_t* texels) const;
    // Later, on the GPU's stream.
    CUresult fromDevice(CUdeviceptr texels);
    CUresult toDevice(CUdeviceptr texels) const;

private:
    Gpu::State* m_gpu;
    CUDA_ARRAY3D_DESCRIPTOR m_description{};
    std::size_t m_rowBytes = 0, m_height = 1, m_depth = 1;
    CUarray m_handle = nullptr;
};

class TextureObject {
public:
    explicit TextureObject(Gpu::State& gpu) : m_gpu(&gpu) {}
    TextureObject(TextureObject&& other) noexcept;
    TextureObject& operator=(TextureObject&&) = delete;
    ~TextureObject();

    /// Over an array, or over the buffer's own memory where the texture is linear. Errors: what the driver refuses.
    CUresult create(const TextureIn& texture, CUarray array, CUdeviceptr memory);
    /// The kernel's parameter.
    unsigned long long handle() const { return m_handle; }

private:
    Gpu::State* m_gpu;
    unsigned long long m_handle = 0; ///< CUtexObject or CUsurfObject; 0: none
    bool m_isSurface = false;
};

} // namespace ptxwb::gpu
