#include "gpu/monitor.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace ptxwb::gpu {

namespace {

// NVML's stable C interface. Source: NVML API Reference; the library comes with the driver, its header with the
// toolkit's development package, which is often not installed.
using Handle = void*;
struct ProcessInfo {
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId, computeInstanceId;
};
constexpr int success = 0;
constexpr unsigned smClock = 1, memoryClock = 2, gpuTemperature = 0;
constexpr unsigned long long idle = 0x1, applicationClocks = 0x2;

struct Nvml {
    int (*init)() = nullptr;
    int (*byUuid)(const char*, Handle*) = nullptr;
    int (*clock)(Handle, unsigned, unsigned*) = nullptr;
    int (*temperature)(Handle, unsigned, unsigned*) = nullptr;
    int (*power)(Handle, unsigned*) = nullptr;
    int (*throttle)(Handle, unsigned long long*) = nullptr;
    int (*processes)(Handle, unsigned*, ProcessInfo*) = nullptr;
};

const Nvml* nvml() {
    static const std::optional<Nvml> opened = []() -> std::optional<Nvml> {
        void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) return std::nullopt;
        Nvml api;
        const auto find = [&](auto& member, const char* name) {
            member = reinterpret_cast<std::remove_reference_t<decltype(member)>>(dlsym(library, name));
            return member != nullptr;
        };
        if (!find(api.init, "nvmlInit_v2") || !find(api.byUuid, "nvmlDeviceGetHandleByUUID") ||
            !find(api.clock, "nvmlDeviceGetClockInfo") || !find(api.temperature, "nvmlDeviceGetTemperature") ||
            !find(api.power, "nvmlDeviceGetPowerUsage") ||
            !find(api.throttle, "nvmlDeviceGetCurrentClocksThrottleReasons") ||
            !find(api.processes, "nvmlDeviceGetComputeRunningProcesses_v3"))
            return std::nullopt;
        if (api.init() != success) return std::nullopt;
        return api;
    }();
    return opened ? &*opened : nullptr;
}

/// The program's name as the kernel keeps it; empty where it is not told.
std::string commandOf(unsigned pid) {
    std::ifstream file(fmt::format("/proc/{}/comm", pid));
    std::string name;
    std::getline(file, name);
    return name;
}

} // namespace

std::optional<Monitor> Monitor::open(const std::string& uuid) {
    Monitor monitor;
    if (!nvml() || nvml()->byUuid(uuid.c_str(), &monitor.m_device) != success) return std::nullopt;
    return monitor;
}

std::optional<DeviceState> Monitor::state() const {
    const Nvml& api = *nvml();
    DeviceState state;
    if (api.clock(m_device, smClock, &state.smClockMHz) != success) return std::nullopt;
    api.clock(m_device, memoryClock, &state.memoryClockMHz);
    api.temperature(m_device, gpuTemperature, &state.temperatureC);
    api.power(m_device, &state.powerMilliwatts);
    if (api.throttle(m_device, &state.throttleReasons) == success) state.throttleReasons &= ~(idle | applicationClocks);
    return state;
}

std::vector<std::string> Monitor::otherProcesses() const {
    std::array<ProcessInfo, 64> infos{};
    auto count = static_cast<unsigned>(infos.size());
    if (nvml()->processes(m_device, &count, infos.data()) != success) return {};
    std::vector<unsigned> listed;
    for (unsigned i = 0; i < count && i < infos.size(); ++i) listed.push_back(infos[i].pid);
    return othersAmong(listed, static_cast<unsigned>(::getpid()), commandOf);
}

std::vector<std::string> othersAmong(const std::vector<unsigned>& listed, unsigned self,
                                     const std::function<std::string(unsigned)>& nameOf) {
    if (std::ranges::find(listed, self) == listed.end()) return {};
    std::vector<std::string> others;
    for (const unsigned pid : listed) {
        if (pid == self) continue;
        const std::string name = nameOf(pid);
        if (name == "ptxwb") continue;
        others.push_back(name.empty() ? fmt::format("process {}", pid) : fmt::format("{} (process {})", name, pid));
    }
    return others;
}

std::string throttleText(unsigned long long reasons) {
    constexpr std::array<std::pair<unsigned long long, std::string_view>, 6> names{{{0x4, "power cap"},
                                                                                    {0x8, "hardware slowdown"},
                                                                                    {0x20, "thermal slowdown"},
                                                                                    {0x40, "hardware thermal slowdown"},
                                                                                    {0x80, "power brake"},
                                                                                    {0x10, "synchronised boost"}}};
    std::string text;
    for (const auto& [bit, name] : names)
        if (reasons & bit) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

Expected<DeviceLock> DeviceLock::take(const std::string& uuid, Use use, double seconds) {
    const std::string file = fmt::format("/tmp/ptxwb-{}.lock", uuid);
    // Everybody who uses the device must be able to open it, whoever came first.
    const int fd = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return failure(Cause::missing, fmt::format("the device's lock {} cannot be opened", file),
                       "remove it if it is another user's of long ago");
    ::fchmod(fd, 0666);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (::flock(fd, (use == Use::measures ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        if (std::chrono::steady_clock::now() > end) {
            ::close(fd);
            auto busy = failure(Cause::missing, fmt::format("others have used {} for {:.0f} s", uuid, seconds),
                                "try again when it is done");
            busy.error().kind = "device_busy";
            return busy;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return DeviceLock(fd);
}

DeviceLock::DeviceLock(DeviceLock&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}

DeviceLock::~DeviceLock() {
    if (m_fd >= 0) ::close(m_fd);
}

} // namespace ptxwb::gpu
