#include "support/json.h"

#include "support/nearest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace ptxwb {

using nlohmann::json;

namespace {

constexpr int deepest = 512;

/// Reads the text and tells how far the parser has come, which neither its events nor all of its errors do.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = char;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    std::size_t* read;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        ++at;
        ++*read;
        return *this;
    }
    CountingIterator operator++(int) {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
};

/// What is refused although it parses, at [begin, end) of the text.
struct Refused {
    std::string message;
    std::size_t begin, end;
};

/// The offset of the quote that opens the text whose closing quote is the last of `read`. Quotes inside have an odd
/// number of backslashes before them; before the opening one stands none.
std::size_t openingQuote(std::string_view read) {
    for (std::size_t at = read.size() - 1; at > 0;) {
        at = read.rfind('"', at - 1);
        if (at == std::string_view::npos) break;
        const auto last = read.substr(0, at).find_last_not_of('\\');
        if ((at - (last == std::string_view::npos ? 0 : last + 1)) % 2 == 0) return at;
    }
    return 0;
}

/// Watches the parser's events for what JSON allows and no person means.
class Watcher {
public:
    /// `read`: bytes of `text` that the parser has read.
    Watcher(std::string_view text, const std::size_t& read) : m_text(text), m_read(read) {}

    bool operator()(int depth, json::parse_event_t event, json& parsed) {
        switch (event) {
        case json::parse_event_t::object_start:
            checkDepth(depth);
            m_keys.emplace_back();
            break;
        case json::parse_event_t::array_start: checkDepth(depth); break;
        case json::parse_event_t::object_end: m_keys.pop_back(); break;
        case json::parse_event_t::key: {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!m_keys.back().insert(key).second)
                throw Refused{fmt::format("the key \"{}\" is given twice in one object", key),
                              openingQuote(m_text.substr(0, m_read)), m_read};
            break;
        }
        default: break;
        }
        return true;
    }

private:
    /// `depth`: levels around the one that begins.
    void checkDepth(int depth) const {
        if (depth >= deepest) throw Refused{fmt::format("nested deeper than {} levels", deepest), m_read - 1, m_read};
    }

    std::string_view m_text;
    const std::size_t& m_read;
    std::vector<std::set<std::string>> m_keys;
};

Place placeOf(std::string_view text, std::size_t begin, std::size_t end, std::string file) {
    const auto before = text.substr(0, std::min(begin, text.size()));
    const auto lastNewline = before.rfind('\n');
    const auto column = before.size() - (lastNewline == std::string_view::npos ? 0 : lastNewline + 1) + 1;
    return {std::move(file), static_cast<std::uint32_t>(1 + std::ranges::count(before, '\n')),
            static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(std::max(end, begin + 1) - begin)};
}

/// Of the number that was read last; the parser may have read the byte behind it.
Place placeOfNumber(std::string_view read, std::string file) {
    constexpr std::string_view parts = "0123456789+-.eE";
    const auto last = read.find_last_of(parts);
    if (last == std::string_view::npos) return {std::move(file)};
    const auto before = read.substr(0, last).find_last_not_of(parts);
    return placeOf(read, before == std::string_view::npos ? 0 : before + 1, last + 1, std::move(file));
}

/// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while parsing value - unexpected
/// end of input; expected ..." -> what follows the place.
std::string readable(std::string_view what) {
    if (const auto bracket = what.find("] "); what.starts_with('[') && bracket != std::string_view::npos)
        what.remove_prefix(bracket + 2);
    if (const auto colon = what.find(": "); what.starts_with("parse error at") && colon != std::string_view::npos)
        what.remove_prefix(colon + 2);
    std::string text(what);
    if (const auto dash = text.find(" - "); text.starts_with("syntax error while parsing") && dash != std::string::npos)
        text = fmt::format("not JSON: {} (while parsing {})", text.substr(dash + 3), text.substr(27, dash - 27));
    return text;
}

std::string shown(const json& value) {
    switch (value.type()) {
    case json::value_t::null: return "null";
    case json::value_t::object: return "an object";
    case json::value_t::array: return "an array";
    case json::value_t::string: {
        auto text = value.get<std::string>();
        if (text.size() > 40) text = text.substr(0, 40) + "...";
        return fmt::format("the text \"{}\"", text);
    }
    default: return value.dump(-1, ' ', false, json::error_handler_t::replace);
    }
}

} // namespace

Expected<json> parseJson(std::string_view text, std::string file) {
    Diagnostic problem;
    problem.cause = Cause::badRequest;
    problem.kind = "syntax";
    std::size_t read = 0;
    try {
        Watcher watcher(text, read);
        return json::parse(
            CountingIterator{text.data(), &read}, CountingIterator{text.data() + text.size(), &read},
            [&watcher](int depth, json::parse_event_t event, json& parsed) { return watcher(depth, event, parsed); });
    } catch (const json::parse_error& error) {
        // The library counts bytes read, so the byte at fault is the one before.
        const std::size_t at = error.byte > 0 ? error.byte - 1 : 0;
        problem.place = placeOf(text, at, at + 1, std::move(file));
        problem.message = readable(error.what());
    } catch (const Refused& refused) {
        problem.place = placeOf(text, refused.begin, refused.end, std::move(file));
        problem.message = refused.message;
    } catch (const json::exception& error) { // a number out of range
        problem.place = placeOfNumber(text.substr(0, read), std::move(file));
        problem.message = readable(error.what());
    }
    return std::unexpected(std::move(problem));
}

JsonReader::JsonReader(const json& value, std::string file, std::string path)
    : m_value(&value), m_file(std::move(file)), m_path(std::move(path)) {}

std::unexpected<Diagnostic> JsonReader::fail(std::string_view message, std::string hint) const {
    auto result =
        failure(Cause::badRequest, m_path.empty() ? std::string(message) : fmt::format("{}: {}", m_path, message),
                std::move(hint));
    result.error().place.file = m_file;
    return result;
}

std::string JsonReader::pathOf(std::string_view key) const {
    return m_path.empty() ? std::string(key) : fmt::format("{}.{}", m_path, key);
}

bool JsonReader::isObject() const {
    return m_value->is_object();
}
bool JsonReader::isArray() const {
    return m_value->is_array();
}
bool JsonReader::isText() const {
    return m_value->is_string();
}
bool JsonReader::isNumber() const {
    return m_value->is_number();
}

Expected<std::string> JsonReader::text() const {
    if (m_value->is_string()) return m_value->get<std::string>();
    return fail(fmt::format("expected a text, got {}", shown(*m_value)));
}

Expected<std::int64_t> JsonReader::integer() const {
    if (m_value->is_number_unsigned() && m_value->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
        return fail(fmt::format("expected an integer of 64 bits, got {}", shown(*m_value)));
    if (m_value->is_number_integer()) return m_value->get<std::int64_t>();
    return fail(fmt::format("expected an integer, got {}", shown(*m_value)));
}

Expected<double> JsonReader::number() const {
    if (m_value->is_number()) return m_value->get<double>();
    if (*m_value == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (*m_value == "inf") return std::numeric_limits<double>::infinity();
    if (*m_value == "-inf") return -std::numeric_limits<double>::infinity();
    return fail(fmt::format("expected a number, got {}", shown(*m_value)));
}

Expected<bool> JsonReader::boolean() const {
    if (m_value->is_boolean()) return m_value->get<bool>();
    return fail(fmt::format("expected true or false, got {}", shown(*m_value)));
}

Expected<std::vector<JsonReader>> JsonReader::elements() const {
    if (!m_value->is_array()) return fail(fmt::format("expected an array, got {}", shown(*m_value)));
    std::vector<JsonReader> result;
    for (std::size_t i = 0; i < m_value->size(); ++i)
        result.emplace_back((*m_value)[i], m_file, fmt::format("{}[{}]", m_path, i));
    return result;
}

Expected<std::vector<std::string>> JsonReader::texts() const {
    auto readers = elements();
    if (!readers) return std::unexpected(std::move(readers.error()));
    std::vector<std::string> result;
    for (const auto& reader : *readers) {
        auto one = reader.text();
        if (!one) return std::unexpected(std::move(one.error()));
        result.push_back(std::move(*one));
    }
    return result;
}

bool JsonReader::has(std::string_view key) const {
    return find(key).has_value();
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
    if (!m_value->is_object()) return std::nullopt;
    const auto found = m_value->find(std::string(key));
    if (found == m_value->end() || found->is_null()) return std::nullopt;
    return JsonReader(*found, m_file, pathOf(key));
}

Expected<JsonReader> JsonReader::at(std::string_view key) const {
    if (!m_value->is_object()) return fail(fmt::format("expected an object with \"{}\", got {}", key, shown(*m_value)));
    if (auto found = find(key)) return *found;
    std::vector<std::string> present;
    for (const auto& [name, unused] : m_value->items()) present.push_back(name);
    const auto near = nearestName(key, std::span<const std::string>(present));
    return fail(fmt::format("\"{}\" is missing", key),
                near.empty() || near == key ? "" : fmt::format("There is \"{}\": was \"{}\" meant?", near, key));
}

namespace {
template <class Read>
auto member(const JsonReader& reader, std::string_view key, Read read) -> decltype(read(reader)) {
    auto found = reader.at(key);
    if (!found) return std::unexpected(std::move(found.error()));
    return read(*found);
}
template <class Value, class Read>
Expected<Value> memberOr(const JsonReader& reader, std::string_view key, Value fallback, Read read) {
    // "absent" needs an object: a list in its place must not look like one without keys.
    if (!reader.isObject()) return std::unexpected(reader.at(key).error());
    const auto found = reader.find(key);
    if (!found) return fallback;
    return read(*found);
}
} // namespace

Expected<std::string> JsonReader::text(std::string_view key) const {
    return member(*this, key, [](const JsonReader& r) { return r.text(); });
}
Expected<std::string> JsonReader::textOr(std::string_view key, std::string fallback) const {
    return memberOr(*this, key, std::move(fallback), [](const JsonReader& r) { return r.text(); });
}
Expected<std::int64_t> JsonReader::integer(std::string_view key) const {
    return member(*this, key, [](const JsonReader& r) { return r.integer(); });
}
Expected<std::int64_t> JsonReader::integerOr(std::string_view key, std::int64_t fallback) const {
    return memberOr(*this, key, fallback, [](const JsonReader& r) { return r.integer(); });
}
Expected<double> JsonReader::number(std::string_view key) const {
    return member(*this, key, [](const JsonReader& r) { return r.number(); });
}
Expected<double> JsonReader::numberOr(std::string_view key, double fallback) const {
    return memberOr(*this, key, fallback, [](const JsonReader& r) { return r.number(); });
}
Expected<bool> JsonReader::booleanOr(std::string_view key, bool fallback) const {
    return memberOr(*this, key, fallback, [](const JsonReader& r) { return r.boolean(); });
}
Expected<std::vector<JsonReader>> JsonReader::elements(std::string_view key) const {
    return member(*this, key, [](const JsonReader& r) { return r.elements(); });
}
Expected<std::vector<JsonReader>> JsonReader::elementsOr(std::string_view key) const {
    return memberOr(*this, key, std::vector<JsonReader>{}, [](const JsonReader& r) { return r.elements(); });
}

Expected<std::vector<std::pair<std::string, JsonReader>>> JsonReader::members() const {
    if (!m_value->is_object()) return fail(fmt::format("expected an object, got {}", shown(*m_value)));
    std::vector<std::pair<std::string, JsonReader>> result;
    for (auto it = m_value->begin(); it != m_value->end(); ++it)
        result.emplace_back(it.key(), JsonReader(*it, m_file, pathOf(it.key())));
    return result;
}

Expected<void> JsonReader::onlyKeys(std::initializer_list<std::string_view> known) const {
    if (!m_value->is_object()) return fail(fmt::format("expected an object, got {}", shown(*m_value)));
    for (auto it = m_value->begin(); it != m_value->end(); ++it) {
        if (std::ranges::find(known, it.key()) != known.end()) continue;
        const auto near = nearestName(it.key(), std::span(known.begin(), known.size()));
        return fail(fmt::format("unknown key \"{}\"", it.key()),
                    near.empty() ? fmt::format("Known here: {}.", fmt::join(known, ", "))
                                 : fmt::format("Did you mean \"{}\"?", near));
    }
    return {};
}

json numberToJson(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

} // namespace ptxwb
