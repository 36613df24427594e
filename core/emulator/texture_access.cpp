// Fetches from textures, loads and stores of surfaces, and questions about both.
// Source: PTX ISA 9.0, 9.7.10.3 tex, 9.7.10.5 txq, 9.7.11.1 suld, 9.7.11.2 sust, 9.7.11.4 suq.
#include "emulator/memory_access.h"
#include "emulator/texture_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

/// What the instruction does.
using Does = TextureOp::Kind;
using Outside = TextureOp::Outside;

void refuse(const Step& step, unsigned lane, FindingKind kind, const char* check, std::string message,
            std::string hint) {
    Finding finding;
    finding.kind = kind;
    finding.check = check;
    finding.message = std::move(message);
    finding.hint = std::move(hint);
    report(step, lane, std::move(finding));
}

void misuse(const Step& step, unsigned lane, std::string message, std::string hint) {
    refuse(step, lane, FindingKind::launch, "texture", std::move(message), std::move(hint));
}

std::string_view nameOf(Texture::Use use) {
    return use == Texture::Use::texture ? "texture" : "surface";
}

/// A texture or surface with the buffer that its texels lie in. Of neighbouring lanes it is mostly the same.
struct Named {
    std::uint64_t handle = 0;
    const Texture* texture = nullptr;
    Allocation* allocation = nullptr;

    const std::uint8_t* texels() const { return allocation->bytes.data() + (texture->base - allocation->address); }
};

/// What is wrong with the use of an object that is there; empty where nothing is.
struct Wrong {
    std::string message, hint;
};
Wrong wrongUse(const TextureOp& op, const Texture& t) {
    const auto wanted = op.kind == Does::fetch || (op.kind == Does::query && !op.ofSurface) ? Texture::Use::texture
                                                                                            : Texture::Use::surface;
    if (t.use != wanted)
        return {
            fmt::format("the handle is that of a {}, and this instruction takes a {}", nameOf(t.use), nameOf(wanted)),
            fmt::format("pass an argument of type \"{}\"", nameOf(wanted))};
    if (op.kind == Does::query) {
        if (op.dims <= t.dims) return {};
        return {fmt::format("a {} of {} dimensions is asked for dimension {}", nameOf(t.use), t.dims, op.dims),
                "ask for those that it has"};
    }
    if (t.dims != op.dims)
        return {fmt::format("a {} of {} dimensions is accessed by {} coordinates", nameOf(t.use), t.dims, op.dims),
                "the geometry of the instruction must be that of the object: compare with the shape of its buffer"};
    if (op.kind != Does::fetch) return {};
    if (t.givesFloat() != op.givesFloat)
        return {fmt::format("the fetch wants {}, and the texture gives {}", op.givesFloat ? "f32" : "integers",
                            t.givesFloat() ? "f32" : "integers"),
                "integers become f32 only with \"read\": \"normalized_float\""};
    if (op.floatCoordinates && t.memory == Texture::Memory::linear)
        return {"a texture on linear memory is read by a floating-point coordinate",
                "use tex1Dfetch, or \"memory\": \"array\""};
    if (!op.floatCoordinates && (t.normalized || t.filter == Texture::Filter::linear))
        return {"a texture with normalized coordinates or a linear filter is read by integer coordinates: what that "
                "gives is not told",
                "use floating-point coordinates, or a point filter without \"normalized\""};
    return {};
}

/// False, and a finding, where the handle names nothing that the instruction could take.
bool find(const Step& step, unsigned lane, const TextureOp& op, Named& named) {
    const std::uint64_t handle = step.word64(op.handle, lane);
    if (!named.texture || named.handle != handle) {
        const auto& all = step.engine.launch.textures;
        const auto index = textureIndex(handle);
        named = {handle, index && *index < all.size() ? &all[*index] : nullptr, nullptr};
    }
    if (!named.texture) {
        misuse(step, lane, fmt::format("0x{:x} is the handle of no texture or surface", handle),
               "the spec gives one as an argument of type \"texture\" or \"surface\"");
        return false;
    }
    if (const Wrong wrong = wrongUse(op, *named.texture); !wrong.message.empty()) {
        misuse(step, lane, wrong.message, wrong.hint);
        return false;
    }
    if (op.kind == Does::query || named.allocation) return true;
    const std::uint64_t base = named.texture->base;
    named.allocation = step.engine.memory.find(base);
    if (named.allocation && named.allocation->holds(base, 1) &&
        named.texture->bytes() <= named.allocation->size - (base - named.allocation->address))
        return true;
    named.allocation = nullptr;
    reportOutOfBounds(step, lane, op.kind == Does::store ? Direction::write : Direction::read, Window::global, base,
                      static_cast<std::uint32_t>(std::min<std::uint64_t>(named.texture->bytes(), ~std::uint32_t{0})));
    return false;
}

void fetch(const Step& step, const TextureOp& op, unsigned lane, const Named& named) {
    TexelWords words{};
    Footprint footprint;
    if (op.floatCoordinates) {
        std::array<float, Texture::maxDims> at{};
        for (unsigned d = 0; d < op.dims; ++d) at[d] = std::bit_cast<float>(step.word32(op.at[d], lane));
        if (std::ranges::all_of(at, [](float x) { return std::isfinite(x); }))
            words = sampleTexture(*named.texture, named.texels(), at, footprint);
        else
            misuse(step, lane, "a coordinate is infinite or NaN: what such a fetch gives is not told",
                   "bound the coordinates before the fetch");
    } else if (op.dims > 1 || named.texture->memory == Texture::Memory::linear) { // a 1-D array gives an H200 zeros
        std::array<std::int64_t, Texture::maxDims> at{};
        for (unsigned d = 0; d < op.dims; ++d) at[d] = static_cast<std::int32_t>(step.word32(op.at[d], lane));
        words = fetchTexel(*named.texture, named.texels(), at, footprint);
    }
    const Allocation& own = *named.allocation;
    if (step.engine.options.initialisation && !own.initiallyWritten)
        for (unsigned i = 0; i < footprint.count; ++i) {
            const std::uint32_t bytes = named.texture->texelBytes();
            const std::uint64_t address = named.texture->base + footprint.texels[i] * bytes;
            if (!wasWritten(own, address, bytes)) reportUninitialized(step, lane, Window::global, address, bytes);
        }
    for (unsigned c = 0; c < words.size(); ++c)
        if (op.access.values[c].slot != noSlot) step.set(op.access.values[c], lane, words[c]);
}

/// The address of a surface access; empty where it is not made. x counts bytes, y and z rows and slices.
std::optional<std::uint64_t> surfaceAddress(const Step& step, const TextureOp& op, unsigned lane,
                                            const Texture& surface) {
    const std::int64_t bytes = std::int64_t{op.access.bytes} * op.access.count;
    std::array<std::int64_t, Texture::maxDims> at{}, last{};
    for (unsigned d = 0; d < op.dims; ++d) {
        at[d] = static_cast<std::int32_t>(step.word32(op.at[d], lane));
        last[d] = static_cast<std::int64_t>(surface.size[d]) - 1;
    }
    const std::int64_t width = static_cast<std::int64_t>(surface.size[0]) * surface.texelBytes();
    last[0] = width - bytes;
    if (at[0] % bytes) {
        refuse(step, lane, FindingKind::misaligned, "alignment",
               fmt::format("the x coordinate of a surface counts bytes, and {} is no multiple of the {} of this access",
                           at[0], bytes),
               "multiply the column by the size of a texel");
        return std::nullopt;
    }
    bool isInside = true;
    for (unsigned d = 0; d < op.dims; ++d) isInside &= at[d] >= 0 && at[d] <= last[d];
    if (!isInside && op.outside == Outside::zero) return std::nullopt;
    if (!isInside && op.outside == Outside::trap) {
        std::string place = fmt::format("{}", at[0]), size = fmt::format("{} bytes", width);
        for (unsigned d = 1; d < op.dims; ++d) {
            place += fmt::format(", {}", at[d]);
            size += fmt::format(" x {}", last[d] + 1);
        }
        refuse(step, lane, FindingKind::outOfBounds, "bounds",
               fmt::format("accesses {} bytes at ({}) of a surface of {}: .trap ends the kernel there", bytes, place,
                           size),
               "compare the coordinates with the size before the access, or use .zero or .clamp");
        return std::nullopt;
    }
    if (last[0] < 0) {
        misuse(step, lane,
               fmt::format("an access of {} bytes is clamped to a surface whose rows have {}", bytes, width),
               "use a narrower access");
        return std::nullopt;
    }
    if (!isInside) {
        last[0] -= last[0] % bytes;
        for (unsigned d = 0; d < op.dims; ++d) at[d] = std::clamp<std::int64_t>(at[d], 0, last[d]);
    }
    const std::int64_t rows = op.dims > 1 ? static_cast<std::int64_t>(surface.size[1]) : 1;
    return surface.base + static_cast<std::uint64_t>((at[2] * rows + at[1]) * width + at[0]);
}

void accessSurface(const Step& step, const TextureOp& op, unsigned lane, const Named& named) {
    const MemoryOp& m = op.access;
    const bool isLoad = op.kind == Does::load;
    Allocation& own = *named.allocation;
    const auto address = surfaceAddress(step, op, lane, *named.texture);
    if (!address) {
        if (isLoad) zeroElements(step, m, lane);
        return;
    }
    const std::uint32_t bytes = static_cast<std::uint32_t>(m.bytes) * m.count;
    Addresses a{};
    a.at[lane] = a.lowest = a.highest = *address;
    std::uint8_t* host = own.bytes.data() + (*address - own.address);
    const bool isNoted = step.engine.global && own.access == Access::readWrite;
    if (isLoad) {
        if (step.engine.options.initialisation && !own.initiallyWritten && !wasWritten(own, *address, bytes))
            reportUninitialized(step, lane, Window::global, *address, bytes);
        if (isNoted) noteLoad(step, m, own, a, 1U << lane);
        return loadElements(step, m, lane, host);
    }
    if (own.access == Access::readOnly) return reportReadOnly(step, lane, own, *address, bytes);
    if (!step.engine.lastWriters.empty()) noteWriters(step, a, 1U << lane, bytes);
    if (isNoted)
        storeNoted(step, m, own, a, 1U << lane);
    else
        storeElements(step, m, lane, host);
    setWritten(own, *address, bytes);
}

} // namespace

void textureStep(const Step& step) {
    const TextureOp& op = step.function().textures[step.op.extra];
    Named named;
    forLanes(step.mask, [&](unsigned lane) {
        if (!find(step, lane, op, named)) {
            if (op.kind != Does::store) zeroElements(step, op.access, lane);
            return;
        }
        switch (op.kind) {
        case Does::fetch: return fetch(step, op, lane, named);
        case Does::query:
            if (op.access.values[0].slot != noSlot)
                step.set(op.access.values[0], lane, named.texture->size[op.dims - 1]);
            return;
        default: return accessSurface(step, op, lane, named);
        }
    });
}

} // namespace ptxwb::emulator
