#include "gpu/guarded_buffer.h"

#include <algorithm>
#include <utility>

namespace ptxwb::gpu {

namespace {

constexpr std::uint8_t slackByte = 0xC3;                   ///< neither the padding's byte nor a poison's
constexpr std::size_t slackWindow = std::size_t{64} << 10; ///< bytes of the slack that are looked at

CUmemAllocationProp propertiesOn(CUdevice device) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    return properties;
}

CUresult setAccess(const DriverApi& api, CUdevice device, CUdeviceptr at, std::size_t bytes, CUmemAccess_flags flags) {
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = flags;
    return api.memorySetAccess(at, bytes, &access, 1);
}

/// The last place below `end` that grants `align`; where it must grant no more, the one that is no multiple of twice
/// that.
CUdeviceptr placeBelow(CUdeviceptr end, std::size_t bytes, std::uint32_t align, Placement placement) {
    constexpr std::uint32_t allocated = 256; ///< what the CUDA runtime aligns to
    if (placement == Placement::allocated) align = std::max(align, allocated);
    CUdeviceptr at = (end - bytes) / align * align;
    if (placement == Placement::exact && at % (2ULL * align) == 0) at -= align;
    return at;
}

} // namespace

Expected<GuardedBuffer> GuardedBuffer::make(const DriverApi& api, CUdevice device, const BufferIn& content,
                                            Placement placement) {
    GuardedBuffer buffer;
    buffer.m_api = &api;
    buffer.m_device = device;
    buffer.m_bytes = content.bytes.size();
    const CUmemAllocationProp properties = propertiesOn(device);
    std::size_t granule = 0;
    CUresult result = api.memoryGranularity(&granule, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    const auto failed = [&](std::string_view call) {
        return failure(Cause::missing, describe(api, result, call),
                       "give the device's memory free, or use smaller sizes");
    };
    if (result != CUDA_SUCCESS) return failed("cuMemGetAllocationGranularity");
    // Room for the alignment in front, however large it is.
    const std::size_t needed =
        buffer.m_bytes + 2 * std::size_t{std::max<std::uint32_t>(1, content.align)} + slackWindow;
    buffer.m_mappedBytes = (needed + granule - 1) / granule * granule;
    buffer.m_reservedBytes = buffer.m_mappedBytes + 2 * granule;
    result = api.addressReserve(&buffer.m_reserved, buffer.m_reservedBytes, 0, 0, 0);
    if (result != CUDA_SUCCESS) return failed("cuMemAddressReserve");
    result = api.memoryCreate(&buffer.m_memory, buffer.m_mappedBytes, &properties, 0);
    if (result != CUDA_SUCCESS) return failed("cuMemCreate");
    result = api.memoryMap(buffer.m_reserved + granule, buffer.m_mappedBytes, 0, buffer.m_memory, 0);
    if (result != CUDA_SUCCESS) return failed("cuMemMap");
    buffer.m_mapped = buffer.m_reserved + granule;
    result = setAccess(api, device, buffer.m_mapped, buffer.m_mappedBytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    if (result != CUDA_SUCCESS) return failed("cuMemSetAccess");
    buffer.m_payload = placeBelow(buffer.m_mapped + buffer.m_mappedBytes, buffer.m_bytes,
                                  std::max<std::uint32_t>(1, content.align), placement);
    result = api.setBytes(buffer.m_mapped, slackByte, buffer.m_mappedBytes);
    if (result == CUDA_SUCCESS && buffer.m_bytes > 0)
        result = api.copyToDevice(buffer.m_payload, content.bytes.data(), buffer.m_bytes);
    // Both may still be under way on the device: a page that becomes read-only under them would fault, and the kernel
    // runs on a stream that does not wait for theirs.
    if (result == CUDA_SUCCESS) result = api.contextSynchronize();
    if (result != CUDA_SUCCESS) return failed("cuMemcpyHtoD");
    return buffer;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : m_api(std::exchange(other.m_api, nullptr)), m_device(other.m_device), m_reserved(other.m_reserved),
      m_mapped(other.m_mapped), m_payload(other.m_payload), m_reservedBytes(other.m_reservedBytes),
      m_mappedBytes(other.m_mappedBytes), m_bytes(other.m_bytes), m_memory(other.m_memory) {}

GuardedBuffer::~GuardedBuffer() {
    release();
}

void GuardedBuffer::release() {
    if (!m_api) return;
    if (m_mapped) m_api->memoryUnmap(m_mapped, m_mappedBytes);
    if (m_memory) m_api->memoryRelease(m_memory);
    if (m_reserved) m_api->addressFree(m_reserved, m_reservedBytes);
    m_api = nullptr;
}

CUresult GuardedBuffer::protect() {
    return setAccess(*m_api, m_device, m_mapped, m_mappedBytes, CU_MEM_ACCESS_FLAGS_PROT_READ);
}

CUresult GuardedBuffer::read(std::vector<std::uint8_t>& content, std::optional<std::int64_t>& damage) const {
    const CUdeviceptr first = std::max(m_mapped, m_payload - std::min<CUdeviceptr>(slackWindow, m_payload - m_mapped));
    const CUdeviceptr end = m_mapped + m_mappedBytes;
    std::vector<std::uint8_t> all(end - first);
    if (const CUresult result = m_api->copyToHost(all.data(), first, all.size()); result != CUDA_SUCCESS) return result;
    const auto begin = static_cast<std::ptrdiff_t>(m_payload - first);
    const auto behind = begin + static_cast<std::ptrdiff_t>(m_bytes);
    content.assign(all.begin() + begin, all.begin() + behind);
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(all.size()) && !damage; ++i)
        if ((i < begin || i >= behind) && all[static_cast<std::size_t>(i)] != slackByte) damage = i - begin;
    return CUDA_SUCCESS;
}

} // namespace ptxwb::gpu
