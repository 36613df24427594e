#include "kernel/tensor_map.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

constexpr std::size_t maxRank = 5;

nlohmann::json optionsOf(const Argument& argument) {
    return argument.options.empty() ? nlohmann::json::object() : nlohmann::json::parse(argument.options);
}

/// The spec's order is that of `shape`; a map begins with the dimension whose elements lie together.
std::vector<std::uint32_t> turned(const nlohmann::json& list) {
    auto out = list.get<std::vector<std::uint32_t>>();
    std::ranges::reverse(out);
    return out;
}

template <std::size_t n>
std::size_t indexOf(const nlohmann::json& options, const char* key, const std::array<std::string_view, n>& names) {
    const std::string text = options.value(key, std::string(names[0]));
    return static_cast<std::size_t>(std::ranges::find(names, text) - names.begin());
}

} // namespace

bool isInterleaved(const Argument& argument) {
    return argument.kind == ArgumentKind::tensormap &&
           optionsOf(argument).value("interleave", std::string("none")) != "none";
}

Expected<TensorMap> tensorMap(const Argument& argument, ElementType type, std::span<const std::uint64_t> shape,
                              std::span<const std::uint64_t> strides, const std::string& path) {
    constexpr std::array<std::string_view, 4> swizzles{"none", "32B", "64B", "128B"};
    constexpr std::array<std::string_view, 4> promotions{"none", "64B", "128B", "256B"};
    constexpr std::array<std::string_view, 2> fills{"zeros", "nan"};
    const nlohmann::json options = optionsOf(argument);
    TensorMap map;
    map.type = type;
    map.box = turned(options.at("box"));
    if (map.box.size() != shape.size() || shape.size() > maxRank)
        return failure(Cause::badRequest,
                       fmt::format("{}.box: {} numbers, and {} has {} dimensions", path, map.box.size(),
                                   argument.of.front(), shape.size()),
                       "a tensor map has the dimensions of its buffer's \"shape\", 1 to 5, in the same order");
    if (!shape.empty() && strides.back() != 1)
        return failure(Cause::badRequest,
                       fmt::format("{}: elements of {} lie {} apart in the last dimension", path, argument.of.front(),
                                   strides.back()),
                       "a tensor map needs a buffer whose last stride is 1");
    map.elementStrides.assign(shape.size(), 1);
    if (const auto given = options.find("element_strides"); given != options.end()) map.elementStrides = turned(*given);
    if (map.elementStrides.size() != shape.size())
        return failure(Cause::badRequest,
                       fmt::format("{}.element_strides: {} numbers for {} dimensions", path, map.elementStrides.size(),
                                   shape.size()),
                       "one for each dimension of the box");
    map.sizes.assign(shape.rbegin(), shape.rend());
    for (std::size_t d = strides.size(); d-- > 0;) map.strides.push_back(strides[d] * sizeOf(type));
    map.swizzle = static_cast<TensorMap::Swizzle>(indexOf(options, "swizzle", swizzles));
    map.fill = static_cast<TensorMap::Fill>(indexOf(options, "oob_fill", fills));
    const std::size_t promotion = indexOf(options, "l2_promotion", promotions);
    map.l2PromotionBytes = promotion ? 32U << promotion : 0;
    return map;
}

} // namespace ptxwb::kernel
