#include "bundle/archive.h"

#include "support/files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace ptxwb::bundle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t block = 512, nameBytes = 100, prefixBytes = 155, longestPath = 240, mostFiles = 10'000;
constexpr std::string_view bundleEnd = "the end of the archive";

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    return result;
}

bool isUtf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const int more = lead < 0x80                   ? 0
                         : lead >= 0xc2 && lead < 0xe0 ? 1
                         : lead >= 0xe0 && lead < 0xf0 ? 2
                         : lead >= 0xf0 && lead < 0xf5 ? 3
                                                       : -1;
        if (more < 0 || i + static_cast<std::size_t>(more) >= text.size() + (more == 0)) return false;
        for (int k = 1; k <= more; ++k)
            if ((static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0xc0) != 0x80) return false;
        i += static_cast<std::size_t>(more) + 1;
    }
    return true;
}

/// Where a path is cut into the header's two fields; npos where it does not fit.
std::size_t prefixEnd(std::string_view path) {
    if (path.size() <= nameBytes) return 0;
    const std::size_t slash = path.find('/', path.size() - nameBytes - 1);
    return slash == std::string_view::npos || slash > prefixBytes ? std::string_view::npos : slash;
}

/// The one header that this program writes for a file.
std::array<char, block> headerOf(std::string_view path, std::size_t size) {
    std::array<char, block> header{};
    const auto put = [&](std::size_t at, std::string_view text) {
        std::memcpy(header.data() + at, text.data(), text.size());
    };
    const std::size_t cut = prefixEnd(path);
    put(0, cut == 0 ? path : path.substr(cut + 1));
    if (cut != 0) put(345, path.substr(0, cut));
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, fmt::format("{:011o}", size));
    put(136, "00000000000");
    put(148, "        "); // counted as blanks
    put(156, "0");
    put(257, "ustar");
    put(263, "00");
    put(329, "0000000");
    put(337, "0000000");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put(148, fmt::format("{:06o}", sum));
    header[154] = '\0';
    return header;
}

std::string_view field(std::string_view header, std::size_t at, std::size_t size) {
    const std::string_view whole = header.substr(at, size);
    return whole.substr(0, std::min(whole.find('\0'), size));
}

std::unexpected<Diagnostic> refuse(const std::string& file, std::string message, std::string hint = {}) {
    auto error = failure(Cause::rejected, std::move(message), std::move(hint));
    error.error().place.file = file;
    error.error().kind = "bundle";
    return error;
}

std::string_view kindOf(char type) {
    switch (type) {
    case '1': return "a hard link";
    case '2': return "a symbolic link";
    case '3':
    case '4': return "a device";
    case '5': return "a folder of its own";
    case '6': return "a pipe";
    default: return "no plain file";
    }
}

/// For messages: what is no printable ASCII as \xNN, cut after 100 bytes.
std::string shown(std::string_view path) {
    std::string text;
    for (const char c : path.substr(0, 100)) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return path.size() > 100 ? text + "..." : text;
}

std::string doubledPath(const Entries& sorted) {
    std::set<std::string> seen;
    for (const Entry& entry : sorted)
        if (!seen.insert(lower(entry.path)).second) return entry.path;
    return {};
}

class ArchiveReader {
public:
    ArchiveReader(std::string_view bytes, const std::string& file) : m_bytes(bytes), m_file(file) {}

    Expected<Entries> run() {
        Entries entries;
        for (;;) {
            if (m_at + block > m_bytes.size()) return refuse(m_file, ended(entries));
            const std::string_view header = m_bytes.substr(m_at, block);
            if (header.find_first_not_of('\0') == std::string_view::npos) break;
            auto entry = one(header, entries);
            if (!entry) return std::unexpected(std::move(entry.error()));
            if (!entries.empty() && entry->path <= entries.back().path)
                return refuse(m_file, fmt::format("{} does not stand in its order behind {}", shown(entry->path),
                                                  shown(entries.back().path)));
            if (entries.size() >= mostFiles)
                return refuse(m_file, fmt::format("it holds more than {} files", mostFiles));
            entries.push_back(std::move(*entry));
        }
        if (m_bytes.size() != m_at + 2 * block ||
            m_bytes.substr(m_at).find_first_not_of('\0') != std::string_view::npos)
            return refuse(m_file,
                          fmt::format("byte {} and what follows is not {}: something was added or changed there", m_at,
                                      bundleEnd));
        if (const std::string twice = doubledPath(entries); !twice.empty())
            return refuse(m_file, fmt::format("{} is there twice", shown(twice)));
        return entries;
    }

private:
    std::string ended(const Entries& entries) const {
        return fmt::format("the archive ends at byte {} {}: it is cut off or is no bundle", m_bytes.size(),
                           entries.empty() ? "before its first file" : "behind " + shown(entries.back().path));
    }

    Expected<Entry> one(std::string_view header, const Entries& before) {
        const std::string_view name = field(header, 0, nameBytes), prefix = field(header, 345, prefixBytes);
        const std::string path = prefix.empty() ? std::string(name) : fmt::format("{}/{}", prefix, name);
        const std::string where = fmt::format("the header of {} at byte {}{}", shown(path), m_at,
                                              before.empty() ? "" : " (behind " + shown(before.back().path) + ")");
        if (field(header, 257, 6) != "ustar")
            return refuse(m_file, fmt::format("{} is no header of a bundle", where),
                          "a bundle is made by `ptxwb bundle`");
        if (header[156] != '0')
            return refuse(m_file,
                          fmt::format("{} names {}; a bundle holds plain files only", where, kindOf(header[156])));
        if (const std::string why = pathProblem(path); !why.empty())
            return refuse(m_file, fmt::format("{}: {}", where, why));
        std::uint64_t size = 0;
        for (const char c : field(header, 124, 12)) {
            if (c < '0' || c > '7') return refuse(m_file, fmt::format("{} has a damaged size", where));
            size = size * 8 + static_cast<std::uint64_t>(c - '0');
        }
        const std::size_t left = m_bytes.size() - m_at - block;
        if (size > left)
            return refuse(m_file, fmt::format("{} claims {}, and {} are left in the archive", where, formatBytes(size),
                                              formatBytes(left)));
        const auto wanted = headerOf(path, size);
        if (const auto differs = std::ranges::mismatch(header, wanted).in1; differs != header.end())
            return refuse(m_file, fmt::format("{} was changed: byte {} is not what was written", where,
                                              m_at + static_cast<std::size_t>(differs - header.begin())));
        Entry entry{path, std::string(m_bytes.substr(m_at + block, size))};
        const std::size_t padded = (size + block - 1) / block * block;
        if (padded > left) return refuse(m_file, ended(before));
        const std::string_view padding = m_bytes.substr(m_at + block + size, padded - size);
        if (const auto odd = padding.find_first_not_of('\0'); odd != std::string_view::npos)
            return refuse(m_file, fmt::format("byte {} in the padding behind {} was changed", m_at + block + size + odd,
                                              shown(path)));
        m_at += block + padded;
        return entry;
    }

    std::string_view m_bytes;
    const std::string& m_file;
    std::size_t m_at = 0;
};

Expected<Entries> readFolder(const fs::path& folder) {
    const std::string name = folder.string();
    Entries entries;
    std::uint64_t total = 0;
    std::error_code error;
    auto entry = fs::recursive_directory_iterator(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const std::string path = entry->path().lexically_relative(folder).generic_string();
        const fs::file_status status = entry->symlink_status(error);
        if (error) break;
        if (fs::is_directory(status)) continue;
        if (const std::string why = pathProblem(path); !why.empty())
            return refuse(name, fmt::format("{}: {}", shown(path), why));
        if (!fs::is_regular_file(status))
            return refuse(name, fmt::format("{} is {}; a bundle holds plain files only", shown(path),
                                            fs::is_symlink(status) ? "a symbolic link" : "no plain file"));
        if (entries.size() >= mostFiles) return refuse(name, fmt::format("it holds more than {} files", mostFiles));
        auto content = readFile(entry->path(), largestFile - total);
        if (!content) return std::unexpected(std::move(content.error()));
        total += content->size();
        entries.push_back({path, std::move(*content)});
    }
    if (error) return failure(Cause::badRequest, fmt::format("cannot read {}: {}", name, error.message()));
    std::ranges::sort(entries, {}, &Entry::path);
    if (const std::string twice = doubledPath(entries); !twice.empty())
        return refuse(name, fmt::format("{} is there twice, in other letters", shown(twice)));
    return entries;
}

} // namespace

const Entry* find(const Entries& entries, std::string_view path) {
    const auto found = std::ranges::find(entries, path, &Entry::path);
    return found == entries.end() ? nullptr : &*found;
}

std::string pathProblem(std::string_view path) {
    if (path.empty()) return "it has no name";
    if (path.size() > longestPath) return fmt::format("its path has more than {} bytes", longestPath);
    if (path.front() == '/') return "its path is absolute";
    if (!isUtf8(path)) return "its path is no UTF-8";
    for (const char c : path)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\' || c == ':')
            return "its path has a control character, a backslash or a colon";
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part == "..") return "its path leads out of the bundle";
        if (part.empty() || part == ".") return "its path has an empty part";
        if (part.ends_with('.') || part.ends_with(' ') || part.starts_with(' '))
            return "a part of its path ends with a dot or has blanks at its ends";
        begin = end + 1;
    }
    return prefixEnd(path) == std::string_view::npos ? "its name is too long for an archive" : "";
}

Expected<std::string> writeArchive(Entries entries) {
    std::ranges::sort(entries, {}, &Entry::path);
    if (const std::string twice = doubledPath(entries); !twice.empty())
        return failure(Cause::badRequest, fmt::format("{} would be in the bundle twice", twice));
    std::string bytes;
    for (const Entry& entry : entries) {
        if (const std::string why = pathProblem(entry.path); !why.empty())
            return failure(Cause::badRequest, fmt::format("{} cannot be in a bundle: {}", shown(entry.path), why),
                           "give the spec's file another name");
        const auto header = headerOf(entry.path, entry.content.size());
        bytes.append(header.data(), header.size());
        bytes += entry.content;
        bytes.append((block - entry.content.size() % block) % block, '\0');
    }
    bytes.append(2 * block, '\0');
    return bytes;
}

Expected<Entries> readArchive(std::string_view bytes, const std::string& file) {
    return ArchiveReader(bytes, file).run();
}

Expected<Entries> readBundle(const fs::path& path) {
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(path, error)))
        return refuse(path.string(), "it is a symbolic link", "name the bundle itself");
    if (fs::is_directory(path, error)) return readFolder(path);
    const auto bytes = readFile(path);
    if (!bytes) return std::unexpected(bytes.error());
    return readArchive(*bytes, path.string());
}

Expected<void> writeBundle(const Entries& entries, const fs::path& path) {
    const auto archive = writeArchive(entries); // the paths are checked for a folder too
    if (!archive) return std::unexpected(archive.error());
    if (path.has_filename()) return writeFileAtomically(path, *archive);
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_empty(path, error))
        return failure(Cause::badRequest, fmt::format("{} is not empty", path.string()), "name a folder that is new");
    for (const Entry& entry : entries) {
        const fs::path file = path / entry.path;
        fs::create_directories(file.parent_path(), error);
        if (auto written = writeFileAtomically(file, entry.content); !written) return written;
    }
    return {};
}

} // namespace ptxwb::bundle
