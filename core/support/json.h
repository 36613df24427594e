// JSON text to values with errors that a person can act on: line and column, or the path of the field.
// Called by every reader of a format: specs, sessions, protocol lines, model replies, resources.
#pragma once

#include "support/diagnostic.h"

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace ptxwb {

/// Strict JSON (RFC 8259), one value. Errors (`Cause::badRequest`, kind "syntax") carry `file`, line and column and say
/// what was expected. A key given twice in one object and nesting deeper than 512 are errors too.
Expected<nlohmann::json> parseJson(std::string_view text, std::string file = {});

/// One value inside a document with the path that leads to it. Does not own the value. All reading functions fail with
/// messages such as "arguments[2].count: expected an integer, got the text \"n\"".
class JsonReader {
public:
    explicit JsonReader(const nlohmann::json& value, std::string file = {}, std::string path = {});

    const nlohmann::json& value() const { return *m_value; }
    const std::string& path() const { return m_path; }

    /// An error at this place: "<path>: <message>".
    std::unexpected<Diagnostic> fail(std::string_view message, std::string hint = {}) const;

    // This value itself.
    Expected<std::string> text() const;
    Expected<std::int64_t> integer() const; ///< 3.0 is not one; beyond 64 bits is an error
    Expected<double> number() const;        ///< also takes "nan", "inf", "-inf"
    Expected<bool> boolean() const;
    Expected<std::vector<JsonReader>> elements() const; ///< of an array
    Expected<std::vector<std::string>> texts() const;
    bool isObject() const;
    bool isArray() const;
    bool isText() const;
    bool isNumber() const;

    // Members of this object. A key that is absent or null is "absent".
    bool has(std::string_view key) const;
    std::optional<JsonReader> find(std::string_view key) const;
    Expected<JsonReader> at(std::string_view key) const; ///< absent: an error that names the nearest key present
    Expected<std::string> text(std::string_view key) const;
    Expected<std::string> textOr(std::string_view key, std::string fallback) const;
    Expected<std::int64_t> integer(std::string_view key) const;
    Expected<std::int64_t> integerOr(std::string_view key, std::int64_t fallback) const;
    Expected<double> number(std::string_view key) const;
    Expected<double> numberOr(std::string_view key, double fallback) const;
    Expected<bool> booleanOr(std::string_view key, bool fallback) const;
    Expected<std::vector<JsonReader>> elements(std::string_view key) const;   ///< absent: an error
    Expected<std::vector<JsonReader>> elementsOr(std::string_view key) const; ///< absent: none
    /// Keys and values of this object, in the document's sorted order.
    Expected<std::vector<std::pair<std::string, JsonReader>>> members() const;

    /// Fails for the first key that is not in `known`, naming the key and the nearest known one.
    Expected<void> onlyKeys(std::initializer_list<std::string_view> known) const;

private:
    std::string pathOf(std::string_view key) const;
    const nlohmann::json* m_value;
    std::string m_file, m_path;
};

/// A double as JSON: a number, or "nan", "inf", "-inf", which JSON has no number for.
nlohmann::json numberToJson(double value);

} // namespace ptxwb
