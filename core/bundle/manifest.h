// The list of a bundle's files with their hashes: what is signed, and what every file is compared with.
// Written by make.h, read by check.h.
#pragma once

#include "bundle/archive.h"

namespace ptxwb::bundle {

inline constexpr std::string_view manifestFile = "manifest.json", hashFile = "manifest.json.sha256",
                                  signatureFile = "manifest.json.sig";

struct ListedFile {
    std::string path, sha256;
    std::uint64_t size = 0;
};

struct Manifest {
    std::string program, kernel, candidate; ///< versions and names, for a reader
    std::vector<ListedFile> files;          ///< sorted; all but the three above
};

Manifest manifestOf(const Entries& entries, std::string program, std::string kernel, std::string candidate);
std::string toText(const Manifest& manifest);
/// Errors (Cause::rejected): no JSON, another schema, keys that nobody knows, or not laid out as `toText` does.
Expected<Manifest> manifestFromText(const std::string& text, const std::string& file);
/// The content of `hashFile`, in the form of sha256sum.
std::string hashText(const std::string& manifestText);

/// Something that is not as the manifest says.
struct Problem {
    std::string path, what; ///< "candidate.ptx", "was changed: ..."
};

/// Files that were changed, are missing, were added, or carry another name, in order of paths.
std::vector<Problem> compareWith(const Manifest& manifest, const Entries& entries);

} // namespace ptxwb::bundle
