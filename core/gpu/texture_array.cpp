#include "gpu/texture_array.h"

#include <algorithm>
#include <utility>

namespace ptxwb::gpu {

namespace {

static_assert(static_cast<int>(TextureIn::Address::wrap) == CU_TR_ADDRESS_MODE_WRAP &&
              static_cast<int>(TextureIn::Address::clamp) == CU_TR_ADDRESS_MODE_CLAMP &&
              static_cast<int>(TextureIn::Address::mirror) == CU_TR_ADDRESS_MODE_MIRROR &&
              static_cast<int>(TextureIn::Address::border) == CU_TR_ADDRESS_MODE_BORDER);

struct Format {
    CUarray_format format;
    std::size_t bytes; ///< of a channel
    bool isInteger;
};
Format formatOf(TextureIn::Type type) {
    using T = TextureIn::Type;
    switch (type) {
    case T::u8: return {CU_AD_FORMAT_UNSIGNED_INT8, 1, true};
    case T::u16: return {CU_AD_FORMAT_UNSIGNED_INT16, 2, true};
    case T::u32: return {CU_AD_FORMAT_UNSIGNED_INT32, 4, true};
    case T::s8: return {CU_AD_FORMAT_SIGNED_INT8, 1, true};
    case T::s16: return {CU_AD_FORMAT_SIGNED_INT16, 2, true};
    case T::s32: return {CU_AD_FORMAT_SIGNED_INT32, 4, true};
    case T::f16: return {CU_AD_FORMAT_HALF, 2, false};
    case T::f32: break;
    }
    return {CU_AD_FORMAT_FLOAT, 4, false};
}

/// 0: the array has no such dimension.
std::size_t extent(const std::vector<std::uint64_t>& size, std::size_t dimension) {
    return dimension < size.size() ? static_cast<std::size_t>(size[dimension]) : 0;
}

CUDA_TEXTURE_DESC samplingOf(const TextureIn& texture) {
    CUDA_TEXTURE_DESC sampling{};
    std::ranges::fill(sampling.addressMode, CU_TR_ADDRESS_MODE_CLAMP);
    for (std::size_t d = 0; d < texture.address.size(); ++d)
        sampling.addressMode[d] = static_cast<CUaddress_mode>(texture.address[d]);
    sampling.filterMode = texture.filtersLinearly ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    if (formatOf(texture.type).isInteger && !texture.readsNormalizedFloat) sampling.flags |= CU_TRSF_READ_AS_INTEGER;
    if (texture.isNormalized) sampling.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    return sampling;
}

/// A copy of `rows` rows in each of `slices` slices; the places are still to be filled in.
CUDA_MEMCPY3D copyOf(std::size_t rowBytes, std::size_t rows, std::size_t slices) {
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = copy.srcPitch = copy.dstPitch = rowBytes;
    copy.Height = copy.srcHeight = copy.dstHeight = rows;
    copy.Depth = slices;
    return copy;
}

void fromArray(CUDA_MEMCPY3D& copy, CUarray array) {
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
}
void toArray(CUDA_MEMCPY3D& copy, CUarray array) {
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
}

} // namespace

TextureArray::TextureArray(Gpu::State& gpu, const TextureIn& texture) : m_gpu(&gpu) {
    const Format format = formatOf(texture.type);
    m_description.Width = extent(texture.size, 0);
    m_description.Height = extent(texture.size, 1);
    m_description.Depth = extent(texture.size, 2);
    m_description.Format = format.format;
    m_description.NumChannels = texture.channels;
    m_description.Flags = CUDA_ARRAY3D_SURFACE_LDST; // a later object of the same buffer may be a surface
    m_rowBytes = m_description.Width * format.bytes * texture.channels;
    m_height = std::max<std::size_t>(m_description.Height, 1);
    m_depth = std::max<std::size_t>(m_description.Depth, 1);
}

TextureArray::TextureArray(TextureArray&& other) noexcept
    : m_gpu(other.m_gpu), m_description(other.m_description), m_rowBytes(other.m_rowBytes), m_height(other.m_height),
      m_depth(other.m_depth), m_handle(std::exchange(other.m_handle, nullptr)) {}

TextureArray::~TextureArray() {
    if (m_handle && !m_gpu->lost) m_gpu->api->arrayDestroy(m_handle);
}

CUresult TextureArray::create() {
    return m_gpu->api->arrayCreate(&m_handle, &m_description);
}

CUresult TextureArray::fromHost(const std::uint8_t* texels) {
    CUDA_MEMCPY3D copy = copyOf(m_rowBytes, m_height, m_depth);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = texels;
    toArray(copy, m_handle);
    return m_gpu->api->copy3D(&copy);
}

CUresult TextureArray::toHost(std::uint8_t* texels) const {
    CUDA_MEMCPY3D copy = copyOf(m_rowBytes, m_height, m_depth);
    fromArray(copy, m_handle);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = texels;
    return m_gpu->api->copy3D(&copy);
}

CUresult TextureArray::fromDevice(CUdeviceptr texels) {
    CUDA_MEMCPY3D copy = copyOf(m_rowBytes, m_height, m_depth);
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = texels;
    toArray(copy, m_handle);
    return m_gpu->api->copy3DLater(&copy, m_gpu->stream);
}

CUresult TextureArray::toDevice(CUdeviceptr texels) const {
    CUDA_MEMCPY3D copy = copyOf(m_rowBytes, m_height, m_depth);
    fromArray(copy, m_handle);
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = texels;
    return m_gpu->api->copy3DLater(&copy, m_gpu->stream);
}

TextureObject::TextureObject(TextureObject&& other) noexcept
    : m_gpu(other.m_gpu), m_handle(std::exchange(other.m_handle, 0)), m_isSurface(other.m_isSurface) {}

TextureObject::~TextureObject() {
    if (!m_handle || m_gpu->lost) return;
    if (m_isSurface)
        m_gpu->api->surfaceDestroy(m_handle);
    else
        m_gpu->api->textureDestroy(m_handle);
}

CUresult TextureObject::create(const TextureIn& texture, CUarray array, CUdeviceptr memory) {
    CUDA_RESOURCE_DESC resource{};
    if (texture.isLinear) {
        const Format format = formatOf(texture.type);
        resource.resType = CU_RESOURCE_TYPE_LINEAR;
        resource.res.linear.devPtr = memory;
        resource.res.linear.format = format.format;
        resource.res.linear.numChannels = texture.channels;
        resource.res.linear.sizeInBytes = extent(texture.size, 0) * format.bytes * texture.channels;
    } else {
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
    }
    m_isSurface = texture.isSurface;
    if (m_isSurface) return m_gpu->api->surfaceCreate(&m_handle, &resource);
    const CUDA_TEXTURE_DESC sampling = samplingOf(texture);
    return m_gpu->api->textureCreate(&m_handle, &resource, &sampling, nullptr);
}

} // namespace ptxwb::gpu
