// Tensor maps of a launch: what cuTensorMapEncodeTiled is told, from an argument of type "tensormap" and its buffer.
// Called where a launch is built (layout.cpp); read by the emulator's and the GPU's launches.
#pragma once

#include "kernel/spec.h"

#include <span>

namespace ptxwb::kernel {

/// Dimension 0 is the one whose elements lie together in memory: the last one of the buffer's `shape`.
struct TensorMap {
    enum class Swizzle : std::uint8_t { none, b32, b64, b128 }; ///< the span in bytes
    enum class Fill : std::uint8_t { zeros, nan };              ///< of elements outside of the tensor

    std::uint32_t buffer = 0; ///< in LaunchData::buffers
    ElementType type = ElementType::f32;
    std::vector<std::uint64_t> sizes;               ///< elements
    std::vector<std::uint64_t> strides;             ///< bytes; the first one is an element's size
    std::vector<std::uint32_t> box, elementStrides; ///< elements
    Swizzle swizzle = Swizzle::none;
    Fill fill = Fill::zeros;
    std::uint32_t l2PromotionBytes = 0; ///< 0, 64, 128, 256
};

inline constexpr std::uint32_t tensorMapBytes = 128;

/// `shape` and `strides` of the buffer, in elements, slowest first. Errors (badRequest, with the path): a box of
/// another rank than the buffer, more than 5 dimensions, elements that do not lie together in the last dimension.
Expected<TensorMap> tensorMap(const Argument& argument, ElementType type, std::span<const std::uint64_t> shape,
                              std::span<const std::uint64_t> strides, const std::string& path);

/// Whether the map is one of those that interleave channels, which are not launched.
bool isInterleaved(const Argument& argument);

} // namespace ptxwb::kernel
