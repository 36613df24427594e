// A bundle as one file (a tar archive that any tar reads) or as a folder, with nothing in it that could do harm.
// Written by make.h's caller, read by everything that checks a bundle.
//
// The same files are the same bytes: sorted, no times, no owners. Reading accepts exactly what writing makes, so that a
// changed byte is found wherever it is, in the headers and the padding too.
#pragma once

#include "support/diagnostic.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ptxwb::bundle {

struct Entry {
    std::string path; ///< with slashes, relative
    std::string content;

    bool operator==(const Entry&) const = default;
};

/// Sorted by path.
using Entries = std::vector<Entry>;

const Entry* find(const Entries& entries, std::string_view path);

/// Why a bundle may not hold a file of this path; empty where it may: absolute, out of the bundle, control characters,
/// backslashes, names that some file systems take for others, over 240 bytes.
std::string pathProblem(std::string_view path);

/// Errors: a path that may not be, or one that is there twice (case does not count).
Expected<std::string> writeArchive(Entries entries);

/// Errors (Cause::rejected) name the entry and the byte: links, devices, paths out of the bundle, sizes beyond the
/// file, headers that say anything but path and size, anything behind the end. `file` is for messages.
Expected<Entries> readArchive(std::string_view bytes, const std::string& file);

/// An archive or a folder into which one was unpacked. Errors as `readArchive`; links in a folder are refused, not
/// followed. At most 1 GiB together and 10,000 files.
Expected<Entries> readBundle(const std::filesystem::path& path);

/// As an archive, or as a folder where `path` ends with a slash. A folder must be new or empty.
Expected<void> writeBundle(const Entries& entries, const std::filesystem::path& path);

} // namespace ptxwb::bundle
