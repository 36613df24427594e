#include "kernel/texture.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

constexpr std::array<std::string_view, 4> addressNames{"clamp", "wrap", "mirror", "border"};

Texture::Address addressOf(const nlohmann::json& text) {
    const auto found = std::ranges::find(addressNames, text.get<std::string>());
    return static_cast<Texture::Address>(found - addressNames.begin());
}

/// Texels that each dimension may have at most.
std::vector<std::uint64_t> limitsOf(const Texture& t) {
    if (t.memory == Texture::Memory::linear) return {std::uint64_t{1} << 28};
    switch (t.size.size()) {
    case 1: return {t.isSurface ? 32768U : 131072U};
    case 2: return {131072, 65536};
    default: return {16384, 16384, 16384};
    }
}

} // namespace

TextureOptions textureOptions(const Argument& argument) {
    const auto json = argument.options.empty() ? nlohmann::json::object() : nlohmann::json::parse(argument.options);
    TextureOptions options;
    if (json.contains("channels")) options.channels = json.at("channels").get<unsigned>();
    if (json.value("memory", std::string()) == "linear") options.memory = Texture::Memory::linear;
    if (const auto address = json.find("address"); address != json.end()) {
        if (address->is_string()) options.address = {addressOf(*address)};
        if (address->is_array())
            for (const auto& each : *address) options.address.push_back(addressOf(each));
    }
    if (json.value("filter", std::string()) == "linear") options.filter = Texture::Filter::linear;
    options.normalized = json.value("normalized", false);
    if (json.value("read", std::string()) == "normalized_float") options.read = Texture::Read::normalizedFloat;
    return options;
}

Expected<Texture> texture(const Argument& argument, ElementType type, std::span<const std::uint64_t> shape,
                          const std::string& path) {
    const TextureOptions options = textureOptions(argument);
    Texture t;
    t.isSurface = argument.kind == ArgumentKind::surface;
    t.type = type;
    t.channels = options.channels.value_or(1);
    if (options.channels && (shape.empty() || shape.back() != t.channels))
        return failure(Cause::badRequest,
                       fmt::format("{}.channels: {}, and the last dimension of {} has {}", path, t.channels,
                                   argument.of.front(), shape.empty() ? 0 : shape.back()),
                       "the channels of a texel lie together: they are the buffer's last dimension");
    t.size.assign(shape.rbegin() + (options.channels ? 1 : 0), shape.rend());
    t.memory = options.memory;
    t.address = options.address.size() == 1 ? std::vector<Texture::Address>(t.size.size(), options.address.front())
                                            : options.address;
    t.address.resize(t.size.size(), Texture::Address::clamp);
    t.filter = options.filter;
    t.normalized = options.normalized;
    t.read = options.read;
    const auto limits = limitsOf(t);
    for (std::size_t d = 0; d < t.size.size(); ++d)
        if (t.size[d] == 0 || t.size[d] > limits[d])
            return failure(Cause::badRequest,
                           fmt::format("{}: {} makes a {} of {} texels, and each dimension has 1 to {}", path,
                                       argument.of.front(), name(argument.kind), fmt::join(t.size, " x "),
                                       fmt::join(limits, " x ")),
                           "exclude such sizes with \"require\"");
    return t;
}

} // namespace ptxwb::kernel
