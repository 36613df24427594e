// Reading NAME.ptxwb with the candidate files beside it, and the autosave NAME.ptxwb~.
// Called by open.h, the window's document and `ptxwb report`.
#pragma once

#include "session/session.h"

namespace ptxwb::session {

inline constexpr int schemaVersion = 1;

struct Loaded {
    Session session;
    /// What a person should know and that kept nothing from opening: a candidate file that was changed outside.
    std::vector<Diagnostic> notes;
};

/// Errors (Cause::badRequest) name the file, line and column or the field, and say what is wrong: damaged or truncated
/// JSON, a newer schema, unknown keys, a candidate file or spec that is missing. Nothing is written.
Expected<Loaded> load(const std::filesystem::path& file);

/// "NAME.ptxwb~" beside `file`.
std::filesystem::path autosavePath(const std::filesystem::path& file);

/// The autosave of `file` where it is newer than `file`, nullopt otherwise.
std::optional<std::filesystem::path> newerAutosave(const std::filesystem::path& file);

/// Reads an autosave: the session as it was, `file` being the session file that it belongs to (empty for one that was
/// never saved).
Expected<Loaded> loadAutosave(const std::filesystem::path& autosave);

} // namespace ptxwb::session
