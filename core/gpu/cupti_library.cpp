#include "gpu/cupti_library.h"

#include "gpu/device.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace ptxwb::gpu {

Expected<CuptiLibrary> CuptiLibrary::open(const std::filesystem::path& file) {
    if (file.empty())
        return failure(Cause::missing, "no CUPTI was found beside a CUDA toolkit",
                       "install the toolkit's package cuda-cupti");
    void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return failure(Cause::missing, fmt::format("{} cannot be opened: {}", file.string(), dlerror()),
                       "libnvperf_host.so must lie beside it");
    CuptiLibrary library(opened, file.string());
    library.find(library.m_resultString, "cuptiGetResultString");
    return library;
}

void* CuptiLibrary::symbol(const char* name) const {
    return dlsym(m_opened, name);
}

Expected<void> CuptiLibrary::complete() const {
    if (m_missing.empty()) return {};
    return failure(Cause::missing, fmt::format("{} has no {}", m_file, m_missing),
                   "install the CUPTI of CUDA 13.0 or newer");
}

Expected<void> CuptiLibrary::check(CUptiResult result, std::string_view call) const {
    if (result == CUPTI_SUCCESS) return {};
    const char* text = nullptr;
    m_resultString(result, &text);
    std::string hint = "see the CUPTI documentation of this call";
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        hint = counterRestriction().empty()
                   ? "load the driver's module with NVreg_RestrictProfilingToAdminUsers=0, or give the worker "
                     "CAP_SYS_ADMIN"
                   : counterRestriction();
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        hint = "another profiler or compute-sanitizer has taken CUPTI in this process";
    return failure(Cause::missing,
                   fmt::format("{}: {} ({})", call, text ? text : "unknown error", static_cast<int>(result)), hint);
}

} // namespace ptxwb::gpu
