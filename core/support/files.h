// Whole files in and out, with limits and without half-written results; temporary folders that clean up.
// Called by everything that touches the file system.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ptxwb {

constexpr std::uint64_t largestFile = std::uint64_t{1} << 30;

/// The bytes of `path` as they are. Missing, unreadable, a folder, or over `limit` bytes: `Cause::badRequest` with the
/// path and, where it is too large, both sizes.
Expected<std::string> readFile(const std::filesystem::path& path, std::uint64_t limit = largestFile);

/// Writes beside `path` and renames, so that a reader sees the old content or the new one. Keeps the permissions of an
/// existing file and writes through a symbolic link to its target.
Expected<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content);

/// "1.5 GiB", "12 KiB", "17 bytes"
std::string formatBytes(std::uint64_t bytes);

/// A new folder with mode 0700 under TMPDIR (else /tmp), removed with all it holds at the end of its life.
class TemporaryFolder {
public:
    static Expected<TemporaryFolder> create(std::string_view prefix = "ptxwb");
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
    ~TemporaryFolder();

    const std::filesystem::path& path() const { return m_path; }

private:
    explicit TemporaryFolder(std::filesystem::path path);
    void remove();
    std::filesystem::path m_path;
};

} // namespace ptxwb
