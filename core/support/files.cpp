#include "support/files.h"

#include "support/environment.h"
#include "support/unique_fd.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

std::unexpected<Diagnostic> fileFailure(const fs::path& path, std::string_view what, std::string_view why,
                                        std::string hint = {}) {
    auto result = failure(Cause::badRequest, fmt::format("{} {}: {}", what, path.string(), why), std::move(hint));
    result.error().place.file = path.string();
    return result;
}

/// The file that a chain of links ends at, which need not exist.
fs::path linkTarget(fs::path path) {
    std::error_code error;
    for (int links = 0; links < 16 && fs::is_symlink(path, error); ++links) {
        const auto target = fs::read_symlink(path, error);
        if (error) break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
}

} // namespace

Expected<std::string> readFile(const fs::path& path, std::uint64_t limit) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return fileFailure(path, "cannot read", std::strerror(errno));
    struct stat info{};
    if (::fstat(fd.get(), &info) != 0) return fileFailure(path, "cannot read", std::strerror(errno));
    if (S_ISDIR(info.st_mode)) return fileFailure(path, "cannot read", "it is a folder");
    const auto tooLarge = [&](std::uint64_t size) {
        return fileFailure(path, "cannot read",
                           fmt::format("{} is over the limit of {}", formatBytes(size), formatBytes(limit)));
    };
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (S_ISREG(info.st_mode) && size > limit) return tooLarge(size);
    std::string content;
    if (S_ISREG(info.st_mode)) content.reserve(size);
    std::array<char, 65536> buffer;
    while (true) {
        const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fileFailure(path, "cannot read", std::strerror(errno));
        if (count == 0) return content;
        content.append(buffer.data(), static_cast<std::size_t>(count));
        // A pipe or a growing file tells its size only by being read.
        if (content.size() > limit) return tooLarge(content.size());
    }
}

Expected<void> writeFileAtomically(const fs::path& requested, std::string_view content) {
    static std::atomic<unsigned> counter = 0;
    const auto path = linkTarget(requested);
    struct stat existing{};
    const bool exists = ::stat(path.c_str(), &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode))
        return fileFailure(requested, "cannot write",
                           S_ISDIR(existing.st_mode) ? "it is a folder" : "it is not a file");
    auto temporary = path;
    temporary += fmt::format(".{}.{}.tmp", ::getpid(), counter++);
    UniqueFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!fd) return fileFailure(requested, "cannot write", std::strerror(errno));
    const auto giveUp = [&](int reason) {
        ::unlink(temporary.c_str());
        return fileFailure(requested, "cannot write", std::strerror(reason), "The old content was left as it was.");
    };
    if (exists && ::fchmod(fd.get(), existing.st_mode & 07777) != 0) return giveUp(errno);
    while (!content.empty()) {
        const ssize_t count = ::write(fd.get(), content.data(), content.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return giveUp(errno);
        content.remove_prefix(static_cast<std::size_t>(count));
    }
    // Without it a crash of the machine may leave the new name with an empty file.
    if (::fsync(fd.get()) != 0 && errno != EINVAL) return giveUp(errno);
    fd.reset();
    if (std::rename(temporary.c_str(), path.c_str()) != 0) return giveUp(errno);
    return {};
}

std::string formatBytes(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} bytes", bytes);
    constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
    return fmt::format("{:.4g} {}", value, units[unit]);
}

Expected<TemporaryFolder> TemporaryFolder::create(std::string_view prefix) {
    const auto root = fs::path(environmentVariable("TMPDIR").value_or("/tmp"));
    auto pattern = (fs::absolute(root) / (std::string(prefix) + ".XXXXXX")).string();
    if (!::mkdtemp(pattern.data()))
        return failure(Cause::missing,
                       fmt::format("cannot make a temporary folder in {}: {}", root.string(), std::strerror(errno)),
                       "Point TMPDIR to a folder that exists, can be written to and has room.");
    return TemporaryFolder(fs::path(pattern));
}

TemporaryFolder::TemporaryFolder(fs::path path) : m_path(std::move(path)) {}
TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : m_path(std::move(other.m_path)) {
    other.m_path.clear();
}
TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
    if (this != &other) {
        remove();
        m_path = std::move(other.m_path);
        other.m_path.clear();
    }
    return *this;
}
TemporaryFolder::~TemporaryFolder() {
    remove();
}

void TemporaryFolder::remove() {
    std::error_code error; // a file left behind in a temporary folder is no reason to fail
    if (!m_path.empty()) fs::remove_all(m_path, error);
    m_path.clear();
}

} // namespace ptxwb
