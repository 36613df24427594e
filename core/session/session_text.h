// The JSON of a session file as a value, before the files that it names are read.
// Used by load.cpp and save.cpp; read_text.cpp and write_text.cpp do the work.
#pragma once

#include "session/session.h"

#include <map>
#include <nlohmann/json_fwd.hpp>

namespace ptxwb {
class JsonReader;
}

namespace ptxwb::session {

/// What only an autosave has: the texts, and where the session belongs.
struct AutosavePart {
    std::string session; ///< path of the session file as seen from the autosave, empty where it was never saved
    std::string sessionSha256;
    bool example = false;                     ///< KernelPlace::example
    std::map<std::string, std::string> texts; ///< by candidate id, or by a version's file
};

struct SessionText {
    Session session;        ///< without texts, kernel and paths
    std::string kernelPath; ///< of the spec; or
    std::string kernelText; ///< the spec itself, padded so that lines and columns are those of the session; or neither
    std::string source;     ///< where there is no kernel
    std::string baselineFile; ///< empty: the spec's
    std::string baselineSha256;
    std::vector<std::string> files, sha256;         ///< of the candidates
    std::vector<std::vector<std::string>> versions; ///< files of each candidate's history
    std::optional<AutosavePart> autosave;
};

/// Errors: as `load`. `file` is for messages only.
Expected<SessionText> readText(const std::string& text, const std::filesystem::path& file);

/// `kernel` of the session itself is written only for KernelPlace::inlined, otherwise `kernelPath`.
nlohmann::ordered_json writeText(const SessionText& text);

/// `conversations` of a session file. conversation_json.cpp.
nlohmann::ordered_json toJson(const std::vector<Conversation>& conversations);
/// Errors name the key.
Expected<std::vector<Conversation>> conversationsFrom(const std::vector<JsonReader>& elements);

/// With the layout of a spec. Errors: a name or path that is no UTF-8.
Expected<std::string> layOut(const nlohmann::ordered_json& value, const std::filesystem::path& file);

} // namespace ptxwb::session
