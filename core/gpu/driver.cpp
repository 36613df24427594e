#include "gpu/driver_api.h"

#include "support/files.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

// Through the header's own macros: PTXWB_SYMBOL(cuCtxCreate) is "cuCtxCreate_v4" where the types are those of _v4.
#define PTXWB_TEXT(name) #name
#define PTXWB_SYMBOL(name) PTXWB_TEXT(name)

std::unexpected<Diagnostic> noDriver() {
    const bool loaded = readFile("/proc/driver/nvidia/version").has_value();
    return failure(Cause::missing,
                   loaded ? "an NVIDIA driver is loaded, but its library libcuda.so.1 was not found"
                          : "there is no NVIDIA driver on this machine (libcuda.so.1 was not found)",
                   loaded ? "install the driver's user part (libcuda1, or the container's --gpus option)"
                          : "use a machine with an NVIDIA GPU, or --backend emulator");
}

std::string_view whatToDo(CUresult result) {
    switch (result) {
    case CUDA_ERROR_NO_DEVICE: return "check nvidia-smi, and that CUDA_VISIBLE_DEVICES hides no device";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
        return "the driver's library and kernel module are of different versions: restart the machine or mend the "
               "installation";
    case CUDA_ERROR_SYSTEM_NOT_READY: return "start nvidia-fabricmanager, which this machine's GPUs need";
    case CUDA_ERROR_NOT_PERMITTED:
    case CUDA_ERROR_OPERATING_SYSTEM: return "check that you may open /dev/nvidia*";
    default: return "see nvidia-smi";
    }
}

Expected<DriverApi> openDriver() {
    // Never closed: the driver's threads outlive every use of it.
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return noDriver();
    DriverApi api;
    std::string missing;
#define PTXWB_DRIVER(member, function)                                                                                 \
    api.member = reinterpret_cast<decltype(api.member)>(dlsym(library, PTXWB_SYMBOL(function)));                       \
    if (!api.member && missing.empty()) missing = PTXWB_SYMBOL(function);
#include "gpu/driver_functions.def"
#undef PTXWB_DRIVER
    if (api.driverVersion) api.driverVersion(&api.version);
    if (!missing.empty())
        return failure(
            Cause::missing,
            fmt::format("the NVIDIA driver (CUDA {}.{}) is older than this program needs: it has no {}",
                        api.version / 1000, api.version % 1000 / 10, missing),
            fmt::format("install a driver for CUDA {}.{} or newer", CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10));
    if (const CUresult result = api.init(0); result != CUDA_SUCCESS)
        return failure(Cause::missing, describe(api, result, "cuInit"), std::string(whatToDo(result)));
    return api;
}

} // namespace

Expected<const DriverApi*> driver() {
    static const Expected<DriverApi> opened = openDriver();
    if (!opened) return std::unexpected(opened.error());
    return &*opened;
}

std::string describe(const DriverApi& api, CUresult result, std::string_view call) {
    const char *name = nullptr, *text = nullptr;
    if (api.errorName) api.errorName(result, &name);
    if (api.errorString) api.errorString(result, &text);
    return fmt::format("{}: {} ({}): {}", call, name ? name : "unknown error", static_cast<int>(result),
                       text ? text : "no description");
}

bool isSticky(CUresult result) {
    switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_UNKNOWN: return true;
    default: return false;
    }
}

} // namespace ptxwb::gpu
