// Durations of kernels by CUPTI's activity records, of the serialised kind: CONCURRENT_KERNEL instruments the kernel.
// Used inside core/gpu by the benchmark. libcupti is opened at run time by its path.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ptxwb::gpu {

struct KernelRecord {
    std::uint32_t correlation = 0;    ///< grows with each call of the driver
    std::uint64_t start = 0, end = 0; ///< nanoseconds; both 0 where the device gave no time
};

class Activity {
public:
    /// Enables the records for this process; before a context is made. Errors (Cause::missing): no such library,
    /// another tool (a profiler, compute-sanitizer) that records already, missing permission.
    static Expected<Activity> enable(const std::filesystem::path& library);

    /// The records since the last call, in the order of launching; synchronise first. `dropped`: records that had no
    /// room.
    std::vector<KernelRecord> take(std::size_t* dropped = nullptr);

    std::uint32_t version() const { return m_version; } ///< CUPTI_API_VERSION of the library: 130001

private:
    std::uint32_t m_version = 0;
};

} // namespace ptxwb::gpu
