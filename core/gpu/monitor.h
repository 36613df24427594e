// Clocks, temperature, throttling and other processes of a GPU, from NVML opened at run time.
// Used by the benchmark: a sample under throttling does not count, and a device in use measures nothing.
#pragma once

#include "support/diagnostic.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::gpu {

struct DeviceState {
    unsigned smClockMHz = 0, memoryClockMHz = 0, temperatureC = 0, powerMilliwatts = 0;
    unsigned long long throttleReasons = 0; ///< NVML's bits, without idle and application clocks
};

class Monitor {
public:
    /// `uuid` as Device::uuid. Nothing where NVML is not there or does not know the device.
    static std::optional<Monitor> open(const std::string& uuid);
    std::optional<DeviceState> state() const;
    /// Who else computes on the device, as "python3 (process 439)". Our own workers are left out: they keep to the
    /// device's lock.
    std::vector<std::string> otherProcesses() const;

private:
    void* m_device = nullptr;
};

/// Of the processes that NVML lists: all but `self` and those that `nameOf` calls "ptxwb". None where `self` is not in
/// the list: then the numbers are of another container, and nobody can be told from ourselves.
std::vector<std::string> othersAmong(const std::vector<unsigned>& listed, unsigned self,
                                     const std::function<std::string(unsigned)>& nameOf);

/// "power cap, thermal slowdown" of NVML's bits; empty for none.
std::string throttleText(unsigned long long reasons);

/// Across processes and users: who measures is alone on a device, who only launches may be one of many. Held as long as
/// it lives.
class DeviceLock {
public:
    enum class Use : std::uint8_t { launches, measures };
    /// Waits at most `seconds`. Errors (Cause::missing, kind "device_busy"): somebody else measures, or launches.
    static Expected<DeviceLock> take(const std::string& uuid, Use use, double seconds);
    DeviceLock(DeviceLock&& other) noexcept;
    DeviceLock& operator=(DeviceLock&&) = delete;
    ~DeviceLock();

private:
    explicit DeviceLock(int fd) : m_fd(fd) {}
    int m_fd = -1;
};

} // namespace ptxwb::gpu
