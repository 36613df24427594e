// Reviews and judgements as JSON, the same in a session file and in a bundle.
// Used by read_text.cpp, write_text.cpp and core/bundle.
#pragma once

#include "session/session.h"
#include "support/json.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::session {

nlohmann::ordered_json toJson(const Comment& comment);
nlohmann::ordered_json toJson(const Decision& decision);
nlohmann::ordered_json toJson(const Review& review);
nlohmann::ordered_json toJson(const Origin& origin);
/// `results` and `judged`, as members of a candidate; `results` is null without a judgement.
nlohmann::ordered_json toJson(const std::optional<Judgement>& judgement);

/// Errors name the key.
Expected<Comment> commentFromJson(const JsonReader& reader);
Expected<Decision> decisionFromJson(const JsonReader& reader);
Expected<Review> reviewFromJson(const JsonReader& reader);
Expected<Origin> originFromJson(const JsonReader& reader);
/// Of an object with `results` and perhaps `judged`.
Expected<std::optional<Judgement>> judgementFromJson(const JsonReader& reader);

} // namespace ptxwb::session
