// Whatever a person opens as a session: CUDA source, PTX, a spec, a folder, an example's name, a session.
// Called by the window for the command line, drag and drop, recent files and Open.
#pragma once

#include "session/load.h"

namespace ptxwb::session {

struct Opened {
    Session session;
    std::string current; ///< id of the candidate to show first; `baselineId` where there is none
    std::vector<Diagnostic> notes;
};

/// - NAME.ptxwb: the session.
/// - a spec, a folder with one, the name of a folder in `examples`: its kernel with the spec's candidates.
/// - .cu, .ptx: the kernel whose spec beside it names that file (a candidate's file becomes current); else the file
///   alone, without a kernel: a .ptx as baseline with a copy to edit.
/// Errors (Cause::badRequest): missing or unreadable, another kind of file, a spec with errors (the first with the
/// others as related places).
Expected<Opened> openAny(const std::string& path, const std::filesystem::path& examples);

} // namespace ptxwb::session
