// Device memory of exactly a buffer's size: unmapped pages in front of and behind its own, a pattern in the slack.
// Used inside core/gpu for each buffer of a checked launch. A stray access behind the end faults at once; a stray write
// into the slack shows in the pattern.
#pragma once

#include "gpu/gpu_state.h"

namespace ptxwb::gpu {

class GuardedBuffer {
public:
    /// Maps, fills and uploads. Errors (missing): no memory.
    static Expected<GuardedBuffer> make(const DriverApi& api, CUdevice device, const BufferIn& content,
                                        Placement placement);
    GuardedBuffer(GuardedBuffer&& other) noexcept;
    GuardedBuffer& operator=(GuardedBuffer&&) = delete;
    ~GuardedBuffer();

    CUdeviceptr address() const { return m_payload; }
    /// From now on a store into it faults.
    CUresult protect();
    /// Content and slack after a launch. `damage`: offset of the first changed byte of the slack from the payload.
    CUresult read(std::vector<std::uint8_t>& content, std::optional<std::int64_t>& damage) const;
    /// The context is gone, and everything with it: nothing is to be freed.
    void abandon() { m_api = nullptr; }

private:
    GuardedBuffer() = default;
    void release();

    const DriverApi* m_api = nullptr;
    CUdevice m_device = 0;
    CUdeviceptr m_reserved = 0, m_mapped = 0, m_payload = 0;
    std::size_t m_reservedBytes = 0, m_mappedBytes = 0, m_bytes = 0;
    CUmemGenericAllocationHandle m_memory = 0;
};

} // namespace ptxwb::gpu
