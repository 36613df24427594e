#include "emulator/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

using T = ptx::ScalarType;
constexpr std::uint64_t magic = 0x7070'616D'726F'736EULL;

bool hasType(T type) {
    switch (type) {
    case T::u8:
    case T::u16:
    case T::u32:
    case T::s32:
    case T::u64:
    case T::s64:
    case T::f16:
    case T::bf16:
    case T::f32:
    case T::f64: return true;
    default: return false;
    }
}

} // namespace

std::uint64_t TensorMap::boxBytes() const {
    std::uint64_t bytes = ptx::sizeBytes(type);
    for (unsigned d = 0; d < rank; ++d) bytes *= count(d);
    return bytes;
}

Expected<void> checkTensorMap(const TensorMap& map) {
    const auto refuse = [](std::string message, std::string hint) {
        return failure(Cause::rejected, std::move(message), std::move(hint));
    };
    if (!hasType(map.type))
        return refuse("a tensor map of this element type is not emulated",
                      "types: u8, u16, u32, s32, u64, s64, f16, bf16, f32, f64");
    if (map.rank < 1 || map.rank > TensorMap::maxRank)
        return refuse(fmt::format("a tensor map has 1 to 5 dimensions, not {}", map.rank), "");
    if (map.base % 16)
        return refuse(fmt::format("the tensor map's address 0x{:x} is no multiple of 16", map.base),
                      "align the buffer to 16 bytes");
    for (unsigned d = 0; d < map.rank; ++d) {
        if (map.sizes[d] == 0 || map.sizes[d] > std::uint64_t{1} << 32)
            return refuse(fmt::format("dimension {} of the tensor map has {} elements", d, map.sizes[d]),
                          "a dimension has 1 to 2^32 elements");
        if (map.box[d] == 0 || map.box[d] > 256)
            return refuse(fmt::format("the tensor map's box has {} elements in dimension {}", map.box[d], d),
                          "a box has 1 to 256 elements in each dimension");
        if (d && (map.strides[d] % 16 || map.strides[d] >= std::uint64_t{1} << 40))
            return refuse(fmt::format("the tensor map's stride of dimension {} is {} bytes", d, map.strides[d]),
                          "strides are multiples of 16 bytes and less than 2^40");
        if (d && (map.elementStrides[d] == 0 || map.elementStrides[d] > 8))
            return refuse(
                fmt::format("the tensor map's element stride of dimension {} is {}", d, map.elementStrides[d]),
                "element strides are 1 to 8");
    }
    const std::uint64_t inner = std::uint64_t{map.box[0]} * ptx::sizeBytes(map.type);
    if (inner % 16)
        return refuse(fmt::format("a row of the tensor map's box has {} bytes", inner),
                      "the box's first dimension must be a multiple of 16 bytes");
    if (map.swizzle != TensorMap::Swizzle::none) {
        const std::uint64_t span = std::uint64_t{16} << static_cast<unsigned>(map.swizzle);
        if (inner > span)
            return refuse(
                fmt::format("a row of the tensor map's box has {} bytes, and its swizzle spans {}", inner, span),
                "make the box narrower, or use a wider swizzle");
    }
    if (map.fill == TensorMap::Fill::nan && !ptx::isFloat(map.type))
        return refuse("the tensor map is to fill with NaN and its elements are integers", "fill with zeros");
    return {};
}

std::array<std::uint8_t, tensorMapBytes> tensorMapParameter(std::uint32_t index) {
    std::array<std::uint8_t, tensorMapBytes> out{};
    std::memcpy(out.data(), &magic, sizeof magic);
    std::memcpy(out.data() + sizeof magic, &index, sizeof index);
    return out;
}

std::optional<std::uint32_t> tensorMapIndex(std::span<const std::uint8_t, tensorMapBytes> bytes) {
    std::uint32_t index = 0;
    std::memcpy(&index, bytes.data() + sizeof magic, sizeof index);
    const auto expected = tensorMapParameter(index);
    if (!std::equal(bytes.begin(), bytes.end(), expected.begin())) return std::nullopt;
    return index;
}

} // namespace ptxwb::emulator
