#include "llm/stream_json.h"

#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

const json nothing;

} // namespace

const json& member(const json& value, std::string_view key) {
    if (!value.is_object()) return nothing;
    const auto found = value.find(key);
    return found == value.end() ? nothing : *found;
}

const json& firstOf(const json& value) {
    return value.is_array() && !value.empty() ? value.front() : nothing;
}

std::string textOf(const json& value) {
    return value.is_string() ? value.get<std::string>() : std::string{};
}

std::string contentOf(const json& value) {
    if (!value.is_array()) return textOf(value);
    std::string text;
    for (const json& part : value) text += part.is_string() ? part.get<std::string>() : textOf(member(part, "text"));
    return text;
}

std::uint64_t countOf(const json& value) {
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

} // namespace ptxwb::llm
