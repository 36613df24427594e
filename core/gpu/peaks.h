// What a device reaches at most: bandwidth of its memory and operations a second, each measured.
// Called by verify, once for a device; kept in the user's cache.
#pragma once

#include "gpu/gpu.h"

#include <map>

namespace ptxwb::gpu {

struct Peaks {
    double bytesPerSecond = 0; ///< reading
    /// A multiply-add counts as two. By "f32", "f64", "f16x2", "s32", "dp4a", and of the tensor cores "mma.f16" (bf16
    /// too), "mma.tf32", "mma.s8", "mma.f8", "mma.f64", "wgmma.f16" and so on. Sparse forms are not among them.
    std::map<std::string, double> operationsPerSecond;
};

/// About a second. Errors: no memory (missing), what the driver says.
Expected<Peaks> measurePeaks(Gpu& gpu, std::stop_token stop);

} // namespace ptxwb::gpu
