#include "kernel/draft_types.h"
#include "kernel/spec_problems.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

constexpr auto bufferExample = R"({"name": "x", "type": "f32", "count": "n", "access": "in"})";
constexpr auto structExample =
    R"({"name": "p", "type": "struct", "size": 16, "align": 8, "fields": [{"offset": 8, "buffer": "x"}]})";

/// Type names that are no element types, in the order of ArgumentKind from `structure` on.
constexpr auto kindNames = std::to_array<std::string_view>(
    {"scalar", "buffer", "struct", "bytes", "null", "pointer_array", "tensormap", "texture", "surface"});

void readScalarArgument(SpecContext& c, const JsonReader& value, Argument& argument) {
    argument.kind = ArgumentKind::scalar;
    c.problems.onlyKeys(value, {"name", "type", "value", "fixed"}, {});
    if (const auto fixed = value.find("fixed")) argument.isFixed = readBoolean(c, *fixed).value_or(false);
    if (!value.has("value"))
        return c.problems.error(value.path(), "neither \"value\" nor \"count\" or \"shape\" is given",
                                fmt::format(R"(a scalar has "value": "n", a buffer is {})", bufferExample));
    argument.value = readScalar(c, *value.find("value"), argument.type);
}

void readAlias(SpecContext& c, const JsonReader& value, Argument& argument) {
    if (value.value().is_boolean()) {
        argument.mayAliasAll = value.value().get<bool>();
    } else if (value.isText()) {
        argument.mayAlias = {value.value().get<std::string>()};
    } else if (const auto elements = c.problems.take(value, value.elements(), R"("may_alias": ["x"])")) {
        for (const auto& element : *elements)
            argument.mayAlias.push_back(readText(c, element, R"("may_alias": ["x"])"));
    }
}

std::vector<Formula> readExtents(SpecContext& c, const JsonReader& object, std::string_view key,
                                 std::string_view example) {
    std::vector<Formula> extents;
    const auto member = object.find(key);
    if (!member) return extents;
    const auto elements = c.problems.take(*member, member->elements(), example);
    if (!elements) return extents;
    if (elements->empty()) c.problems.error(member->path(), "the list is empty", fmt::format("e.g. {}", example));
    for (const auto& element : *elements) extents.push_back(readFormula(c, element, Arithmetic::integer, example));
    return extents;
}

void readBuffer(SpecContext& c, const JsonReader& value, Argument& argument) {
    argument.kind = ArgumentKind::buffer;
    c.problems.onlyKeys(value,
                        {"name", "type", "count", "shape", "strides", "access", "fill", "mean", "value", "align",
                         "may_alias", "tolerance"},
                        bufferExample);
    if (const auto count = value.find("count"))
        argument.count = readFormula(c, *count, Arithmetic::integer, R"("count": "n")");
    argument.shape = readExtents(c, value, "shape", R"("shape": ["rows", "columns"])");
    argument.strides = readExtents(c, value, "strides", R"("strides": ["pitch", 1])");
    if (argument.count && !argument.shape.empty())
        c.problems.error(value.path(), "both \"count\" and \"shape\" are given", "keep one of them");
    if (!argument.strides.empty() && argument.strides.size() != argument.shape.size())
        c.problems.error(value.path() + ".strides",
                         fmt::format("{} strides for {} dimensions", argument.strides.size(), argument.shape.size()),
                         R"(one stride, in elements, for each dimension of "shape")");
    constexpr auto accesses = std::to_array<std::string_view>({"in", "out", "inout", "scratch"});
    if (const auto access = c.problems.take(value, value.at("access"), bufferExample)) {
        const auto text = readText(c, *access, R"("access": "in")");
        if (isOneOf(c, *access, text, "access", accesses))
            argument.access = static_cast<Access>(std::ranges::find(accesses, text) - accesses.begin());
    }
    if (const auto fill = value.find("fill")) argument.fill = readFill(c, *fill);
    for (const auto key : {"mean", "value"}) {
        const auto member = value.find(key);
        if (!member) continue;
        if (!argument.fill) argument.fill = Fill{};
        auto& target = key == std::string_view("mean") ? argument.fill->mean : argument.fill->value;
        target = readNumber(c, *member, fmt::format("\"{}\": 0.5", key));
    }
    if (argument.fill) checkFill(c, value.path() + (value.has("fill") ? ".fill" : ""), *argument.fill);
    if (argument.fill && argument.access == Access::out)
        c.problems.warning(value.path(), "\"fill\" is not used: an output starts as a pattern that must be overwritten",
                           R"("access": "inout" for a buffer that the kernel reads first)");
    argument.align = sizeOf(argument.type);
    if (const auto align = value.find("align")) {
        argument.align = readCount32(c, *align, R"("align": 16)").value_or(argument.align);
        if (!std::has_single_bit(argument.align) || argument.align > 256)
            c.problems.error(align->path(), fmt::format("{} is no power of two up to 256", argument.align),
                             R"(e.g. "align": 16)");
        else if (argument.align < sizeOf(argument.type))
            c.problems.error(align->path(),
                             fmt::format("{} is less than the {} bytes of one {}", argument.align,
                                         sizeOf(argument.type), name(argument.type)),
                             "a kernel could not even read single elements");
    }
    if (const auto alias = value.find("may_alias")) readAlias(c, *alias, argument);
    if (const auto tolerance = value.find("tolerance")) argument.tolerance = readTolerance(c, *tolerance);
}

void readField(SpecContext& c, const JsonReader& value, StructField& field) {
    constexpr auto example = R"({"offset": 0, "type": "u8", "value": 90} or {"offset": 8, "buffer": "x"})";
    if (!c.problems.onlyKeys(value, {"offset", "type", "value", "buffer"}, example)) return;
    if (const auto offset = c.problems.take(value, value.at("offset"), example))
        field.offset = readCount32(c, *offset, example).value_or(0);
    if (value.has("buffer")) {
        field.buffer = readTextMember(c, value, "buffer", example);
        if (value.has("type") || value.has("value"))
            c.problems.error(value.path(), "both \"buffer\" and a value are given", fmt::format("e.g. {}", example));
        return;
    }
    const auto type = c.problems.take(value, value.at("type"), example);
    const auto number = c.problems.take(value, value.at("value"), example);
    if (type) field.type = readElementType(c, *type).value_or(field.type);
    if (number) field.value = readScalar(c, *number, field.type);
}

std::uint32_t readAlign(SpecContext& c, const JsonReader& value, std::uint32_t fallback) {
    const auto align = value.find("align");
    if (!align) return fallback;
    const auto number = readCount32(c, *align, R"("align": 8)").value_or(1);
    if (std::has_single_bit(number) && number <= 256) return number;
    c.problems.error(align->path(), fmt::format("{} is no power of two up to 256", number), R"(e.g. "align": 8)");
    return fallback;
}

void readStruct(SpecContext& c, const JsonReader& value, Argument& argument) {
    c.problems.onlyKeys(value, {"name", "type", "size", "align", "fields"}, structExample);
    if (const auto size = c.problems.take(value, value.at("size"), structExample))
        argument.size = readCount32(c, *size, structExample).value_or(0);
    const auto fields = c.problems.take(value, value.at("fields"), structExample);
    const auto elements = fields ? c.problems.take(*fields, fields->elements(), structExample) : std::nullopt;
    std::uint32_t largest = 1;
    for (std::size_t i = 0; elements && i < elements->size(); ++i) {
        auto& field = argument.fields.emplace_back();
        readField(c, (*elements)[i], field);
        largest = std::max(largest, field.buffer.empty() ? sizeOf(field.type) : 8);
    }
    argument.align = readAlign(c, value, largest);
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') return (c | 0x20) - 'a' + 10;
    return -1;
}

void readBytes(SpecContext& c, const JsonReader& value, Argument& argument) {
    constexpr auto example = R"({"name": "p", "type": "bytes", "hex": "0a0b 0c0d"})";
    c.problems.onlyKeys(value, {"name", "type", "hex", "align"}, example);
    argument.align = readAlign(c, value, 1);
    const auto hex = c.problems.take(value, value.at("hex"), example);
    if (!hex) return;
    const auto text = readText(c, *hex, example);
    int high = -1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' && high < 0) continue;
        const int digit = hexDigit(text[i]);
        if (digit < 0)
            return c.problems.error(hex->path(),
                                    fmt::format("\"{}\" at position {} is no hexadecimal digit", text[i], i + 1),
                                    fmt::format("e.g. {}", example));
        if (high >= 0) argument.bytes.push_back(static_cast<std::uint8_t>(high * 16 + digit));
        high = high < 0 ? digit : -1;
    }
    if (high >= 0) c.problems.error(hex->path(), "the last byte has one digit only", fmt::format("e.g. {}", example));
}

/// Pointer arrays, tensor maps, textures and surfaces: the buffers they are made of, the rest kept as JSON text.
void readOverBuffers(SpecContext& c, const JsonReader& value, Argument& argument) {
    const bool isArray = argument.kind == ArgumentKind::pointerArray;
    const auto example = isArray ? R"({"name": "p", "type": "pointer_array", "of": ["a", "b"]})"
                         : argument.kind == ArgumentKind::tensormap
                             ? R"({"name": "t", "type": "tensormap", "of": "a", "box": [64, 64]})"
                         : argument.kind == ArgumentKind::texture
                             ? R"({"name": "t", "type": "texture", "of": "image", "filter": "linear"})"
                             : R"({"name": "s", "type": "surface", "of": "image"})";
    bool hasOptions = true;
    if (isArray)
        c.problems.onlyKeys(value, {"name", "type", "of"}, example);
    else if (argument.kind == ArgumentKind::tensormap)
        readTensorMap(c, value, argument);
    else
        hasOptions = readTexture(c, value, argument);
    if (const auto of = c.problems.take(value, value.at("of"), example)) {
        if (isArray)
            argument.of = readTexts(c, value, "of", example);
        else
            argument.of = {readText(c, *of, example)};
    }
    nlohmann::json options = value.value();
    for (const auto key : {"name", "type", "of"}) options.erase(key);
    for (auto option = options.begin(); option != options.end();) // a null counts as left out, as everywhere
        option = option->is_null() ? options.erase(option) : std::next(option);
    if (!options.empty() && hasOptions) argument.options = options.dump();
}

} // namespace

std::optional<Argument> readArgument(SpecContext& c, const JsonReader& value) {
    if (!value.isObject()) {
        c.problems.take(value, value.members(), bufferExample);
        return std::nullopt;
    }
    Argument argument;
    if (const auto member = c.problems.take(value, value.at("name"), bufferExample)) {
        argument.name = readText(c, *member, R"("name": "x")");
        if (!argument.name.empty() && !isIdentifier(argument.name))
            c.problems.error(member->path(), fmt::format("\"{}\" cannot be a name", argument.name),
                             "a name has letters, digits and _, and does not start with a digit");
    }
    const auto type = c.problems.take(value, value.at("type"), bufferExample);
    if (!type) return argument;
    const auto text = readText(c, *type, R"("type": "f32")");
    const auto kind = std::ranges::find(kindNames.begin() + 2, kindNames.end(), text);
    if (kind == kindNames.end()) {
        std::vector<std::string_view> known(elementTypeNames().begin(), elementTypeNames().end());
        known.insert(known.end(), kindNames.begin() + 2, kindNames.end());
        if (const auto cpp = readCppType(text); cpp.element && !elementType(text)) {
            c.problems.error(type->path(), fmt::format("unknown type \"{}\"", text),
                             fmt::format("did you mean \"{}\"?", name(*cpp.element)));
            return argument;
        }
        if (!isOneOf(c, *type, text, "type", known)) return argument;
        argument.type = *elementType(text);
        if (value.has("count") || value.has("shape"))
            readBuffer(c, value, argument);
        else
            readScalarArgument(c, value, argument);
        return argument;
    }
    argument.kind = static_cast<ArgumentKind>(kind - kindNames.begin());
    switch (argument.kind) {
    case ArgumentKind::structure: readStruct(c, value, argument); break;
    case ArgumentKind::bytes: readBytes(c, value, argument); break;
    case ArgumentKind::null: c.problems.onlyKeys(value, {"name", "type"}, {}); break;
    default: readOverBuffers(c, value, argument); break;
    }
    return argument;
}

std::string_view name(ArgumentKind kind) {
    return kindNames[static_cast<std::size_t>(kind)];
}

} // namespace ptxwb::kernel
