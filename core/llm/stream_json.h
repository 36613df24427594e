// Reading JSON of strangers without trust in its shape: what is not there, or of another type, reads as nothing.
// Used by the protocols' readers.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace ptxwb::llm {

/// The member, or null where `value` is no object or has none of that name.
const nlohmann::json& member(const nlohmann::json& value, std::string_view key);
/// The first element, or null.
const nlohmann::json& firstOf(const nlohmann::json& value);
/// Empty where it is no text.
std::string textOf(const nlohmann::json& value);
/// A text, or an array of parts `{"type": "text", "text": "..."}`, joined.
std::string contentOf(const nlohmann::json& value);
/// 0 where it is no whole number from 0.
std::uint64_t countOf(const nlohmann::json& value);

} // namespace ptxwb::llm
