#include "verify/gpu_holder.h"

namespace ptxwb::verify {

Expected<gpu::Gpu*> GpuHolder::open(int device, const std::filesystem::path& cupti, gpu::Gpu::Purpose purpose) {
    const std::scoped_lock lock(m_mutex);
    if (m_gpu && m_purpose != purpose)
        return failure(Cause::missing, "this worker uses CUPTI for the other of time and counters",
                       "start another worker for it");
    if (m_gpu && (m_gpu->isLost() || m_gpu->device().ordinal == device)) return m_gpu.get();
    m_gpu.reset();
    auto opened = gpu::Gpu::open({device, cupti, purpose});
    if (!opened) return std::unexpected(std::move(opened.error()));
    m_gpu = std::move(*opened);
    m_purpose = purpose;
    return m_gpu.get();
}

bool GpuHolder::isLost() const {
    const std::scoped_lock lock(m_mutex);
    return m_gpu && m_gpu->isLost();
}

} // namespace ptxwb::verify
