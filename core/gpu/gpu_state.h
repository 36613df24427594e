// What a Gpu holds, for the parts of core/gpu that call the driver.
#pragma once

#include "gpu/activity.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"

#include <atomic>

namespace ptxwb::gpu {

struct Gpu::State {
    const DriverApi* api = nullptr;
    CUdevice handle = 0;
    CUcontext context = nullptr;
    CUstream stream = nullptr;
    Device device;
    std::optional<Activity> activity;
    std::string timingNote;
    std::filesystem::path cupti;
    std::atomic<bool> lost = false; ///< the kernels ask it when they end
};

struct Kernel::State {
    Gpu::State* gpu = nullptr;
    CUmodule module = nullptr;
    bool ownsModule = true;
    CUfunction function = nullptr;
    FunctionInfo info;
    std::string entry;
};

/// The way from a Kernel to its state, for files of this folder.
struct Native {
    static Kernel::State& of(const Kernel& kernel) { return *kernel.m_state; }
};

/// The attributes of one launch: they live as long as the configuration is used.
struct LaunchConfig {
    CUlaunchConfig config{};
    std::array<CUlaunchAttribute, 2> attributes{};
};

/// Fills `to`; sets the function's limits where the launch needs them (dynamic shared memory over 48 KiB, clusters over
/// 8). Errors: what the function refuses.
CUresult configure(const Kernel& kernel, const LaunchTarget& request, LaunchConfig& to);

/// Writes the target's tensor maps into the parameter block; `addresses`: of the buffers that they are of, in the same
/// order. Errors: what the driver refuses.
CUresult encodeTensorMaps(const Gpu::State& gpu, const LaunchTarget& target, const std::vector<CUdeviceptr>& addresses,
                          std::vector<std::uint8_t>& parameters);

/// Launches on the GPU's stream with `parameters`, which lie at the target's offsets. One by one: where a parameter is
/// aligned to more than 16 bytes, as a tensor map is, the driver's block begins elsewhere than at the first of them.
CUresult launchWith(Gpu::State& gpu, const Kernel& kernel, LaunchConfig& config, const LaunchTarget& target,
                    std::vector<std::uint8_t>& parameters);

} // namespace ptxwb::gpu
