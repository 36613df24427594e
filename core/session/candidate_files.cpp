#include "session/candidate_files.h"

#include "support/sha256.h"

#include <algorithm>

namespace ptxwb::session {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longestStem = 80; ///< bytes; file systems take 255 with everything that is added

/// Blanks, letters and digits of every language, and what is harmless in a shell and on every file system.
std::string plainStem(std::string_view name) {
    std::string stem;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool harmless = byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_' || c == '.' || c == '+';
        stem += harmless ? c : '_';
    }
    if (stem.size() > longestStem) {
        stem.resize(longestStem);
        // No half of a UTF-8 character.
        while (!stem.empty() && (static_cast<unsigned char>(name[stem.size()]) & 0xc0) == 0x80) stem.pop_back();
    }
    // No hidden file, no "..", no trailing dot, which Windows drops.
    while (stem.starts_with('.')) stem.erase(0, 1);
    while (stem.ends_with('.')) stem.pop_back();
    return stem;
}

} // namespace

fs::path candidatesFolder(const fs::path& sessionFile) {
    return sessionFile.parent_path() / (sessionFile.stem().string() + ".candidates");
}

std::string versionFile(const fs::path& folder, const std::string& text) {
    return folder.filename().string() + "/history/" + sha256Hex(text).substr(0, 16) + ".ptx";
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); });
    return lower;
}

std::vector<std::string> candidateFileNames(const std::vector<Candidate>& candidates,
                                            const std::set<std::string>& occupied) {
    std::set<std::string> taken = occupied;
    taken.insert("baseline.ptx"); // the baseline's own
    std::vector<std::string> names;
    for (const Candidate& candidate : candidates) {
        const std::string stem = plainStem(candidate.name);
        std::string file = (stem.empty() ? candidate.id : stem) + ".ptx";
        if (taken.contains(lowerCase(file))) file = (stem.empty() ? "" : stem + "-") + candidate.id + ".ptx";
        for (int number = 2; taken.contains(lowerCase(file)); ++number)
            file = stem + "-" + candidate.id + "-" + std::to_string(number) + ".ptx";
        taken.insert(lowerCase(file));
        names.push_back(std::move(file));
    }
    return names;
}

std::string relativePath(const fs::path& path, const fs::path& folder) {
    std::error_code error;
    const fs::path target = fs::weakly_canonical(path, error), from = fs::weakly_canonical(folder, error);
    return target.lexically_relative(from).generic_string();
}

bool staysInside(std::string_view path) {
    const fs::path relative(path);
    return !path.empty() && relative.is_relative() && std::ranges::find(relative, fs::path("..")) == relative.end();
}

} // namespace ptxwb::session
