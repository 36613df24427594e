// Which file each candidate is kept in, and how paths are written into a session.
// Called by save.cpp and load.cpp.
#pragma once

#include "session/session.h"

#include <set>

namespace ptxwb::session {

/// "tuning.ptxwb" -> "tuning.candidates"; the folder beside the session file that holds its candidates.
std::filesystem::path candidatesFolder(const std::filesystem::path& sessionFile);

/// File names, one a candidate in their order, that any file system can hold: made from the candidate's name, with the
/// id where that is taken, reserved or was shortened. None is in `occupied` (names in lower case).
std::vector<std::string> candidateFileNames(const std::vector<Candidate>& candidates,
                                            const std::set<std::string>& occupied);

/// "tuning.candidates/history/0123456789abcdef.ptx": named by its content, so that a version is written once.
std::string versionFile(const std::filesystem::path& folder, const std::string& text);

/// For comparing file names on file systems that ignore case. ASCII only.
std::string lowerCase(std::string_view text);

/// `path` as seen from `folder`, with slashes; links in either are followed first.
std::string relativePath(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Whether a path of a session may be read: relative, and not out of the session's folder.
bool staysInside(std::string_view path);

} // namespace ptxwb::session
