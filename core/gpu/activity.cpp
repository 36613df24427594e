#include "gpu/activity.h"

#include <algorithm>
#include <cstdlib>
#include <cupti.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <mutex>

namespace ptxwb::gpu {

namespace {

constexpr std::size_t bufferBytes = std::size_t{4} << 20, bufferAlign = 8;

struct CuptiApi {
    decltype(&::cuptiGetVersion) version = nullptr;
    decltype(&::cuptiGetResultString) resultString = nullptr;
    decltype(&::cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityFlushAll) flushAll = nullptr;
    decltype(&::cuptiActivityGetNextRecord) nextRecord = nullptr;
    decltype(&::cuptiActivityGetNumDroppedRecords) dropped = nullptr;
};

CuptiApi api;
std::mutex recordsMutex; ///< CUPTI calls back on a thread of its own
std::vector<KernelRecord> records;

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(bufferAlign, bufferBytes));
    *size = *buffer ? bufferBytes : 0;
    *maxRecords = 0; // as many as fit
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    CUpti_Activity* record = nullptr;
    const std::scoped_lock lock(recordsMutex);
    while (valid > 0 && api.nextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind != CUPTI_ACTIVITY_KIND_KERNEL) continue;
        // The layout of this header; a newer library adds fields behind.
        const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
        records.push_back({kernel->correlationId, kernel->start, kernel->end});
    }
    std::free(buffer);
}

std::string describe(CUptiResult result, std::string_view call) {
    const char* text = nullptr;
    if (api.resultString) api.resultString(result, &text);
    return fmt::format("{}: {} ({})", call, text ? text : "unknown error", static_cast<int>(result));
}

std::unexpected<Diagnostic> refused(CUptiResult result, std::string_view call) {
    std::string hint = "durations come from events";
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        hint = "another tool (a profiler, compute-sanitizer) has taken CUPTI in this process; " + hint;
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        hint = "the driver keeps this for administrators (NVreg_RestrictProfilingToAdminUsers); " + hint;
    return failure(Cause::missing, describe(result, call), hint);
}

} // namespace

Expected<Activity> Activity::enable(const std::filesystem::path& library) {
    if (library.empty())
        return failure(Cause::missing, "no CUPTI was found beside a CUDA toolkit",
                       "install the toolkit's cuda-cupti package; until then durations come from events");
    void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return failure(Cause::missing, fmt::format("{} cannot be opened: {}", library.string(), dlerror()),
                       "durations come from events");
    const auto find = [&](auto& member, const char* name) {
        member = reinterpret_cast<std::remove_reference_t<decltype(member)>>(dlsym(opened, name));
        return member != nullptr;
    };
    if (!find(api.version, "cuptiGetVersion") || !find(api.resultString, "cuptiGetResultString") ||
        !find(api.registerCallbacks, "cuptiActivityRegisterCallbacks") || !find(api.enable, "cuptiActivityEnable") ||
        !find(api.flushAll, "cuptiActivityFlushAll") || !find(api.nextRecord, "cuptiActivityGetNextRecord") ||
        !find(api.dropped, "cuptiActivityGetNumDroppedRecords"))
        return failure(Cause::missing, fmt::format("{} is no CUPTI that this program knows", library.string()),
                       "durations come from events");
    Activity activity;
    if (const CUptiResult result = api.version(&activity.m_version); result != CUPTI_SUCCESS)
        return refused(result, "cuptiGetVersion");
    // The record's layout is that of the header's version: an older library would be read past its end.
    if (activity.m_version < CUPTI_API_VERSION)
        return failure(Cause::missing,
                       fmt::format("CUPTI {} is older than this program was built for ({})", activity.m_version,
                                   CUPTI_API_VERSION),
                       "durations come from events; install the toolkit that this program was built with");
    if (const CUptiResult result = api.registerCallbacks(giveBuffer, takeBuffer); result != CUPTI_SUCCESS)
        return refused(result, "cuptiActivityRegisterCallbacks");
    if (const CUptiResult result = api.enable(CUPTI_ACTIVITY_KIND_KERNEL); result != CUPTI_SUCCESS)
        return refused(result, "cuptiActivityEnable(KERNEL)");
    return activity;
}

std::vector<KernelRecord> Activity::take(std::size_t* dropped) {
    api.flushAll(0);
    if (dropped && api.dropped(nullptr, 0, dropped) != CUPTI_SUCCESS) *dropped = 0;
    std::vector<KernelRecord> taken;
    {
        const std::scoped_lock lock(recordsMutex);
        taken.swap(records);
    }
    std::ranges::sort(taken, {}, &KernelRecord::correlation);
    return taken;
}

} // namespace ptxwb::gpu
