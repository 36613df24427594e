#include "kernel/spec_problems.h"

#include "support/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

using namespace std::string_view_literals;

/// Only what an integer or a real number in JSON can be; a fraction where a whole number is needed is named as such.
std::string numberText(const JsonReader& value) {
    return value.value().dump();
}

constexpr auto randomFills =
    std::to_array<std::string_view>({"normal", "uniform", "zeros", "ones", "iota", "constant", "integers", "sparse",
                                     "denormal", "huge", "cancelling", "special", "isolated", "negative", "wide"});

} // namespace

std::string readText(SpecContext& c, const JsonReader& value, std::string_view example) {
    auto text = c.problems.take(value, value.text(), example);
    if (text && text->empty()) c.problems.error(value.path(), "the text is empty", fmt::format("e.g. {}", example));
    return std::move(text).value_or("");
}

std::string readTextMember(SpecContext& c, const JsonReader& object, std::string_view key, std::string_view example) {
    const auto member = object.find(key);
    return member ? readText(c, *member, example) : std::string();
}

std::vector<std::string> readTexts(SpecContext& c, const JsonReader& object, std::string_view key,
                                   std::string_view example) {
    std::vector<std::string> texts;
    const auto member = object.find(key);
    if (!member) return texts;
    const auto elements = c.problems.take(*member, member->elements(), example);
    if (!elements) return texts;
    for (const auto& element : *elements)
        if (auto text = c.problems.take(element, element.text(), example)) texts.push_back(std::move(*text));
    return texts;
}

std::string readFileName(SpecContext& c, const JsonReader& value, std::string_view example) {
    const std::string file = readText(c, value, example);
    const std::filesystem::path path(file);
    const bool escapes = std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
    const auto unusable =
        std::ranges::find_if(file, [](char ch) { return ch == '"' || ch == '\\' || (ch >= 0 && ch < ' '); });
    if (unusable != file.end())
        c.problems.error(value.path(), "the name has a quote, a backslash or a control character",
                         "no #include can name such a file: rename it");
    if (path.is_absolute() || escapes)
        c.problems.error(value.path(), fmt::format("\"{}\" is outside the spec's folder", file),
                         "files travel with the spec: copy or link it into the folder and give the relative path");
    return file;
}

std::vector<std::string> readFileNames(SpecContext& c, const JsonReader& object, std::string_view key,
                                       std::string_view example) {
    std::vector<std::string> names;
    const auto member = object.find(key);
    const auto elements = member ? c.problems.take(*member, member->elements(), example) : std::nullopt;
    if (!elements) return names;
    for (const auto& element : *elements) names.push_back(readFileName(c, element, example));
    return names;
}

Formula readFormula(SpecContext& c, const JsonReader& value, Arithmetic arithmetic, std::string_view example) {
    Formula formula;
    formula.isNumber = value.isNumber();
    if (!value.isNumber() && !value.isText()) {
        c.problems.take(value,
                        Expected<int>(value.fail(
                            fmt::format("expected a number or an expression, got {}", value.value().type_name()))),
                        example);
        return formula;
    }
    const std::string text = value.isNumber() ? numberText(value) : value.value().get<std::string>();
    auto compiled = Expression::compile(text, c.symbols, arithmetic);
    if (compiled)
        formula.expression = std::move(*compiled);
    else
        c.problems.expression(value.path(), std::move(compiled.error()));
    return formula;
}

Formula readScalar(SpecContext& c, const JsonReader& value, ElementType type) {
    const auto& json = value.value();
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t(INT64_MAX) &&
        (type == ElementType::u64 || type == ElementType::b64))
        return {{}, true, json.get<std::uint64_t>()};
    return readFormula(c, value, isFloat(type) ? Arithmetic::real : Arithmetic::integer,
                       isFloat(type) ? "\"value\": 2.5 or \"value\": \"1.0 / n\"" : "\"value\": 7 or \"value\": \"n\"");
}

Formula3 readTriple(SpecContext& c, const JsonReader& value, std::string_view example) {
    Formula3 triple{Formula::constant(1), Formula::constant(1), Formula::constant(1)};
    const auto elements = c.problems.take(value, value.elements(), example);
    if (!elements) return triple;
    if (elements->empty() || elements->size() > 3)
        c.problems.error(value.path(), fmt::format("expected x, y and z, got {} elements", elements->size()),
                         fmt::format("e.g. {}", example));
    for (std::size_t i = 0; i < std::min<std::size_t>(3, elements->size()); ++i)
        triple[i] = readFormula(c, (*elements)[i], Arithmetic::integer, example);
    return triple;
}

LaunchShape readLaunch(SpecContext& c, const JsonReader& value) {
    constexpr auto example = R"x("launch": {"grid": ["ceil_div(n, 256)", 1, 1], "block": [256, 1, 1]})x";
    LaunchShape shape;
    if (!c.problems.onlyKeys(value, {"grid", "block", "shared_bytes", "cluster", "cooperative"}, example)) return shape;
    if (const auto grid = c.problems.take(value, value.at("grid"), example))
        shape.grid = readTriple(c, *grid, R"x("grid": ["ceil_div(n, 256)", 1, 1])x");
    if (const auto block = c.problems.take(value, value.at("block"), example))
        shape.block = readTriple(c, *block, R"("block": [256, 1, 1])");
    if (const auto shared = value.find("shared_bytes"))
        shape.sharedBytes = readFormula(c, *shared, Arithmetic::integer, R"("shared_bytes": 1024)");
    if (const auto cluster = value.find("cluster")) shape.cluster = readTriple(c, *cluster, R"("cluster": [2, 1, 1])");
    if (const auto cooperative = value.find("cooperative"))
        shape.cooperative = readBoolean(c, *cooperative).value_or(false);
    return shape;
}

std::vector<LaunchStep> readSteps(SpecContext& c, const JsonReader& list, std::string_view example) {
    std::vector<LaunchStep> steps;
    const auto elements = c.problems.take(list, list.elements(), example);
    if (!elements) return steps;
    if (elements->empty()) c.problems.error(list.path(), "the list is empty", fmt::format("e.g. {}", example));
    for (const auto& element : *elements) {
        auto& step = steps.emplace_back();
        if (!c.problems.onlyKeys(element, {"entry", "launch", "arguments"}, example)) continue;
        if (const auto entry = c.problems.take(element, element.at("entry"), example))
            step.entry = readText(c, *entry, example);
        if (const auto launch = c.problems.take(element, element.at("launch"), example))
            step.launch = readLaunch(c, *launch);
        c.problems.take(element, element.at("arguments"), example);
        step.arguments = readTexts(c, element, "arguments", example);
    }
    return steps;
}

void checkFill(SpecContext& c, const std::string& path, const Fill& fill) {
    const auto only = [&](std::string_view key, const std::optional<double>& value,
                          std::initializer_list<FillKind> kinds) {
        if (value && std::ranges::find(kinds, fill.kind) == kinds.end())
            c.problems.error(path, fmt::format("\"{}\" means nothing for {}", key, name(fill.kind)), "leave it out");
    };
    using enum FillKind;
    only("mean", fill.mean, {normal, uniform, sparse, cancelling, special, isolated, negative});
    only("scale", fill.scale, {normal, uniform, sparse, cancelling, special, isolated, negative});
    only("value", fill.value, {constant});
    only("low", fill.low, {uniform, integers});
    only("high", fill.high, {uniform, integers});
    if (fill.low && fill.high && !(*fill.low <= *fill.high))
        c.problems.error(path, fmt::format("low {} is over high {}", *fill.low, *fill.high), "swap them");
}

Fill readFill(SpecContext& c, const JsonReader& value) {
    Fill fill;
    constexpr auto example = R"("fill": "normal" or "fill": {"kind": "uniform", "low": 0, "high": 10})";
    if (value.isText()) {
        const auto text = value.value().get<std::string>();
        if (isOneOf(c, value, text, "fill", randomFills)) fill.kind = *fillKind(text);
        return fill;
    }
    if (!c.problems.onlyKeys(value, {"kind", "file", "mean", "scale", "value", "low", "high"}, example)) return fill;
    if (const auto file = value.find("file")) {
        fill.kind = FillKind::file;
        fill.file = readFileName(c, *file, R"("fill": {"file": "x.npy"})");
        if (!fill.file.ends_with(".npy") && !fill.file.ends_with(".bin"))
            c.problems.error(file->path(), fmt::format("\"{}\" is neither .npy nor .bin", fill.file),
                             "a .bin file holds the elements, little-endian, with nothing before them");
        if (value.value().size() > 1)
            c.problems.error(value.path(), "a file leaves nothing else to say", R"(e.g. "fill": {"file": "x.npy"})");
        return fill;
    }
    if (const auto kind = c.problems.take(value, value.at("kind"), example))
        if (const auto text = readText(c, *kind, example); isOneOf(c, *kind, text, "fill", randomFills))
            fill.kind = *fillKind(text);
    const auto number = [&](std::string_view key, std::optional<double>& target) {
        if (const auto member = value.find(key)) target = readNumber(c, *member, fmt::format("\"{}\": 0.5", key));
    };
    number("mean", fill.mean);
    number("scale", fill.scale);
    number("value", fill.value);
    number("low", fill.low);
    number("high", fill.high);
    return fill;
}

Tolerance readTolerance(SpecContext& c, const JsonReader& value) {
    Tolerance tolerance;
    constexpr auto example =
        R"("tolerance": {"rule": "auto"} or {"rule": "absolute_relative", "absolute": 1e-6, "relative": 1e-5})";
    if (!c.problems.onlyKeys(value, {"rule", "absolute", "relative", "ulp"}, example)) return tolerance;
    const auto rule = c.problems.take(value, value.at("rule"), example);
    if (!rule) return tolerance;
    constexpr auto rules = std::to_array<std::string_view>({"auto", "absolute_relative", "ulp", "exact"});
    const auto text = readText(c, *rule, example);
    if (!isOneOf(c, *rule, text, "rule", rules)) return tolerance;
    tolerance.rule = static_cast<ToleranceRule>(std::ranges::find(rules, text) - rules.begin());
    const auto bound = [&](std::string_view key, ToleranceRule owner) -> double {
        const auto member = value.find(key);
        if (!member) return 0;
        const double number = readNumber(c, *member, fmt::format("\"{}\": 1e-6", key)).value_or(0);
        if (tolerance.rule != owner)
            c.problems.error(member->path(), fmt::format("means nothing under the rule {}", text), "leave it out");
        else if (!(number >= 0))
            c.problems.error(member->path(), fmt::format("{} is negative", number), "a bound is 0 or more");
        return number;
    };
    tolerance.absolute = bound("absolute", ToleranceRule::absoluteRelative);
    tolerance.relative = bound("relative", ToleranceRule::absoluteRelative);
    const double ulp = bound("ulp", ToleranceRule::ulp);
    if (ulp != std::floor(ulp) || ulp > 1e15)
        c.problems.error(value.path() + ".ulp", "expected a whole number", R"(e.g. "ulp": 4)");
    else if (ulp > 0)
        tolerance.ulp = static_cast<std::uint64_t>(ulp);
    if (tolerance.rule == ToleranceRule::ulp && !value.has("ulp"))
        c.problems.error(value.path(), "\"ulp\" is missing", R"(e.g. {"rule": "ulp", "ulp": 4})");
    if (tolerance.rule == ToleranceRule::absoluteRelative && !value.has("absolute") && !value.has("relative"))
        c.problems.error(value.path(), "neither \"absolute\" nor \"relative\" is given",
                         R"(e.g. {"rule": "absolute_relative", "absolute": 1e-6, "relative": 1e-5})");
    return tolerance;
}

std::optional<ElementType> readElementType(SpecContext& c, const JsonReader& value) {
    const auto text = readText(c, value, R"("type": "f32")");
    if (text.empty() || !isOneOf(c, value, text, "type", elementTypeNames())) return std::nullopt;
    return elementType(text);
}

std::optional<std::uint32_t> readCount32(SpecContext& c, const JsonReader& value, std::string_view example) {
    const auto number = c.problems.take(value, value.integer(), example);
    if (!number) return std::nullopt;
    if (*number >= 0 && *number <= INT32_MAX) return static_cast<std::uint32_t>(*number);
    c.problems.error(value.path(), fmt::format("{} is not between 0 and {}", *number, INT32_MAX),
                     fmt::format("e.g. {}", example));
    return std::nullopt;
}

std::optional<bool> readBoolean(SpecContext& c, const JsonReader& value) {
    const std::string& path = value.path();
    return c.problems.take(value, value.boolean(), fmt::format("\"{}\": true", path.substr(path.rfind('.') + 1)));
}

std::optional<double> readNumber(SpecContext& c, const JsonReader& value, std::string_view example) {
    return c.problems.take(value, value.number(), example);
}

bool isOneOf(SpecContext& c, const JsonReader& value, std::string_view text, std::string_view what,
             std::span<const std::string_view> known) {
    if (std::ranges::find(known, text) != known.end()) return true;
    const auto nearest = nearestName(text, known);
    c.problems.error(value.path(), fmt::format("unknown {} \"{}\"", what, text),
                     nearest.empty() ? fmt::format("known: {}", fmt::join(known, ", "))
                                     : fmt::format("did you mean \"{}\"?", nearest));
    return false;
}

} // namespace ptxwb::kernel
