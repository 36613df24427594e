#include "support/finding_json.h"

#include "support/json_fields.h"

#include <fmt/format.h>
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

void readPlace(JsonFields& fields, Place& place) {
    fields.read("file", place.file);
    fields.read("line", place.line);
    fields.read("column", place.column);
    fields.read("length", place.length);
}

Expected<CudaPlace> readCudaPlace(const JsonReader& reader) {
    CudaPlace place;
    JsonFields fields(reader);
    fields.read("file", place.file);
    fields.read("line", place.line);
    return fields.result(std::move(place));
}

Expected<RelatedFinding> readRelatedFinding(const JsonReader& reader) {
    RelatedFinding related;
    JsonFields fields(reader);
    fields.read("line", related.line);
    fields.read("column", related.column);
    fields.read("block", related.block);
    fields.read("thread", related.thread);
    fields.read("access", related.access);
    fields.read("message", related.message);
    return fields.result(std::move(related));
}

Expected<RelatedPlace> readRelatedPlace(const JsonReader& reader) {
    RelatedPlace related;
    JsonFields fields(reader);
    readPlace(fields, related.place);
    fields.read("message", related.message);
    return fields.result(std::move(related));
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
    json value{{"kind", name(f.kind)},           {"check", f.check},
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
    if (f.asAllocated) value["as_allocated"] = true;
    return value;
}

Expected<Finding> findingFromJson(const json& value) {
    JsonFields fields{JsonReader(value)};
    Finding f;
    std::string kind;
    fields.take(fields.reader().text("kind"), kind);
    if (const auto known = findingKind(kind))
        f.kind = *known;
    else
        fields.note(fields.reader().fail(fmt::format("unknown kind of finding \"{}\"", kind)).error());
    fields.read("check", f.check);
    fields.read("message", f.message);
    fields.read("hint", f.hint);
    fields.read("line", f.line);
    fields.read("column", f.column);
    fields.read("length", f.length);
    if (const auto cuda = fields.reader().find("cuda")) fields.take(readCudaPlace(*cuda), f.cuda.emplace());
    fields.read("argument", f.argument);
    fields.read("index", f.index);
    fields.read("got", f.got);
    fields.read("expected", f.expected);
    fields.read("allowed", f.allowed);
    fields.read("block", f.block);
    fields.read("thread", f.thread);
    fields.read("address", f.address);
    fields.read("bytes", f.bytes);
    if (const auto sizes = fields.reader().find("set")) {
        std::vector<std::pair<std::string, JsonReader>> members;
        fields.take(sizes->members(), members);
        for (const auto& [symbol, size] : members) fields.take(size.integer(), f.set[symbol]);
    }
    fields.read("fill", f.fill);
    fields.read("seed", f.seed);
    if (const auto placed = fields.reader().find("as_allocated")) fields.take(placed->boolean(), f.asAllocated);
    fields.read("occurrences", f.occurrences);
    fields.readList("related", f.related, readRelatedFinding);
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
    JsonFields fields{JsonReader(value)};
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
    fields.read("kind", d.kind);
    fields.read("message", d.message);
    fields.read("hint", d.hint);
    fields.readList("related", d.related, readRelatedPlace);
    return fields.result(std::move(d));
}

} // namespace ptxwb
