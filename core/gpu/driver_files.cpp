// What the loaded kernel module says of itself, without libcuda.
#include "gpu/device.h"

#include "support/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace ptxwb::gpu {

std::string Device::arch() const {
    return fmt::format("sm_{}{}", major, minor);
}

/// The version in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159  ...".
std::string driverRelease() {
    const auto text = readFile("/proc/driver/nvidia/version");
    if (!text) return {};
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 1; i < text->size(); ++i) {
        if (!digit((*text)[i]) || (*text)[i - 1] != ' ') continue;
        const auto end = std::find_if_not(text->begin() + static_cast<std::ptrdiff_t>(i), text->end(),
                                          [&](char c) { return digit(c) || c == '.'; });
        const std::string word(text->begin() + static_cast<std::ptrdiff_t>(i), end);
        if (word.find('.') != std::string::npos) return word;
    }
    return {};
}

std::string counterRestriction() {
    const auto text = readFile("/proc/driver/nvidia/params");
    if (!text || text->find("RmProfilingAdminOnly: 1") == std::string::npos || ::geteuid() == 0) return {};
    return "the driver keeps hardware counters for administrators (RmProfilingAdminOnly: 1); load its module with "
           "NVreg_RestrictProfilingToAdminUsers=0, or give the worker CAP_SYS_ADMIN";
}

} // namespace ptxwb::gpu
