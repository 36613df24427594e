// The one GPU context of a worker: made when it is first wanted, kept for the jobs that follow.
// Part of the worker's Machine.
#pragma once

#include "gpu/gpu.h"

#include <mutex>

namespace ptxwb::verify {

class GpuHolder {
public:
    /// `cupti`: libcupti beside the toolkit, may be empty. Errors as gpu::Gpu::open. The answer lives as long as the
    /// holder; another device than the last replaces it. CUPTI serves one purpose in a
    /// process: asking for the other is an error.
    Expected<gpu::Gpu*> open(int device, const std::filesystem::path& cupti,
                             gpu::Gpu::Purpose purpose = gpu::Gpu::Purpose::timing);
    /// A kernel has taken the context down: this process can do nothing more on a GPU, and should end.
    bool isLost() const;

private:
    mutable std::mutex m_mutex;
    std::unique_ptr<gpu::Gpu> m_gpu;
    gpu::Gpu::Purpose m_purpose = gpu::Gpu::Purpose::timing;
};

} // namespace ptxwb::verify
