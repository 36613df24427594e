#include "kernel/layout.h"

#include <algorithm>

namespace ptxwb::kernel {

namespace {

/// The pattern's bits for one element: quiet NaNs in floating-point types; every byte differs between the two.
std::uint64_t pattern(ElementType type, Poison which) {
    if (which == Poison::first) return ~std::uint64_t{0} >> (64 - 8 * sizeOf(type));
    switch (type) {
    case ElementType::f64: return 0x7FFD5A5A5A5A5A5AU;
    case ElementType::f32:
    case ElementType::tf32: return 0x7FD05A5AU; // low bits: below what tf32 keeps
    case ElementType::bf16: return 0x7FDAU;
    case ElementType::f16: return 0x7E5AU;
    case ElementType::e4m3:
    case ElementType::e5m2: return 0x7FU;
    default: return 0x5A5A5A5A5A5A5A5AU >> (64 - 8 * sizeOf(type));
    }
}

bool isDense(const Buffer& buffer) {
    return buffer.elementCount * sizeOf(buffer.type) == buffer.bytes.size();
}

} // namespace

std::vector<std::uint64_t> elementIndex(const Buffer& buffer, std::uint64_t element) {
    std::vector<std::uint64_t> index(buffer.shape.size());
    for (std::size_t i = buffer.shape.size(); i-- > 0;) {
        index[i] = element % buffer.shape[i];
        element /= buffer.shape[i];
    }
    return index;
}

std::uint64_t elementOffset(const Buffer& buffer, std::uint64_t element) {
    if (buffer.shape.size() == 1) return element * buffer.strides[0]; // no division for the usual case
    std::uint64_t offset = 0;
    for (std::size_t i = buffer.shape.size(); i-- > 0;) {
        offset += element % buffer.shape[i] * buffer.strides[i];
        element /= buffer.shape[i];
    }
    return offset;
}

void poison(Buffer& buffer, Poison which) {
    const std::uint64_t bits = pattern(buffer.type, which);
    for (std::uint64_t i = 0; i < buffer.elementCount; ++i)
        storeBits(buffer.type, buffer.bytes, elementOffset(buffer, i), bits);
}

std::vector<std::uint8_t> writtenElements(const Buffer& buffer, std::span<const std::uint8_t> afterFirst,
                                          std::span<const std::uint8_t> afterSecond) {
    const std::uint64_t first = pattern(buffer.type, Poison::first), second = pattern(buffer.type, Poison::second);
    std::vector<std::uint8_t> written(buffer.elementCount);
    for (std::uint64_t i = 0; i < buffer.elementCount; ++i) {
        const auto offset = elementOffset(buffer, i);
        written[i] =
            loadBits(buffer.type, afterFirst, offset) != first || loadBits(buffer.type, afterSecond, offset) != second;
    }
    return written;
}

std::optional<std::uint64_t> damagedPadding(const Buffer& buffer, std::span<const std::uint8_t> after) {
    if (isDense(buffer)) return std::nullopt;
    std::vector<std::uint8_t> element(after.size(), 0);
    for (std::uint64_t i = 0; i < buffer.elementCount; ++i) {
        const auto offset = elementOffset(buffer, i) * sizeOf(buffer.type);
        std::fill_n(element.begin() + static_cast<std::ptrdiff_t>(offset), sizeOf(buffer.type), std::uint8_t{1});
    }
    for (std::size_t i = 0; i < after.size(); ++i)
        if (!element[i] && after[i] != buffer.bytes[i]) return i;
    return std::nullopt;
}

} // namespace ptxwb::kernel
