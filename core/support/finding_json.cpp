#include "support/finding_json.h"

#include "support/json.h"

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace ptxwb {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 5> causeNames = {"rejected", "bad_request", "missing", "internal", "cancelled"};
constexpr std::array<std::string_view, 3> severityNames = {"error", "warning", "note"};

template <class T>
json orNull(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}
json orNull(const std::optional<double>& value) {
    return value ? numberToJson(*value) : json(nullptr);
}
json orNull(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}
json lineOrNull(std::uint32_t line) {
    return line ? json(line) : json(nullptr);
}

/// Reads fields one after another and keeps the first error, so that the readers below stay lists.
class Fields {
public:
    explicit Fields(const json& value) : m_reader(value) {
        if (!m_reader.isObject()) m_error = m_reader.at("message").error();
    }

    void text(std::string_view key, std::string& target) { take(m_reader.textOr(key, {}), target); }
    void unsigned32(std::string_view key, std::uint32_t& target) {
        std::optional<std::uint64_t> value;
        whole(key, value);
        if (!value) return;
        if (*value > std::numeric_limits<std::uint32_t>::max())
            note(m_reader.at(key)->fail("does not fit 32 bits").error());
        else
            target = static_cast<std::uint32_t>(*value);
    }
    void unsigned32(std::string_view key, std::optional<std::uint32_t>& target) {
        std::uint32_t value = 0;
        if (!m_reader.has(key)) return;
        unsigned32(key, value);
        target = value;
    }
    void whole(std::string_view key, std::optional<std::uint64_t>& target) {
        const auto found = m_reader.find(key);
        if (found) wholeOf(*found, target);
    }
    void real(std::string_view key, std::optional<double>& target) {
        if (!m_reader.has(key)) return;
        double value = 0;
        take(m_reader.number(key), value);
        target = value;
    }
    void index3(std::string_view key, std::optional<Index3>& target) {
        const auto found = m_reader.find(key);
        if (!found) return;
        std::vector<std::uint64_t> values;
        wholes(key, values);
        if (values.size() != 3) return note(found->fail("expected three numbers").error());
        target = Index3{static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]),
                        static_cast<std::uint32_t>(values[2])};
    }
    void wholes(std::string_view key, std::vector<std::uint64_t>& target) {
        for (const auto& element : list(key)) {
            std::optional<std::uint64_t> value;
            wholeOf(element, value);
            target.push_back(value.value_or(0));
        }
    }
    std::vector<JsonReader> list(std::string_view key) {
        std::vector<JsonReader> elements;
        take(m_reader.elementsOr(key), elements);
        return elements;
    }
    std::optional<JsonReader> find(std::string_view key) const { return m_reader.find(key); }
    const JsonReader& reader() const { return m_reader; }

    template <class T>
    void take(Expected<T> value, T& target) {
        if (value)
            target = std::move(*value);
        else
            note(std::move(value.error()));
    }
    void note(Diagnostic error) {
        if (!m_error) m_error = std::move(error);
    }
    template <class T>
    Expected<T> result(T value) {
        if (m_error) return std::unexpected(std::move(*m_error));
        return value;
    }

private:
    void wholeOf(const JsonReader& reader, std::optional<std::uint64_t>& target) {
        if (reader.value().is_number_unsigned())
            target = reader.value().get<std::uint64_t>();
        else if (auto value = reader.integer(); value && *value >= 0)
            target = static_cast<std::uint64_t>(*value);
        else
            note(reader.fail("expected a number from 0").error());
    }
    JsonReader m_reader;
    std::optional<Diagnostic> m_error;
};

template <std::size_t N>
std::optional<std::size_t> position(const std::array<std::string_view, N>& names, std::string_view wanted) {
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == wanted) return i;
    return std::nullopt;
}

json toJson(const RelatedFinding& related) {
    return {{"line", lineOrNull(related.line)}, {"column", lineOrNull(related.column)},
            {"block", orNull(related.block)},   {"thread", orNull(related.thread)},
            {"access", orNull(related.access)}, {"message", related.message}};
}

json toJson(const Place& place) {
    return {{"file", orNull(place.file)},
            {"line", lineOrNull(place.line)},
            {"column", lineOrNull(place.column)},
            {"length", lineOrNull(place.length)}};
}

void readPlace(Fields& fields, Place& place) {
    fields.text("file", place.file);
    fields.unsigned32("line", place.line);
    fields.unsigned32("column", place.column);
    fields.unsigned32("length", place.length);
}

} // namespace

std::string_view name(Cause cause) {
    return causeNames[static_cast<std::size_t>(cause)];
}

json toJson(const Finding& f) {
    json related = json::array();
    for (const auto& one : f.related) related.push_back(toJson(one));
    json cuda = nullptr;
    if (f.cuda) cuda = {{"file", f.cuda->file}, {"line", f.cuda->line}};
    return {{"kind", name(f.kind)},           {"check", f.check},
            {"message", f.message},           {"hint", orNull(f.hint)},
            {"line", lineOrNull(f.line)},     {"column", lineOrNull(f.column)},
            {"length", lineOrNull(f.length)}, {"cuda", std::move(cuda)},
            {"argument", orNull(f.argument)}, {"index", f.index.empty() ? json(nullptr) : json(f.index)},
            {"got", orNull(f.got)},           {"expected", orNull(f.expected)},
            {"allowed", orNull(f.allowed)},   {"block", orNull(f.block)},
            {"thread", orNull(f.thread)},     {"address", orNull(f.address)},
            {"bytes", orNull(f.bytes)},       {"set", json(f.set)},
            {"fill", orNull(f.fill)},         {"seed", orNull(f.seed)},
            {"occurrences", f.occurrences},   {"related", std::move(related)}};
}

Expected<Finding> findingFromJson(const json& value) {
    Fields fields(value);
    Finding f;
    std::string kind;
    fields.take(fields.reader().text("kind"), kind);
    if (const auto known = findingKind(kind))
        f.kind = *known;
    else
        fields.note(fields.reader().fail(fmt::format("unknown kind of finding \"{}\"", kind)).error());
    fields.text("check", f.check);
    fields.text("message", f.message);
    fields.text("hint", f.hint);
    fields.unsigned32("line", f.line);
    fields.unsigned32("column", f.column);
    fields.unsigned32("length", f.length);
    if (const auto found = fields.find("cuda")) {
        Fields cuda(found->value());
        CudaPlace place;
        cuda.text("file", place.file);
        cuda.unsigned32("line", place.line);
        fields.take(cuda.result(std::move(place)), f.cuda.emplace());
    }
    fields.text("argument", f.argument);
    fields.wholes("index", f.index);
    fields.real("got", f.got);
    fields.real("expected", f.expected);
    fields.real("allowed", f.allowed);
    fields.index3("block", f.block);
    fields.index3("thread", f.thread);
    fields.whole("address", f.address);
    fields.unsigned32("bytes", f.bytes);
    if (const auto sizes = fields.find("set")) {
        std::vector<std::pair<std::string, JsonReader>> members;
        fields.take(sizes->members(), members);
        for (const auto& [symbol, size] : members) fields.take(size.integer(), f.set[symbol]);
    }
    fields.text("fill", f.fill);
    fields.whole("seed", f.seed);
    std::optional<std::uint64_t> occurrences;
    fields.whole("occurrences", occurrences);
    f.occurrences = occurrences.value_or(1);
    for (const auto& element : fields.list("related")) {
        Fields one(element.value());
        RelatedFinding related;
        one.unsigned32("line", related.line);
        one.unsigned32("column", related.column);
        one.index3("block", related.block);
        one.index3("thread", related.thread);
        one.text("access", related.access);
        one.text("message", related.message);
        fields.take(one.result(std::move(related)), f.related.emplace_back());
    }
    return fields.result(std::move(f));
}

json toJson(const Diagnostic& d) {
    json related = json::array();
    for (const auto& one : d.related) {
        related.push_back(toJson(one.place));
        related.back()["message"] = one.message;
    }
    json result = toJson(d.place);
    result.update({{"severity", name(d.severity)},
                   {"cause", name(d.cause)},
                   {"kind", orNull(d.kind)},
                   {"message", d.message},
                   {"hint", orNull(d.hint)},
                   {"related", std::move(related)}});
    return result;
}

Expected<Diagnostic> diagnosticFromJson(const json& value) {
    Fields fields(value);
    Diagnostic d;
    std::string severity, cause;
    fields.take(fields.reader().textOr("severity", "error"), severity);
    fields.take(fields.reader().textOr("cause", "bad_request"), cause);
    if (const auto known = position(severityNames, severity))
        d.severity = static_cast<Severity>(*known);
    else
        fields.note(fields.reader().fail(fmt::format("unknown severity \"{}\"", severity)).error());
    if (const auto known = position(causeNames, cause))
        d.cause = static_cast<Cause>(*known);
    else
        fields.note(fields.reader().fail(fmt::format("unknown cause \"{}\"", cause)).error());
    readPlace(fields, d.place);
    fields.text("kind", d.kind);
    fields.text("message", d.message);
    fields.text("hint", d.hint);
    for (const auto& element : fields.list("related")) {
        Fields one(element.value());
        RelatedPlace related;
        readPlace(one, related.place);
        one.text("message", related.message);
        fields.take(one.result(std::move(related)), d.related.emplace_back());
    }
    return fields.result(std::move(d));
}

} // namespace ptxwb
