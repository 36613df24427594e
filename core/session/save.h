// Writing NAME.ptxwb: readable JSON in a stable order, candidates as files in NAME.candidates beside it.
// Called by the window's document.
#pragma once

#include "session/session.h"

namespace ptxwb::session {

enum class IfChanged : std::uint8_t {
    refuse,  ///< a file that somebody else wrote meanwhile is kept
    replace, ///< the person was asked
};

/// Writes the session to `file` and makes it the session's file: candidates first, then the session, each atomically,
/// then the candidate files that nobody names any more and the autosave are removed. A bundled example is copied to
/// NAME.kernel beside it, so that the session stands alone. Files that do not change are not written.
/// Errors (Cause::badRequest), with the session file as it was: `file` is of a newer version, damaged or no session at
/// all (kind "not_ours"); it changed since it was read (kind "changed_on_disk"; see `IfChanged`); it cannot be written.
Expected<void> save(Session& session, const std::filesystem::path& file, IfChanged ifChanged = IfChanged::refuse);

/// Writes everything, texts included, to the one file `autosave`; nothing else is touched.
Expected<void> writeAutosave(const Session& session, const std::filesystem::path& autosave);

} // namespace ptxwb::session
