// The texture and surface objects of one request's launches, and the arrays behind them.
// Used by gpu.cpp for checked launches and for those under a tool.
#pragma once

#include "gpu/texture_array.h"

#include <map>
#include <set>

namespace ptxwb::gpu {

class TextureObjects {
public:
    explicit TextureObjects(Gpu::State& gpu) : m_gpu(&gpu) {}

    /// Makes what the target's textures need, before any of the request's launches. An array has the content of its
    /// buffer; `addresses`: of the buffers on linear memory, by buffer. Errors: what the driver refuses.
    CUresult make(const LaunchTarget& target, const std::vector<BufferIn>& buffers,
                  const std::vector<CUdeviceptr>& addresses);
    /// Waits until the arrays hold what was copied: the launches go on another stream.
    CUresult settle() const;
    /// Writes the handles of a target that `make` was given into the parameter block.
    void patch(const LaunchTarget& target, std::vector<std::uint8_t>& parameters) const;
    /// What launches that have ended left in the array of a buffer that a surface reaches, in place of `content`.
    CUresult read(std::size_t buffer, std::vector<std::uint8_t>& content) const;

    /// Bytes to which the driver wants a texture's linear memory aligned.
    static std::uint32_t linearAlign(const Gpu::State& gpu);

private:
    Gpu::State* m_gpu;
    std::map<std::size_t, TextureArray> m_arrays;                        ///< by buffer; they outlive the objects
    std::set<std::size_t> m_surfaces;                                    ///< buffers that a surface reaches
    std::map<const LaunchTarget*, std::vector<TextureObject>> m_objects; ///< in the order of the target's textures
};

/// Writes the handles of the target's textures, in their order, into its parameter block.
void patchHandles(const LaunchTarget& target, const std::vector<TextureObject>& objects,
                  std::vector<std::uint8_t>& parameters);

} // namespace ptxwb::gpu
