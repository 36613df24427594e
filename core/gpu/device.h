// The GPUs of this machine as the driver describes them.
// Called by the worker's hello, `ptxwb doctor`, and by whoever chooses a device.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::gpu {

struct Device {
    int ordinal = 0;
    std::string name; ///< "NVIDIA H200"
    std::string uuid; ///< "GPU-8a56a4bc-..."
    std::string pciBusId;
    int major = 0, minor = 0; ///< compute capability
    int smCount = 0;
    int warpSize = 32;
    int maxThreadsPerSm = 0, maxThreadsPerBlock = 0, maxBlocksPerSm = 0;
    int registersPerSm = 0;
    int sharedPerSm = 0, sharedPerBlock = 0, sharedPerBlockOptIn = 0, sharedReserved = 0; ///< bytes
    std::uint64_t memoryBytes = 0, l2Bytes = 0;
    int clockKHz = 0, memoryClockKHz = 0, memoryBusBits = 0;
    bool cooperativeLaunch = false, clusterLaunch = false, pageableMemoryAccess = false;
    bool isMig = false;    ///< a part of a GPU: other parts share its memory bandwidth
    int driverVersion = 0; ///< CUDA version that the driver serves: 13000 for 13.0

    std::string arch() const; ///< "sm_90"
    /// By clock and width of the memory, both edges of the clock; 0 where the driver does not tell.
    double peakBytesPerSecond() const { return 2e3 * memoryClockKHz * memoryBusBits / 8; }
};

/// Errors (Cause::missing): no driver, no device, or this program was built without the toolkit's headers; each says
/// what to do.
Expected<std::vector<Device>> devices();

/// "580.159.04" of the loaded kernel module; empty where there is none.
std::string driverRelease();

/// Whether counters need more rights than this process has, as the driver's parameters tell. Empty: they may be used,
/// or nothing tells. Otherwise the reason and the fix.
std::string counterRestriction();

} // namespace ptxwb::gpu
