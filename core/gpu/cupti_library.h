// CUPTI opened at run time by its path, and its refusals in words.
// Used inside core/gpu by the range profiler and the PC sampler.
#pragma once

#include "support/diagnostic.h"

#include <cupti_result.h>
#include <filesystem>

namespace ptxwb::gpu {

class CuptiLibrary {
public:
    /// Errors (Cause::missing): none was found, or it cannot be loaded (libnvperf_host.so must lie beside it).
    static Expected<CuptiLibrary> open(const std::filesystem::path& file);

    /// Sets `member` to the function; remembers the name of one that is not there.
    template <typename Function>
    void find(Function*& member, const char* name) {
        member = reinterpret_cast<Function*>(symbol(name));
        if (!member) m_missing = name;
    }
    /// Error (Cause::missing): a function was not found.
    Expected<void> complete() const;

    /// Error (Cause::missing) with the way out where there is one: permission, another profiler.
    Expected<void> check(CUptiResult result, std::string_view call) const;

private:
    CuptiLibrary(void* opened, std::string file) : m_opened(opened), m_file(std::move(file)) {}
    void* symbol(const char* name) const;

    void* m_opened;
    std::string m_file, m_missing;
    decltype(&cuptiGetResultString) m_resultString = nullptr;
};

} // namespace ptxwb::gpu
