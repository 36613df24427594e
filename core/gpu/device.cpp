#include "gpu/device.h"

#include "gpu/driver_api.h"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

std::string uuidText(const CUuuid& uuid) {
    std::array<unsigned char, 16> b{};
    std::memcpy(b.data(), uuid.bytes, b.size());
    return fmt::format(
        "GPU-{:02x}{:02x}{:02x}{:02x}-{:02x}{:02x}-{:02x}{:02x}-{:02x}{:02x}-{:02x}{:02x}{:02x}{:02x}{:02x}{:02x}",
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

Device describeDevice(const DriverApi& api, int ordinal, CUdevice handle) {
    const auto attribute = [&](CUdevice_attribute which) {
        int value = 0;
        return api.deviceAttribute(&value, which, handle) == CUDA_SUCCESS ? value : 0;
    };
    Device device;
    device.ordinal = ordinal;
    std::array<char, 256> text{};
    if (api.deviceName(text.data(), static_cast<int>(text.size()), handle) == CUDA_SUCCESS) device.name = text.data();
    CUuuid uuid{};
    if (api.deviceUuid(&uuid, handle) == CUDA_SUCCESS) device.uuid = uuidText(uuid);
    if (api.devicePciBusId(text.data(), static_cast<int>(text.size()), handle) == CUDA_SUCCESS)
        device.pciBusId = text.data();
    std::size_t bytes = 0;
    if (api.deviceTotalMemory(&bytes, handle) == CUDA_SUCCESS) device.memoryBytes = bytes;
    device.major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    device.minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    device.smCount = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    device.warpSize = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    device.maxThreadsPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    device.maxThreadsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    device.maxBlocksPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    device.registersPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    device.sharedPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    device.sharedPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    device.sharedPerBlockOptIn = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    device.sharedReserved = attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    device.l2Bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    device.clockKHz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    device.memoryClockKHz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    device.memoryBusBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    device.cooperativeLaunch = attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0;
    device.clusterLaunch = attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0;
    device.pageableMemoryAccess = attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0;
    device.isMig = device.name.find(" MIG ") != std::string::npos;
    device.driverVersion = api.version;
    return device;
}

} // namespace

Expected<std::vector<Device>> devices() {
    const auto api = driver();
    if (!api) return std::unexpected(api.error());
    int count = 0;
    if (const CUresult result = (*api)->deviceCount(&count); result != CUDA_SUCCESS)
        return failure(Cause::missing, describe(**api, result, "cuDeviceGetCount"), "see nvidia-smi");
    std::vector<Device> found;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        CUdevice handle = 0;
        if ((*api)->deviceGet(&handle, ordinal) == CUDA_SUCCESS)
            found.push_back(describeDevice(**api, ordinal, handle));
    }
    if (found.empty())
        return failure(Cause::missing, "the NVIDIA driver names no GPU",
                       "check nvidia-smi, and that CUDA_VISIBLE_DEVICES hides no device");
    return found;
}

} // namespace ptxwb::gpu
