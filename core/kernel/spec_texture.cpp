// Reads arguments of type "texture" and "surface", and checks them against their buffers.
// Source: CUDA Runtime API 13.0, cudaTextureDesc and cudaResourceDesc.
#include "kernel/spec_problems.h"
#include "kernel/texture.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

constexpr auto textureExample =
    R"({"name": "t", "type": "texture", "of": "image", "channels": 4, "address": "clamp", "filter": "linear"})";
constexpr auto surfaceExample = R"({"name": "s", "type": "surface", "of": "image"})";
constexpr auto addresses = std::to_array<std::string_view>({"clamp", "wrap", "mirror", "border"});

bool isChoice(SpecContext& c, const JsonReader& value, std::string_view key, std::span<const std::string_view> names) {
    const auto member = value.find(key);
    if (!member) return true;
    return isOneOf(c, *member, readText(c, *member, textureExample), key, names);
}

/// False where one of them is no address mode.
bool readAddress(SpecContext& c, const JsonReader& value) {
    const auto member = value.find("address");
    if (!member) return true;
    if (member->isText()) return isChoice(c, value, "address", addresses);
    const auto elements = c.problems.take(*member, member->elements(), R"("address": ["wrap", "clamp"])");
    if (!elements) return false;
    bool known = true;
    if (elements->empty() || elements->size() > Texture::maxDims) {
        c.problems.error(member->path(), fmt::format("{} address modes", elements->size()),
                         R"(one for all dimensions, or one for each from the width on: "address": ["wrap", "clamp"])");
        known = false;
    }
    for (const auto& element : *elements)
        known &= isOneOf(c, element, readText(c, element, R"("address": ["wrap", "clamp"])"), "address", addresses);
    return known;
}

bool readChannels(SpecContext& c, const JsonReader& value) {
    const auto member = value.find("channels");
    if (!member) return true;
    const auto number = readCount32(c, *member, R"("channels": 4)");
    if (number && (*number == 1 || *number == 2 || *number == 4)) return true;
    if (number)
        c.problems.error(member->path(), fmt::format("a texel of {} channels", *number),
                         R"(1, 2 or 4, which the buffer's last dimension then is: "channels": 4)");
    return false;
}

std::string_view memberOr(const JsonReader& value, std::string_view key) {
    const auto member = value.find(key);
    return member && member->isText() ? std::string_view(member->value().get_ref<const std::string&>())
                                      : std::string_view();
}

/// What the fields say together.
void checkSampling(SpecContext& c, const JsonReader& value) {
    const auto normalized = value.find("normalized");
    const bool isNormalized = normalized && normalized->value().get<bool>();
    const auto address = value.find("address");
    const auto turns = [](const nlohmann::json& mode) { return mode == "wrap" || mode == "mirror"; };
    if (address && !isNormalized &&
        (address->isText() ? turns(address->value()) : std::ranges::any_of(address->value(), turns)))
        c.problems.error(address->path(), "wrap and mirror are for normalized coordinates: CUDA clamps all others",
                         R"("normalized": true, or "address": "clamp" or "border")");
    if (memberOr(value, "memory") != "linear") return;
    const auto refuse = [&](std::string_view key, std::string_view what) {
        c.problems.error(value.find(key)->path(), fmt::format("{} on linear memory, which only tex1Dfetch reads", what),
                         R"("memory": "array", or leave it out)");
    };
    if (address) refuse("address", "an address mode");
    if (memberOr(value, "filter") == "linear") refuse("filter", "a linear filter");
    if (isNormalized) refuse("normalized", "normalized coordinates");
}

class TextureCheck {
public:
    TextureCheck(SpecProblems& problems, const KernelSpec& spec) : m_problems(problems), m_spec(spec) {}

    void all() {
        for (std::size_t i = 0; i < m_spec.arguments.size(); ++i) {
            const Argument& argument = m_spec.arguments[i];
            if (!isImage(argument) || argument.of.empty()) continue;
            const Argument* buffer = findArgument(m_spec, argument.of.front());
            if (!buffer || buffer->kind != ArgumentKind::buffer) continue; // noted already
            m_path = fmt::format("arguments[{}]", i);
            m_bufferPath = fmt::format("arguments[{}]", buffer - m_spec.arguments.data());
            const TextureOptions options = textureOptions(argument);
            elements(argument, *buffer, options);
            shape(argument, *buffer, options);
            otherUses(argument, *buffer, options);
        }
    }

private:
    static bool isImage(const Argument& argument) {
        return argument.kind == ArgumentKind::texture || argument.kind == ArgumentKind::surface;
    }

    void elements(const Argument& argument, const Argument& buffer, const TextureOptions& options) {
        constexpr auto known = std::to_array({ElementType::s8, ElementType::u8, ElementType::b8, ElementType::s16,
                                              ElementType::u16, ElementType::b16, ElementType::s32, ElementType::u32,
                                              ElementType::b32, ElementType::f16, ElementType::f32});
        if (std::ranges::find(known, buffer.type) == known.end())
            return m_problems.error(
                m_path + ".of",
                fmt::format("{} has elements of type {}, which no texel has", buffer.name, name(buffer.type)),
                "a channel is s8, u8, s16, u16, s32, u32, f16 or f32");
        if (argument.kind == ArgumentKind::texture && buffer.access != Access::in)
            m_problems.error(m_path + ".of",
                             fmt::format("{} is \"{}\", and a texture is only read", buffer.name, name(buffer.access)),
                             R"("access": "in"; what is written through an image goes through a "surface")");
        const bool normalizes = options.read == Texture::Read::normalizedFloat;
        if (normalizes && (isFloat(buffer.type) || sizeOf(buffer.type) > 2))
            m_problems.error(m_path + ".read", fmt::format("{} is not read as normalized float", name(buffer.type)),
                             R"(s8, u8, s16 and u16 are; "read": "element" for others)");
        if (options.filter == Texture::Filter::linear && !isFloat(buffer.type) && !normalizes)
            m_problems.error(m_path + ".filter",
                             fmt::format("a linear filter over {}, which is read as it is", name(buffer.type)),
                             R"("read": "normalized_float" for 8 and 16 bits, or "filter": "point")");
    }

    void shape(const Argument& argument, const Argument& buffer, const TextureOptions& options) {
        const std::size_t rank = buffer.count ? 1 : buffer.shape.size();
        const std::size_t dims = rank - std::min<std::size_t>(options.channels ? 1 : 0, rank);
        if (dims < 1 || dims > Texture::maxDims)
            return m_problems.error(
                m_path + (options.channels ? ".channels" : ".of"),
                fmt::format("{} has {} dimension{}{}", buffer.name, rank, rank == 1 ? "" : "s",
                            options.channels ? ", and the last one is the channels" : ""),
                fmt::format("a {} has 1 to 3, e.g. \"shape\": [\"height\", \"width\"]; with \"channels\": 4 the shape "
                            "is [\"height\", \"width\", 4]",
                            name(argument.kind)));
        if (!buffer.strides.empty())
            m_problems.error(m_bufferPath + ".strides",
                             fmt::format("{} is the buffer of the {} {}, whose texels lie without gaps", buffer.name,
                                         name(argument.kind), argument.name),
                             R"(leave "strides" out)");
        if (options.address.size() > 1 && options.address.size() != dims)
            m_problems.error(m_path + ".address",
                             fmt::format("{} address modes for {} dimensions", options.address.size(), dims),
                             "one for all, or one for each, the width's first");
        if (options.memory == Texture::Memory::linear && dims != 1)
            m_problems.error(m_path + ".memory",
                             fmt::format("linear memory of {} dimensions: only tex1Dfetch reads it here", dims),
                             R"("memory": "array")");
    }

    /// An array is other memory than the buffer: what else reaches the buffer would see something else.
    void otherUses(const Argument& argument, const Argument& buffer, const TextureOptions& options) {
        if (buffer.mayAliasAll || !buffer.mayAlias.empty())
            m_problems.error(m_bufferPath + ".may_alias",
                             fmt::format("{} is the buffer of the {} {}, which shares its place with none", buffer.name,
                                         name(argument.kind), argument.name),
                             R"(leave "may_alias" out)");
        for (const Argument& other : m_spec.arguments) {
            if (&other == &argument) continue;
            const bool reaches =
                std::ranges::find(other.of, buffer.name) != other.of.end() ||
                std::ranges::find(other.fields, buffer.name, &StructField::buffer) != other.fields.end();
            if (!reaches) continue;
            if (!isImage(other)) {
                if (options.memory == Texture::Memory::linear) continue;
                m_problems.error(m_path + ".of",
                                 fmt::format("{} is reached through {} ({}) too: an array is other memory", buffer.name,
                                             other.name, name(other.kind)),
                                 "give each its own buffer");
            } else if (&other > &argument) { // each pair once
                const TextureOptions theirs = textureOptions(other);
                if (theirs.channels.value_or(1) == options.channels.value_or(1) &&
                    theirs.channels.has_value() == options.channels.has_value() && theirs.memory == options.memory)
                    continue;
                m_problems.error(m_path + ".of",
                                 fmt::format("{} and {} are both of {}, with other channels or other memory",
                                             argument.name, other.name, buffer.name),
                                 "images of one buffer share its array: give both the same, or each its own buffer");
            }
        }
    }

    SpecProblems& m_problems;
    const KernelSpec& m_spec;
    std::string m_path, m_bufferPath;
};

} // namespace

bool readTexture(SpecContext& c, const JsonReader& value, const Argument& argument) {
    if (argument.kind == ArgumentKind::surface)
        return c.problems.onlyKeys(value, {"name", "type", "of", "channels"}, surfaceExample) && readChannels(c, value);
    bool fine = c.problems.onlyKeys(
        value, {"name", "type", "of", "channels", "memory", "address", "filter", "normalized", "read"}, textureExample);
    fine &= readChannels(c, value);
    fine &= readAddress(c, value);
    fine &= isChoice(c, value, "memory", std::to_array<std::string_view>({"array", "linear"}));
    fine &= isChoice(c, value, "filter", std::to_array<std::string_view>({"point", "linear"}));
    fine &= isChoice(c, value, "read", std::to_array<std::string_view>({"element", "normalized_float"}));
    if (const auto normalized = value.find("normalized")) fine &= readBoolean(c, *normalized).has_value();
    if (fine) checkSampling(c, value);
    return fine;
}

void checkTextures(SpecProblems& problems, const KernelSpec& spec) {
    TextureCheck(problems, spec).all();
}

} // namespace ptxwb::kernel
