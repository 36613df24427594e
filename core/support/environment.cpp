#include "support/environment.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ranges>
#include <unistd.h>

namespace ptxwb {

namespace {

constexpr std::array<std::string_view, 8> removed = {
    "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",  "NVCC_CCBIN",   "CPATH",
    "C_INCLUDE_PATH",     "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX"};

std::string_view nameOf(std::string_view entry) {
    return entry.substr(0, entry.find('='));
}

bool isExecutableFile(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

std::optional<std::string> environmentVariable(std::string_view name) {
    const char* value = std::getenv(std::string(name).c_str());
    if (!value || !*value) return std::nullopt;
    return std::string(value);
}

std::vector<std::string> scrubbedEnvironment() {
    std::vector<std::string> environment;
    for (char** entry = environ; entry && *entry; ++entry)
        if (std::ranges::find(removed, nameOf(*entry)) == removed.end()) environment.emplace_back(*entry);
    return environment;
}

void setVariable(std::vector<std::string>& environment, std::string_view name, std::string_view value) {
    std::erase_if(environment, [name](const std::string& entry) { return nameOf(entry) == name; });
    environment.push_back(std::string(name) + "=" + std::string(value));
}

std::optional<std::filesystem::path> findProgram(std::string_view program, std::string_view path) {
    std::error_code error;
    if (program.empty()) return std::nullopt;
    if (program.find('/') != std::string_view::npos) {
        if (!isExecutableFile(program)) return std::nullopt;
        return std::filesystem::absolute(program, error);
    }
    for (const auto part : std::views::split(path, ':')) {
        const std::string_view folder(part.begin(), part.end());
        // An empty element means the current folder: a program found there would run by accident.
        if (folder.empty()) continue;
        const auto candidate = std::filesystem::path(folder) / program;
        if (isExecutableFile(candidate)) return std::filesystem::absolute(candidate, error);
    }
    return std::nullopt;
}

} // namespace ptxwb
