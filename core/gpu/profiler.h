// Hardware counters of one launch, by CUPTI's range profiler: each kernel is replayed as often as the metrics need.
// Called by verify's profile job, in a worker that measures no time: records and counters do not mix.
#pragma once

#include "gpu/benchmark.h"

namespace ptxwb::gpu {

struct Metric {
    std::string name; ///< as Nsight Compute spells it
    double value = 0;
};

struct ProfileResult {
    /// Of each launch that is not empty, in the order that was asked for.
    std::vector<std::vector<Metric>> launches;
    std::vector<std::string> unknown; ///< names that this chip does not have
    std::size_t passes = 0;
};

/// A set that explains kernels: throughput of SMs and memory in percent of their peaks, occupancy, hit rates, sectors a
/// request, bank conflicts, tensor pipe, instructions, and why warps wait.
const std::vector<std::string>& defaultMetrics();

/// The launches of `subject` over `buffers`, each measured by itself. Errors (missing): no CUPTI or no libnvperf_host,
/// a GPU or configuration that is not profiled (MIG, vGPU, confidential computing), missing permission with the way to
/// get it.
Expected<ProfileResult> profile(Gpu& gpu, const BenchSubject& subject, const std::vector<BenchBuffer>& buffers,
                                const std::vector<std::string>& metrics, std::stop_token stop);

} // namespace ptxwb::gpu
