// Kernels that do nothing but one kind of arithmetic, as much as the hardware can: what a device's peak rates are
// measured with. Used by peaks.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::gpu {

/// Entry "peak(.param .u32 loops, .param .u64 out)"; nothing is stored.
struct PeakKernel {
    std::string rate; ///< as Peaks::operationsPerSecond names it: "f32", "mma.f16", "wgmma.s8"
    std::string ptx;
    double operations = 0; ///< of one thread in one loop; a multiply-add counts as two
    std::uint32_t block = 256;
};

/// Those that a device of compute capability `major`.`minor` has the instructions for.
std::vector<PeakKernel> peakKernels(int major, int minor);

/// Entry "peak(.param .u64 data)": each thread loads `bandwidthBytesPerThread` bytes, once.
std::string bandwidthPtx();
constexpr std::uint32_t bandwidthBytesPerThread = 128, bandwidthBlock = 256;

} // namespace ptxwb::gpu
