#include "gpu/texture_objects.h"

#include <cstring>

namespace ptxwb::gpu {

CUresult TextureObjects::make(const LaunchTarget& target, const std::vector<BufferIn>& buffers,
                              const std::vector<CUdeviceptr>& addresses) {
    std::vector<TextureObject>& objects = m_objects[&target];
    for (const TextureIn& texture : target.textures) {
        CUarray handle = nullptr;
        if (!texture.isLinear) {
            const auto [known, isNew] = m_arrays.try_emplace(texture.buffer, *m_gpu, texture);
            TextureArray& array = known->second;
            if (isNew) {
                if (const CUresult result = array.create(); result != CUDA_SUCCESS) return result;
                // An output that a tool's launch leaves as it is has no content.
                const auto content = buffers[texture.buffer].bytes;
                if (content.size() >= array.bytes())
                    if (const CUresult result = array.fromHost(content.data()); result != CUDA_SUCCESS) return result;
            }
            handle = array.handle();
            if (texture.isSurface) m_surfaces.insert(texture.buffer);
        }
        TextureObject object(*m_gpu);
        if (const CUresult result = object.create(texture, handle, addresses[texture.buffer]); result != CUDA_SUCCESS)
            return result;
        objects.push_back(std::move(object));
    }
    return CUDA_SUCCESS;
}

CUresult TextureObjects::settle() const {
    return m_arrays.empty() ? CUDA_SUCCESS : m_gpu->api->contextSynchronize();
}

void TextureObjects::patch(const LaunchTarget& target, std::vector<std::uint8_t>& parameters) const {
    if (const auto made = m_objects.find(&target); made != m_objects.end())
        patchHandles(target, made->second, parameters);
}

CUresult TextureObjects::read(std::size_t buffer, std::vector<std::uint8_t>& content) const {
    if (!m_surfaces.contains(buffer) || content.empty()) return CUDA_SUCCESS;
    return m_arrays.at(buffer).toHost(content.data());
}

std::uint32_t TextureObjects::linearAlign(const Gpu::State& gpu) {
    constexpr int usual = 512;
    int align = 0;
    const CUresult result = gpu.api->deviceAttribute(&align, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, gpu.handle);
    return static_cast<std::uint32_t>(result == CUDA_SUCCESS && align > 0 ? align : usual);
}

void patchHandles(const LaunchTarget& target, const std::vector<TextureObject>& objects,
                  std::vector<std::uint8_t>& parameters) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const unsigned long long handle = objects[i].handle();
        std::memcpy(parameters.data() + target.textures[i].offset, &handle, sizeof handle);
    }
}

} // namespace ptxwb::gpu
