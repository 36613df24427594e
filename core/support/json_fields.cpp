#include "support/json_fields.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace ptxwb {

namespace {

constexpr std::uint64_t largest32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t largest64 = std::numeric_limits<std::uint64_t>::max();

} // namespace

JsonFields::JsonFields(JsonReader reader) : m_reader(std::move(reader)) {
    if (!m_reader.isObject()) m_error = m_reader.members().error();
}

void JsonFields::note(Diagnostic error) {
    if (!m_error) m_error = std::move(error);
}

std::vector<JsonReader> JsonFields::elements(std::string_view key) {
    std::vector<JsonReader> found;
    take(m_reader.elementsOr(key), found);
    return found;
}

std::optional<std::uint64_t> JsonFields::wholeNumber(const JsonReader& reader, std::uint64_t largest) {
    std::uint64_t value = 0;
    if (reader.value().is_number_unsigned()) {
        value = reader.value().get<std::uint64_t>();
    } else if (const auto integer = reader.integer(); integer && *integer >= 0) {
        value = static_cast<std::uint64_t>(*integer);
    } else {
        note(reader.fail("expected a number from 0").error());
        return std::nullopt;
    }
    if (value <= largest) return value;
    note(reader.fail("expected a number that fits 32 bits").error());
    return std::nullopt;
}

std::optional<std::uint64_t> JsonFields::wholeNumber(std::string_view key, std::uint64_t largest) {
    const auto found = m_reader.find(key);
    return found ? wholeNumber(*found, largest) : std::nullopt;
}

void JsonFields::read(std::string_view key, std::string& target) {
    take(m_reader.textOr(key, std::move(target)), target);
}

void JsonFields::read(std::string_view key, double& target) {
    take(m_reader.numberOr(key, target), target);
}

void JsonFields::read(std::string_view key, std::optional<double>& target) {
    if (m_reader.has(key)) read(key, target.emplace());
}

void JsonFields::read(std::string_view key, std::uint32_t& target) {
    if (const auto value = wholeNumber(key, largest32)) target = static_cast<std::uint32_t>(*value);
}

void JsonFields::read(std::string_view key, std::optional<std::uint32_t>& target) {
    if (const auto value = wholeNumber(key, largest32)) target = static_cast<std::uint32_t>(*value);
}

void JsonFields::read(std::string_view key, std::uint64_t& target) {
    if (const auto value = wholeNumber(key, largest64)) target = *value;
}

void JsonFields::read(std::string_view key, std::optional<std::uint64_t>& target) {
    if (const auto value = wholeNumber(key, largest64)) target = value;
}

void JsonFields::read(std::string_view key, std::vector<std::uint64_t>& target) {
    for (const JsonReader& element : elements(key))
        if (const auto value = wholeNumber(element, largest64)) target.push_back(*value);
}

void JsonFields::read(std::string_view key, std::optional<std::array<std::uint32_t, 3>>& target) {
    const auto found = m_reader.find(key);
    if (!found) return;
    const std::vector<JsonReader> each = elements(key);
    if (each.size() != 3) return note(found->fail("expected three numbers").error());
    auto& values = target.emplace();
    for (std::size_t i = 0; i < 3; ++i)
        if (const auto value = wholeNumber(each[i], largest32)) values[i] = static_cast<std::uint32_t>(*value);
}

} // namespace ptxwb
