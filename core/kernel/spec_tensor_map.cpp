// Reads an argument of type "tensormap". Source: CUDA Driver API 13.0, cuTensorMapEncodeTiled.
#include "kernel/spec_problems.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

constexpr auto example = R"({"name": "t", "type": "tensormap", "of": "a", "box": [64, 64]})";

void readNumbers(SpecContext& c, const JsonReader& value, std::string_view key, std::uint32_t most) {
    const auto member = value.find(key);
    if (!member) return;
    const auto elements = c.problems.take(*member, member->elements(), example);
    if (!elements) return;
    if (elements->empty() || elements->size() > 5)
        c.problems.error(member->path(), fmt::format("{} numbers", elements->size()),
                         "a tensor map has 1 to 5 dimensions, in the order of the buffer's \"shape\"");
    for (const auto& element : *elements) {
        const auto number = readCount32(c, element, example);
        if (number && (*number == 0 || *number > most))
            c.problems.error(element.path(), fmt::format("{} elements", *number),
                             fmt::format("each dimension has 1 to {}", most));
    }
}

void readChoice(SpecContext& c, const JsonReader& value, std::string_view key,
                std::initializer_list<std::string_view> names) {
    const auto member = value.find(key);
    if (!member) return;
    const auto text = readText(c, *member, example);
    isOneOf(c, *member, text, key, std::span<const std::string_view>(names.begin(), names.size()));
}

} // namespace

void readTensorMap(SpecContext& c, const JsonReader& value, Argument& argument) {
    constexpr std::uint32_t headersAlign = 128;
    c.problems.onlyKeys(
        value,
        {"name", "type", "of", "box", "swizzle", "element_strides", "interleave", "l2_promotion", "oob_fill", "align"},
        example);
    c.problems.take(value, value.at("box"), example);
    readNumbers(c, value, "box", 256);
    readNumbers(c, value, "element_strides", 8);
    readChoice(c, value, "swizzle", {"none", "32B", "64B", "128B"});
    readChoice(c, value, "interleave", {"none", "16B", "32B"});
    readChoice(c, value, "l2_promotion", {"none", "64B", "128B", "256B"});
    readChoice(c, value, "oob_fill", {"zeros", "nan"});
    argument.align = headersAlign;
    const auto align = value.find("align");
    if (!align) return;
    argument.align = readCount32(c, *align, R"("align": 64)").value_or(headersAlign);
    if (argument.align != 64 && argument.align != headersAlign)
        c.problems.error(align->path(), fmt::format("{} is neither 64 nor 128", argument.align),
                         "the entry declares .align 64 (CUDA 12) or .align 128 (CUDA 13)");
}

} // namespace ptxwb::kernel
